import { alternatives } from '../languages/index.ts';
import type { SourceDocument, SourceSegment } from '../types.ts';
import { amountIn, dateIn } from './cells.ts';
import type { DocumentKind, RecordColumn, RecordTable } from './document.ts';
import { piecesOf } from './lines.ts';
import { placeOf } from './table-rows.ts';

/** Kinds of documents that have fields of their own. */
const WITH_FIELDS: ReadonlySet<DocumentKind | null> = new Set([
  'invoice',
  'payslip',
  'receipt',
  'statement',
]);

/** Columns of these records in their order, by the type of their values. */
const COLUMNS: Readonly<Record<RecordColumn['type'], readonly string[]>> = {
  text: ['Number', 'Client', 'From', 'Period', 'Paid'],
  date: ['Date', 'Due'],
  amount: ['Net', 'Tax', 'Deductions', 'Gross pay', 'Net pay', 'Total'],
  number: [],
};

/** What names a column at the beginning of a line or a cell, in all languages. */
const FIELDS = Object.entries(COLUMNS).flatMap(([type, names]) =>
  names.map((name) => ({
    name,
    type: type as RecordColumn['type'],
    said: new RegExp(
      String.raw`^(?:${alternatives(({ documents }) => documents?.fields[name])})(?!\p{L})\.?\s?(?:\([^)]{0,30}\))?\s*[:：#]?\s*`,
      'iu',
    ),
  })),
);

/** Characters and lines that are read of a document, and characters of a value and of a figure. */
const READ = { length: 20_000, lines: 400, line: 400, value: 120, figure: 60 } as const;

interface Line {
  text: string;
  start: number;
  end: number;
  segment: SourceSegment;
}

interface Found {
  value: string | number;
  unit: string | null;
  line: Line;
}

/**
 * What a short document says of itself under labels ('Invoice no.', 'Total due'), as a table of one
 * row; null for a document of another kind and where no amount is found.
 */
export function fieldsOf(
  document: SourceDocument,
  { kind, languages }: { kind: DocumentKind | null; languages: readonly string[] },
): Pick<RecordTable, 'name' | 'fields' | 'columns' | 'rows'> | null {
  if (kind === null || !WITH_FIELDS.has(kind)) return null;
  const lines = linesOf(document);
  const found = readLabels(lines, languages);
  const client = addressee(lines, document.text);
  if (client !== undefined && (kind === 'invoice' || kind === 'receipt'))
    found.set('Client', found.get('Client') ?? { value: client.text, unit: null, line: client });
  const dated = lines
    .slice(0, 30)
    .find(({ text }) => text.length <= 40 && dateIn(text, languages) !== null);
  const day = dated && dateIn(dated.text, languages);
  if (dated && day) found.set('Date', found.get('Date') ?? { value: day, unit: null, line: dated });
  const kept = FIELDS.flatMap(({ name, type }) => {
    const value = found.get(name);
    return value === undefined ? [] : [{ name, type, ...value }];
  });
  const main = kept.findLast(({ type }) => type === 'amount');
  if (main === undefined) return null;
  return {
    name: kind,
    fields: true,
    columns: kept.map(({ name, type, unit }) => ({ name, type, unit })),
    rows: [
      {
        cells: kept.map(({ value }) => value),
        ...placeOf(document.text, main.line),
      },
    ],
  };
}

/** The sentences of a paragraph are looked at one by one: 'Due on 1 March 2024. Payable …'. */
const linesOf = ({ text, segments }: SourceDocument): Line[] =>
  segments
    .filter(({ start }) => start < READ.length)
    .flatMap((segment) => {
      const end = Math.min(segment.end, READ.length);
      const pieces = piecesOf(text, segment.start, end, /\n|(?<=[\p{L}\d)]{2})\. (?=\p{Lu})| · /gu);
      return pieces.map((piece) => ({ ...piece, text: piece.text.slice(0, READ.line), segment }));
    })
    .slice(0, READ.lines);

/** The cells of a line of a table, or the line itself; the marks of Markdown around it are left out. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^[|*\s-]+/u, '')
    .split(/[\t|]/u)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

/** The values behind labels, or on the line below a label that stands alone; of amounts the last. */
function readLabels(lines: readonly Line[], languages: readonly string[]): Map<string, Found> {
  const found = new Map<string, Found>();
  lines.forEach((line, i) => {
    const [first = '', ...others] = cellsOf(line.text);
    for (const { name, type, said } of FIELDS) {
      const match = said.exec(first)?.[0];
      if (match === undefined || (found.has(name) && type !== 'amount')) continue;
      const rest = `${first.slice(match.length)} ${others.join(' ')}`.replace(/\*+/gu, '').trim();
      const isAlone = rest === '' && (match.trim().endsWith(':') || others.length > 0);
      const text = isAlone ? (lines[i + 1]?.text ?? '') : rest;
      const isCell = match.length === first.length && others.length > 0;
      const value = readValue(text, name, type, isCell ? `${match}:` : match, languages);
      if (value === null) continue;
      found.set(name, { ...value, line });
      break;
    }
  });
  return found;
}

function readValue(
  text: string,
  name: string,
  type: RecordColumn['type'],
  said: string,
  languages: readonly string[],
): Omit<Found, 'line'> | null {
  if (text === '' || text.length > (type === 'text' ? READ.value : READ.figure)) return null;
  if (type === 'date') {
    const value = dateIn(text, languages);
    return value === null ? null : { value, unit: null };
  }
  if (type === 'amount') {
    const bare = text.replace(/(?<![\d.,])\d{1,3}(?:[.,]\d{1,4})?\s?%/u, '');
    const amount = amountIn(bare);
    // A bare number among words is hardly an amount: 'Total tax due on 31 January'.
    const isBare = amount?.currency === null && /\p{L}/u.test(bare);
    return amount === null || isBare ? null : { value: amount.value, unit: amount.currency };
  }
  if (name === 'Number') {
    const value = /^[A-Z]{0,4}(?: (?=\d))?[\w/-]*\d[\w/-]*/u.exec(text)?.[0];
    return value === undefined ? null : { value, unit: null };
  }
  // 'To be paid', 'from the first of May': only a label with a colon, or what cannot be a sentence.
  const isLabel = said.trimEnd().endsWith(':') || name === 'Paid';
  return isLabel ? { value: text, unit: null } : null;
}

/** The first line of a block of short lines near the head, which is the address of a bill. */
function addressee(lines: readonly Line[], text: string): Line | undefined {
  const blocks = [...Map.groupBy(lines.slice(0, 20), ({ segment }) => segment).values()];
  return blocks
    .slice(0, 6)
    .find(
      (block) =>
        block[0] !== lines[0] &&
        block.length > 1 &&
        block.length <= 6 &&
        text.slice(block[0]?.end, block[1]?.start).trim() === '' &&
        block.every((line) => line.text.length <= 60 && !/[£€$:\t|]/u.test(line.text)) &&
        !/\d/u.test(block[0]?.text ?? ''),
    )?.[0];
}
