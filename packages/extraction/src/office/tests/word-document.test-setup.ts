import * as cfb from 'cfb';
import { LIST } from '../word/file.ts';

/** A paragraph of {@link wordDocument}. */
export interface WordParagraphSource {
  text: string;
  style?: keyof typeof STYLES;
  /** The number of its list: 1 has numbers, 2 has bullets. */
  list?: number;
  /** Whether it ends a table cell, or a row, which has its own mark. */
  ends?: 'cell' | 'row';
  /** The part of its text that a tracked change deleted. */
  deleted?: string;
}

/** The content of a document besides its body. */
export interface WordSource {
  body: WordParagraphSource[];
  /** Each is marked by '\x02' in the body, in order. */
  footnotes?: string[];
  /** Headers and footers of one section in the order of Word: even and odd headers, then footers. */
  edges?: string[];
  comment?: { author: string; text: string };
  box?: string;
  title?: string;
  encrypted?: boolean;
  /** 0xc1 for Word 97. */
  version?: number;
}

const STYLES = { normal: 0, heading1: 1, heading2: 2, title: 3, ownHeading: 4 };
const TEXT_START = 1024;
const PAGE = 512;
const RUNS_ON_PAGE = 10;

const u16 = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value & 0xffff, index * 2);
  return buffer;
};
const u32 = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value >>> 0, index * 4);
  return buffer;
};
const named = (name: string): Buffer =>
  Buffer.concat([u16(name.length), Buffer.from(name, 'utf16le')]);

/** A style by [MS-DOC] 2.9.260, without its own properties. */
function style(kind: number, base: number, name: string): Buffer {
  const body = Buffer.concat([
    u16(kind, (base << 4) | 1, 2, 0, 0),
    named(name),
    u16(0),
    u16(2, 0),
    u16(0),
  ]);
  return Buffer.concat([u16(body.length), body, Buffer.alloc(body.length & 1)]);
}

const styleSheet = (): Buffer =>
  Buffer.concat([
    u16(18, 5, 10, 0, 0, 0, 0, 0, 0, 0),
    style(0, 0xfff, 'Normal'),
    style(1, 0, 'heading 1'),
    style(2, 0, 'heading 2'),
    style(62, 0, 'Title'),
    style(0xffe, 1, 'Chapter'),
  ]);

/** Two lists of one level each: with numbers, and with bullets ([MS-DOC] 2.9.131, 2.9.150). */
function lists(): { heads: Buffer; levels: Buffer; uses: Buffer } {
  const head = (id: number): Buffer => Buffer.concat([u32(id), Buffer.alloc(22), u16(1)]);
  const level = (kind: number): Buffer =>
    Buffer.concat([u32(1), Buffer.from([kind]), Buffer.alloc(23), named('%.')]);
  const use = (id: number): Buffer => Buffer.concat([u32(id), Buffer.alloc(12)]);
  return {
    heads: Buffer.concat([u16(2), head(71), head(72)]),
    levels: Buffer.concat([level(0), level(23)]),
    uses: Buffer.concat([u32(2), use(71), use(72)]),
  };
}

interface Placed {
  from: number;
  to: number;
  properties: Buffer;
}

/** A page of runs by [MS-DOC] 2.9.175 and 2.9.33: bounds, offsets of properties, properties. */
function page(runs: readonly Placed[], of: 'letters' | 'paragraphs'): Buffer {
  const buffer = Buffer.alloc(PAGE);
  const entryBytes = of === 'letters' ? 1 : 13;
  let free = PAGE - 2;
  for (const [index, { from, properties }] of runs.entries()) {
    buffer.writeUInt32LE(from, index * 4);
    if (properties.length === 0) continue;
    const padded = Buffer.concat([properties, Buffer.alloc(properties.length & 1)]);
    const stored =
      of === 'letters'
        ? Buffer.concat([Buffer.from([properties.length]), properties])
        : Buffer.concat([Buffer.from([0, padded.length / 2]), padded]);
    free = (free - stored.length) & ~1;
    buffer.set(stored, free);
    buffer[(runs.length + 1) * 4 + index * entryBytes] = free / 2;
  }
  buffer.writeUInt32LE(runs.at(-1)?.to ?? 0, runs.length * 4);
  buffer[PAGE - 1] = runs.length;
  return buffer;
}

function paragraphProperties({ style: name = 'normal', list, ends }: WordParagraphSource): Buffer {
  const parts = [u16(STYLES[name])];
  if (list !== undefined) parts.push(u16(0x460b, list), u16(0x260a), Buffer.from([0]));
  if (ends !== undefined) parts.push(u16(0x2416), Buffer.from([1]));
  if (ends === 'row') parts.push(u16(0x2417), Buffer.from([1]));
  return Buffer.concat(parts);
}

/** A document of Word 97 with one byte per character if possible, otherwise with two. */
export function wordDocument(source: WordSource): Uint8Array {
  const { body, footnotes = [], edges = [], comment, box, title } = source;
  const plain = (texts: readonly string[]): WordParagraphSource[] =>
    texts.map((text) => ({ text }));
  const stories: Record<string, WordParagraphSource[]> = {
    body,
    footnotes: plain(footnotes.map((text) => `\x02 ${text}`)),
    headers: plain(edges),
    comments: plain(comment === undefined ? [] : [`\x05${comment.text}`]),
    boxes: plain(box === undefined ? [] : [box]),
  };
  const text: string[] = [];
  const pieces: { from: number; to: number; place: number }[] = [];
  const bytes: Buffer[] = [];
  const runs: Placed[] = [];
  const letters: Placed[] = [];
  let [at, offset] = [0, TEXT_START];
  const write = (paragraph: WordParagraphSource): void => {
    const paragraphText = `${paragraph.text}${paragraph.ends === undefined ? '\r' : '\x07'}`;
    const wide = /[^\0-\x7f\xa0-\xff]/.test(paragraphText);
    const width = wide ? 2 : 1;
    const stored = Buffer.from(paragraphText, wide ? 'utf16le' : 'latin1');
    pieces.push({
      from: at,
      to: at + paragraphText.length,
      place: wide ? offset : (offset * 2) | 0x40000000,
    });
    runs.push({
      from: offset,
      to: offset + stored.length,
      properties: paragraphProperties(paragraph),
    });
    const deletedAt =
      paragraph.deleted === undefined ? -1 : paragraphText.indexOf(paragraph.deleted);
    if (deletedAt !== -1) {
      const from = offset + deletedAt * width;
      const to = from + (paragraph.deleted ?? '').length * width;
      letters.push({ from, to, properties: Buffer.concat([u16(0x0800), Buffer.from([1])]) });
    }
    text.push(paragraphText);
    bytes.push(stored);
    at += paragraphText.length;
    offset += stored.length;
  };
  const lengths: Record<string, number> = {};
  for (const [story, paragraphs] of Object.entries(stories)) {
    const start = at;
    for (const paragraph of paragraphs) write(paragraph);
    lengths[story] = at - start;
  }
  write({ text: '' });

  const marks = text
    .join('')
    .slice(0, lengths['body'])
    .split('')
    .flatMap((character, place) => (character === '\x02' ? [place] : []));
  const ends = [0];
  for (const edge of edges) ends.push((ends.at(-1) ?? 0) + edge.length + 1);
  const { heads, levels, uses } = lists();
  const firstPage = Math.ceil(offset / PAGE);
  const pages = Array.from({ length: Math.ceil(runs.length / RUNS_ON_PAGE) }, (_, number) =>
    runs.slice(number * RUNS_ON_PAGE, (number + 1) * RUNS_ON_PAGE),
  );
  const table: Record<number, Buffer> = {
    [LIST.styles]: styleSheet(),
    [LIST.footnoteMarks]: Buffer.concat([
      u32(...marks, lengths['body'] ?? 0),
      u16(...marks.map((_, mark) => mark + 1)),
    ]),
    [LIST.headers]:
      edges.length === 0 ? Buffer.alloc(0) : u32(0, 0, 0, 0, 0, 0, ...ends, ends.at(-1) ?? 0),
    [LIST.paragraphs]: u32(
      ...pages.map(([first]) => first?.from ?? 0),
      offset,
      ...pages.map((_, number) => firstPage + number),
    ),
    [LIST.letters]: u32(TEXT_START, offset, firstPage + pages.length),
    [LIST.pieces]: Buffer.concat([
      Buffer.from([1, 2, 0, 9, 9, 2]),
      u32(pieces.length * 12 + 4),
      u32(...pieces.map(({ from }) => from), at),
      ...pieces.map(({ place }) => Buffer.concat([u16(0), u32(place), u16(0)])),
    ]),
    [LIST.commentMarks]:
      comment === undefined
        ? Buffer.alloc(0)
        : Buffer.concat([u32(1, 2), named('I'), Buffer.alloc(16), u16(0, 0, 0, 0, 0)]),
    [LIST.commentTexts]:
      comment === undefined ? Buffer.alloc(0) : u32(0, lengths['comments'] ?? 0, at),
    [LIST.commentAuthors]: comment === undefined ? Buffer.alloc(0) : named(comment.author),
    [LIST.listUses]: uses,
    // The last table is followed by the levels of the lists.
    [LIST.lists]: heads,
  };
  const head = Buffer.alloc(TEXT_START);
  head.writeUInt16LE(0xa5ec, 0);
  head.writeUInt16LE(source.version ?? 0xc1, 2);
  head.writeUInt16LE(0x0200 | (source.encrypted === true ? 0x0100 : 0), 10);
  for (const [place, story] of [
    [76, 'body'],
    [80, 'footnotes'],
    [84, 'headers'],
    [92, 'comments'],
    [100, 'boxes'],
  ] as const) {
    head.writeUInt32LE(lengths[story] ?? 0, place);
  }
  const tableParts: Buffer[] = [];
  let tableAt = 0;
  const inOrder = Object.entries(table).sort(([a], [b]) =>
    Number(a) === LIST.lists ? 1 : Number(b) === LIST.lists ? -1 : 0,
  );
  for (const [number, part] of inOrder) {
    head.writeUInt32LE(tableAt, 154 + Number(number) * 8);
    head.writeUInt32LE(part.length, 158 + Number(number) * 8);
    tableParts.push(part);
    tableAt += part.length;
  }
  const main = Buffer.concat([
    head,
    ...bytes,
    Buffer.alloc(firstPage * PAGE - offset),
    ...pages.map((entries) => page(entries, 'paragraphs')),
    page(letters, 'letters'),
  ]);
  const file = cfb.utils.cfb_new();
  cfb.utils.cfb_add(file, '/WordDocument', main);
  cfb.utils.cfb_add(file, '/1Table', Buffer.concat([...tableParts, levels]));
  if (title !== undefined) cfb.utils.cfb_add(file, '/\x05SummaryInformation', summary(title));
  return new Uint8Array(cfb.write(file, { type: 'buffer' }) as Buffer);
}

/** A stream of properties with only the title ([MS-OLEPS] 2.21). */
function summary(title: string): Buffer {
  const value = Buffer.from(`${title}\0`, 'latin1');
  const set = Buffer.concat([
    u32(0, 2, 1, 24, 2, 32),
    u32(2, 1252),
    u32(0x1e, value.length),
    value,
    Buffer.alloc(3),
  ]);
  return Buffer.concat([
    u16(0xfffe, 0),
    u32(0),
    Buffer.alloc(16),
    u32(1),
    Buffer.alloc(16),
    u32(48),
    set,
  ]);
}
