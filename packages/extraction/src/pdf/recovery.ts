import { inflateSync, constants } from 'node:zlib';
import { bufferOf } from '../bytes.ts';

const MAX_STREAM_BYTES = 64_000_000;
const MAX_OBJECTS = 2_000_000;

const OBJECT = /(?<![0-9])(\d{1,10})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b/g;
const IS_PAGE = /\/Type\s*\/Page(?![A-Za-z])/;
const IS_OBJECT_STREAM = /\/Type\s*\/ObjStm\b/;
const REFERENCE = /(?<!\d)(\d+)\s+\d+\s+R\b/g;
const HEAD = 4096;

/** Optional parts of a page. */
const OPTIONAL_PARTS =
  /\/(?:Parent|Annots|Metadata|Group|Dest|B|Thumb|PieceInfo)\s*(?:\d+\s+\d+\s+R\b|\[[^[\]]*\]|<<[^<>]*>>)/g;
const FONTS = /\/Font\s*(?:<<([^<>]*)>>|(\d+)\s+\d+\s+R)/g;
const TO_UNICODE = /\/ToUnicode\s+(\d+)\s+\d+\s+R/;

/**
 * Rebuilds a PDF whose end is missing, with its pages in the order of the page lists or of the file, and
 * with objects of compressed streams written out. Null without a page. `lost` are the pages, from 1,
 * that lack fonts or text.
 */
export function rebuildPdf(
  bytes: Uint8Array,
): { bytes: Uint8Array<ArrayBuffer>; lost: Set<number> } | null {
  const file = bufferOf(bytes).toString('latin1');
  // An encrypted file has its keys at the end.
  if (/\/Filter\s*\/Standard\b/.test(file)) return null;
  const known = new Map<number, string>();
  const result: { pages: number[]; order: number[]; added: string[] } = {
    pages: [],
    order: [],
    added: [],
  };
  const addObject = (number: number, head: string): void => {
    known.set(number, head);
    if (IS_PAGE.test(head)) result.pages.push(number);
    const kids = /\/Kids\s*\[([^[\]]*)\]/.exec(head)?.[1];
    if (kids) result.order.push(...[...kids.matchAll(REFERENCE)].map((match) => Number(match[1])));
  };
  const endFrom = createSearch(file, 'endstream');
  let count = 0;
  for (const match of file.matchAll(OBJECT)) {
    if ((count += 1) > MAX_OBJECTS) break;
    const start = match.index + match[0].length;
    const head = dictionaryAt(file, start);
    addObject(Number(match[1]), head);
    if (!IS_OBJECT_STREAM.test(head)) continue;
    for (const [number, object] of objectsOf(bytes, file, { start, head, endFrom })) {
      addObject(number, object.slice(0, HEAD));
      result.added.push(`${number} 0 obj\n${object}\nendobj\n`);
    }
  }
  const pages = inOrder(result.pages, result.order);
  if (pages.length === 0) return null;
  const tail = tailOf(pages, known, result.added);
  const intact = bytes.subarray(0, endOfObjects(file));
  const rebuilt = new Uint8Array(intact.length + tail.length);
  rebuilt.set(intact);
  rebuilt.set(Buffer.from(tail, 'latin1'), intact.length);
  const lost = pages.flatMap((page, index) => (isComplete(page, known) ? [] : [index + 1]));
  return { bytes: rebuilt, lost: new Set(lost) };
}

/** The start of a truncated object table, which would hide the objects after it. */
function endOfObjects(file: string): number {
  const table = file.lastIndexOf('\nxref');
  return table === -1 || file.includes('startxref', table) ? file.length : table;
}

function dictionaryAt(file: string, start: number): string {
  const head = file.slice(start, start + HEAD);
  const end = /\bendobj\b|\bstream\b/.exec(head)?.index ?? HEAD;
  return head.slice(0, end);
}

type Objects = ReadonlyMap<number, string>;

/** Removes text between each `<<` and the next `>>`. */
function withoutDictionaries(text: string): string {
  const [tail = '', ...ended] = text.split('>>').reverse();
  const parts = ended.reverse().map((part) => {
    const start = part.indexOf('<<');
    return start === -1 ? `${part}>>` : `${part.slice(0, start)} `;
  });
  return parts.join('') + tail;
}

/** Whether a page's contents and resources exist. */
function isComplete(page: number, known: Objects): boolean {
  const head = withoutDictionaries((known.get(page) ?? '').replace(OPTIONAL_PARTS, ' '));
  return [...head.matchAll(REFERENCE)].every((match) => known.has(Number(match[1])));
}

/** Replacement fonts with unreadable glyphs, because PDF.js takes glyph numbers for letters. */
function replacementFonts(known: Objects, free: number): string[] {
  const fonts = new Set<number>();
  const maps = new Map<number, string>([[free, mapping(2)]]);
  for (const head of known.values()) {
    for (const [, inline, number] of head.matchAll(FONTS)) {
      const listed = inline ?? known.get(Number(number)) ?? '';
      for (const match of listed.matchAll(REFERENCE)) {
        if (!known.has(Number(match[1]))) fonts.add(Number(match[1]));
      }
    }
    const map = Number(TO_UNICODE.exec(head)?.[1] ?? Number.NaN);
    if (map > 0 && !known.has(map)) maps.set(map, mapping(/\/Type0\b/.test(head) ? 4 : 2));
  }
  const font = `<</Type/Font/Subtype/TrueType/BaseFont/Arial/ToUnicode ${free} 0 R>>`;
  return [
    ...[...fonts].map((number) => `${number} 0 obj\n${font}\nendobj\n`),
    ...[...maps].map(
      ([number, map]) =>
        `${number} 0 obj\n<</Length ${map.length}>>\nstream\n${map}\nendstream\nendobj\n`,
    ),
  ];
}

function mapping(digits: 2 | 4): string {
  const [from, to] = ['0'.repeat(digits), digits === 2 ? 'FF' : '18FF'];
  const fullRange = `<${'0'.repeat(digits)}> <${'F'.repeat(digits)}>`;
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def',
    `1 begincodespacerange ${fullRange} endcodespacerange`,
    `1 beginbfrange <${from}> <${to}> <E000> endbfrange`,
    'endcmap end end',
  ].join('\n');
}

/** Finds a word from rising positions in linear time overall, or -1. */
function createSearch(text: string, word: string): (from: number) => number {
  let position = text.indexOf(word);
  return (from) => {
    if (position !== -1 && position < from) position = text.indexOf(word, from);
    return position;
  };
}

/** The objects of a compressed stream (ISO 32000-1, 7.5.7). */
function objectsOf(
  bytes: Uint8Array,
  file: string,
  { start, head, endFrom }: { start: number; head: string; endFrom: (from: number) => number },
): [number: number, text: string][] {
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? Number.NaN);
  const opening = /stream\r?\n/.exec(file.slice(start, start + HEAD + 16));
  if (!Number.isInteger(first) || !opening || !/\/FlateDecode\b/.test(head)) return [];
  const from = start + opening.index + opening[0].length;
  const to = endFrom(from);
  try {
    const content = inflateSync(bytes.subarray(from, to === -1 ? undefined : to), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_STREAM_BYTES,
    }).toString('latin1');
    const numbers = content.slice(0, first).trim().split(/\s+/).map(Number);
    const objects: [number, string][] = [];
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      const [number = 0, offset = 0] = [numbers[index], numbers[index + 1]];
      const next = numbers[index + 3];
      // The last object of a truncated stream is truncated.
      if (next === undefined && to === -1) break;
      objects.push([
        number,
        content.slice(first + offset, next === undefined ? undefined : first + next),
      ]);
    }
    return objects;
  } catch {
    return [];
  }
}

function inOrder(pages: number[], order: number[]): number[] {
  const existing = new Set(pages);
  return [...new Set([...order.filter((number) => existing.has(number)), ...pages])];
}

function tailOf(pages: number[], known: ReadonlyMap<number, string>, added: string[]): string {
  let free = 1;
  for (const number of known.keys()) if (number >= free) free = number + 1;
  const [root, list, map] = [free, free + 1, free + 2];
  const kids = pages.map((number) => `${number} 0 R`).join(' ');
  return [
    // Ends a truncated object.
    '\nendstream\nendobj\n',
    ...added,
    ...replacementFonts(known, map),
    `${root} 0 obj\n<</Type/Catalog/Pages ${list} 0 R>>\nendobj\n`,
    `${list} 0 obj\n<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>\nendobj\n`,
    `trailer\n<</Root ${root} 0 R/Size ${map + 1}>>\nstartxref\n0\n%%EOF\n`,
  ].join('');
}
