import { viewOf } from '../../bytes.ts';

/** A byte range with the same character or paragraph properties. */
export interface PropertyRun {
  from: number;
  to: number;
  style: number;
  properties: Uint8Array;
}

const PAGE_BYTES = 512;
/** Bytes of a paragraph's entry: an offset and the height. */
const PARAGRAPH_ENTRY = 13;
const LETTER_ENTRY = 1;

/** The runs of letters or paragraphs in file order ([MS-DOC] 2.8.5, 2.8.6). `list` names their pages. */
export function propertyRuns(
  stream: Uint8Array,
  list: Uint8Array,
  kind: 'letters' | 'paragraphs',
): PropertyRun[] {
  const view = viewOf(list);
  const runs: PropertyRun[] = [];
  const seen = new Set<number>();
  const count = Math.floor((list.length - 4) / 8);
  for (let index = 0; index < count; index += 1) {
    const page = view.getUint32((count + 1 + index) * 4, true) & 0x3fffff;
    const start = page * PAGE_BYTES;
    if (seen.has(page) || start + PAGE_BYTES > stream.length) continue;
    seen.add(page);
    runs.push(...runsOnPage(stream.subarray(start, start + PAGE_BYTES), kind));
  }
  runs.sort((a, b) => a.from - b.from);
  let end = 0;
  return runs.filter(({ from, to }) => {
    // Overlapping runs of broken tables are dropped.
    if (from < end) return false;
    end = to;
    return true;
  });
}

function runsOnPage(page: Uint8Array, kind: 'letters' | 'paragraphs'): PropertyRun[] {
  const view = viewOf(page);
  const count = page[PAGE_BYTES - 1] ?? 0;
  const entry = kind === 'letters' ? LETTER_ENTRY : PARAGRAPH_ENTRY;
  const entries = (count + 1) * 4;
  const runs: PropertyRun[] = [];
  if (entries + count * entry > PAGE_BYTES) return runs;
  for (let index = 0; index < count; index += 1) {
    const place = 2 * (page[entries + index * entry] ?? 0);
    const formatting = kind === 'letters' ? letterProperties(page, place) : paragraphs(page, place);
    const [from, to] = [view.getUint32(index * 4, true), view.getUint32(index * 4 + 4, true)];
    if (from < to) runs.push({ from, to, ...formatting });
  }
  return runs;
}

type Formatting = Pick<PropertyRun, 'style' | 'properties'>;

const PLAIN: Formatting = { style: 0, properties: new Uint8Array() };

function letterProperties(page: Uint8Array, place: number): Formatting {
  if (place === 0) return PLAIN;
  const length = page[place] ?? 0;
  return { style: 0, properties: page.subarray(place + 1, place + 1 + length) };
}

/** The length has one byte if it is odd, else two. */
function paragraphs(page: Uint8Array, place: number): Formatting {
  if (place === 0) return PLAIN;
  const short = page[place] ?? 0;
  const start = short === 0 ? place + 2 : place + 1;
  const end = short === 0 ? start + 2 * (page[place + 1] ?? 0) : start + 2 * short - 1;
  if (start + 2 > page.length) return PLAIN;
  return { style: viewOf(page).getUint16(start, true), properties: page.subarray(start + 2, end) };
}

export function runAt(runs: readonly PropertyRun[], offset: number): PropertyRun | null {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run === undefined) return null;
    if (offset < run.from) high = middle - 1;
    else if (offset >= run.to) low = middle + 1;
    else return run;
  }
  return null;
}

/** Value sizes by the top three bits of the property number ([MS-DOC] 2.2.5.1). */
const VALUE_BYTES = [1, 1, 2, 4, 2, 2, 0, 3];
const TABLE_DEFINITION = 0xd608;
const TAB_CHANGES = 0xc615;

/** Properties by number: values of up to 4 bytes, 0 for longer ones. */
export function valuesOf(properties: Uint8Array): Map<number, number> {
  const view = viewOf(properties);
  const values = new Map<number, number>();
  for (let offset = 0; offset + 2 <= properties.length;) {
    const number = view.getUint16(offset, true);
    const bytes = VALUE_BYTES[number >> 13] ?? 0;
    offset += 2;
    if (bytes === 0) {
      values.set(number, 0);
      offset += 1 + longValue(properties, number, offset);
      continue;
    }
    if (offset + bytes > properties.length) break;
    let value = 0;
    for (let byte = bytes - 1; byte >= 0; byte -= 1) {
      value = value * 256 + (properties[offset + byte] ?? 0);
    }
    values.set(number, value);
    offset += bytes;
  }
  return values;
}

/** The length of a long value, which two properties store differently. */
function longValue(properties: Uint8Array, number: number, offset: number): number {
  const length = properties[offset] ?? 0;
  if (number === TABLE_DEFINITION) return length + 256 * (properties[offset + 1] ?? 0);
  if (number !== TAB_CHANGES || length !== 255) return length;
  const deleted = properties[offset + 1] ?? 0;
  return 2 + deleted * 4 + (properties[offset + 2 + deleted * 4] ?? 0) * 3;
}
