import { viewOf } from '../../bytes.ts';
import { oldProtection, openCompoundFile } from '../compound-file.ts';
import { ExtractionError } from '../../errors.ts';
import { damaged } from '../zip-package.ts';
import { type PropertyRun, propertyRuns, runAt, valuesOf } from './properties.ts';

const MAX_CHARACTERS = 25_000_000;
const MAGIC = 0xa5ec;
/** The first version with the text format of Word 97. */
const WORD_97 = 0xc1;
const ENCRYPTED = 0x0100;
const OTHER_TABLE = 0x0200;

/** Numbers of lists ([MS-DOC] 2.5.6). */
export const LIST = {
  styles: 1,
  footnoteMarks: 2,
  commentMarks: 4,
  commentTexts: 5,
  headers: 11,
  letters: 12,
  paragraphs: 13,
  pieces: 33,
  commentAuthors: 36,
  endnoteMarks: 46,
  lists: 73,
  listUses: 74,
} as const;

/** Offsets of text lengths in the header, in the order of the texts. */
const LENGTHS = {
  body: 76,
  footnotes: 80,
  headers: 84,
  macros: 88,
  comments: 92,
  endnotes: 96,
  boxes: 100,
  headerBoxes: 104,
} as const;

export type Story = keyof typeof LENGTHS;

interface WordParagraph {
  style: number;
  values: ReadonlyMap<number, number>;
}

export type WordFile = ReturnType<typeof openWordFile>;

/** Opens a document of Word 97 to 2003 ([MS-DOC]). Throws {@link ExtractionError}. */
export function openWordFile(bytes: Uint8Array) {
  const container = openCompoundFile(bytes);
  const main = container?.stream('WordDocument') ?? null;
  if (container === null || main === null || main.bytes.length < 512) throw damaged();
  const head = viewOf(main.bytes);
  if (head.getUint16(0, true) !== MAGIC) throw damaged();
  const flags = head.getUint16(10, true);
  if ((flags & ENCRYPTED) !== 0) {
    throw oldProtection();
  }
  if (head.getUint16(2, true) < WORD_97) {
    throw new ExtractionError(
      'unsupported',
      'This document is from Word 95 or older. Save it as docx and upload it again.',
    );
  }
  const table = container.stream((flags & OTHER_TABLE) === 0 ? '0Table' : '1Table');
  if (table === null) throw damaged();
  const entryOf = (number: number): { start: number; length: number } => {
    const offset = 154 + number * 8;
    if (offset + 8 > main.bytes.length) return { start: 0, length: 0 };
    return { start: head.getUint32(offset, true), length: head.getUint32(offset + 4, true) };
  };
  const list = (number: number): Uint8Array => {
    const { start, length } = entryOf(number);
    return table.bytes.subarray(start, start + length);
  };
  const pieces = piecesOf(list(LIST.pieces));
  if (pieces.length === 0) throw damaged();
  const paragraphs = propertyRuns(main.bytes, list(LIST.paragraphs), 'paragraphs');
  const unseen = propertyRuns(main.bytes, list(LIST.letters), 'letters').filter(isUnseen);
  const data = container.stream('Data')?.bytes ?? new Uint8Array();
  const known = new Map<PropertyRun, WordParagraph>();
  return {
    /** All texts in UTF-16 units. Deleted and hidden characters are NUL. */
    text: textOf(main.bytes, pieces, unseen),
    story: (story: Story) => placeOf(head, story),
    list,
    fromList(number: number): Uint8Array {
      const { start, length } = entryOf(number);
      return length === 0 ? new Uint8Array() : table.bytes.subarray(start);
    },
    /** Style and properties of the paragraph that ends at a character. */
    paragraphAt(position: number): WordParagraph {
      const run = runAt(paragraphs, offsetOf(pieces, position));
      if (run === null) return { style: 0, values: new Map() };
      const paragraph = known.get(run) ?? {
        style: run.style,
        values: withLongLists(valuesOf(run.properties), data),
      };
      known.set(run, paragraph);
      return paragraph;
    },
    complete: main.complete && table.complete,
    container,
  };
}

function placeOf(head: DataView, story: Story): { from: number; to: number } {
  let from = 0;
  for (const [name, offset] of Object.entries(LENGTHS)) {
    const to = from + head.getUint32(offset, true);
    if (name === story) return { from, to };
    from = to;
  }
  return { from, to: from };
}

interface Piece {
  from: number;
  to: number;
  offset: number;
  width: 1 | 2;
}

/** The piece table after lists of changes ([MS-DOC] 2.9.38). */
function piecesOf(table: Uint8Array): Piece[] {
  const view = viewOf(table);
  let pos = 0;
  while (table[pos] === 1 && pos + 3 <= table.length) pos += 3 + view.getUint16(pos + 1, true);
  if (table[pos] !== 2 || pos + 5 > table.length) return [];
  const length = Math.min(view.getUint32(pos + 1, true), table.length - pos - 5);
  const start = pos + 5;
  const count = Math.floor((length - 4) / 12);
  const pieces: Piece[] = [];
  for (let piece = 0; piece < count; piece += 1) {
    const from = view.getUint32(start + piece * 4, true);
    const to = view.getUint32(start + piece * 4 + 4, true);
    const place = view.getUint32(start + (count + 1) * 4 + piece * 8 + 2, true);
    const width = (place & 0x40000000) === 0 ? 2 : 1;
    const offset = width === 2 ? place & 0x3fffffff : (place & 0x3fffffff) >> 1;
    if (from !== (pieces.at(-1)?.to ?? 0) || to < from || to > MAX_CHARACTERS) break;
    pieces.push({ from, to, offset, width });
  }
  return pieces;
}

function textOf(stream: Uint8Array, pieces: Piece[], unseen: readonly PropertyRun[]): string {
  const latin = new TextDecoder('windows-1252');
  const decoded = (bytes: Uint8Array, width: 1 | 2): string =>
    width === 1 ? latin.decode(bytes) : Buffer.from(bytes).toString('utf16le');
  return pieces
    .map(({ from, to, offset, width }) => {
      const length = to - from;
      const bytes = stream.subarray(offset, offset + length * width);
      const text = decoded(bytes, width);
      const end = offset + length * width;
      const hidden = unseenIn(unseen, offset, end);
      const parts: string[] = [];
      let copied = 0;
      for (const run of hidden) {
        const start = Math.max(copied, Math.floor((run.from - offset) / width));
        const stop = Math.min(length, Math.ceil((run.to - offset) / width));
        parts.push(text.slice(copied, start), blanked(text.slice(start, stop)));
        copied = Math.max(copied, stop);
      }
      parts.push(text.slice(copied));
      // Truncated text is padded, so positions stay valid.
      return parts.join('').padEnd(length, '\0');
    })
    .join('');
}

/** Cell ends and field marks. */
const STRUCTURE = new Set(['\x07', '\x13', '\x14', '\x15']);

const blanked = (text: string): string =>
  text.replace(/[^]/g, (character) => (STRUCTURE.has(character) ? character : '\0'));

function* unseenIn(runs: readonly PropertyRun[], from: number, to: number): Generator<PropertyRun> {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.to ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < runs.length; index += 1) {
    const run = runs[index];
    if (run === undefined || run.from >= to) return;
    yield run;
  }
}

/** Character properties: deleted, hidden, symbol. */
const DELETED = 0x0800;
const HIDDEN = 0x083c;
const SYMBOL = 0x6a09;

function isUnseen({ properties }: PropertyRun): boolean {
  const values = valuesOf(properties);
  // 0x81 negates the style, and styles neither hide nor delete.
  const isOn = (number: number): boolean => [1, 0x81].includes(values.get(number) ?? 0);
  return isOn(DELETED) || isOn(HIDDEN) || values.has(SYMBOL);
}

function offsetOf(pieces: readonly Piece[], position: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.from ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece === undefined ? -1 : piece.offset + (position - piece.from) * piece.width;
}

/** References to longer property lists. */
const LONG_LISTS = [0x6645, 0x6646];

function withLongLists(values: Map<number, number>, data: Uint8Array): ReadonlyMap<number, number> {
  const place = LONG_LISTS.map((number) => values.get(number)).find((value) => value !== undefined);
  if (place === undefined || place + 2 > data.length) return values;
  const length = viewOf(data).getUint16(place, true);
  return new Map([...values, ...valuesOf(data.subarray(place + 2, place + 2 + length))]);
}
