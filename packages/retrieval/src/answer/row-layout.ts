import type { RecordColumn } from '../documents/document.ts';
import { type RowsAsked, rowSayings } from '../question/rows-asked.ts';
import type { Citation } from '../types.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Material } from './material.ts';
import type { GroupRow, RowGroup } from './row-groups.ts';
import type { RowMatch } from './row-match.ts';

/** Columns of a table in an answer, and characters of a cell. */
const MOST_COLUMNS = 5;
const LONGEST_CELL = 60;

/** The locale that days and figures are written in. */
export const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** A figure as people of a language write it, with its unit. */
export function figureSaid(value: number, { type, unit }: RecordColumn, language: string): string {
  const digits = type === 'amount' ? 2 : 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: 2 } as const;
  const isCode = type === 'amount' && unit !== null && /^[A-Z]{3}$/u.test(unit);
  const style = isCode ? ({ style: 'currency', currency: unit } as const) : {};
  const said = new Intl.NumberFormat(localeOf(language), { ...style, ...format }).format(value);
  if (unit === null || type === 'amount') return said;
  return `${said}${unit === '%' ? '' : ' '}${unit}`;
}

const daySaid = (day: string, language: string, format: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(localeOf(language), { ...format, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** 'March 2024' of '2024-03'. */
export const monthSaid = (month: string, language: string): string =>
  daySaid(`${month}-01`, language, { month: 'long', year: 'numeric' });

export const dayInFull = (day: string, language: string): string =>
  daySaid(day, language, { dateStyle: 'long' });

function cellSaid(
  cell: string | number | null,
  column: RecordColumn | undefined,
  language: string,
): string {
  if (cell === null || column === undefined) return '';
  const { type, unit } = column;
  // Numbers without a unit are often years and codes: they are not grouped.
  if (typeof cell === 'number')
    return unit === null && type === 'number' ? String(cell) : figureSaid(cell, column, language);
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/u.test(cell))
    return daySaid(cell, language, { dateStyle: 'medium' });
  const isLong = cell.length > LONGEST_CELL;
  return escapeMarkdown(isLong ? `${cell.slice(0, LONGEST_CELL - 1).toWellFormed()}…` : cell);
}

/** Rows as a table of Markdown, each with its citation; further ones are counted. */
export function layOutRows(
  { columns }: RowGroup,
  rows: readonly GroupRow[],
  { wanted, most, language }: { wanted: readonly number[]; most: number; language: string },
): { markdown: string; citations: Citation[] } {
  const say = rowSayings(language);
  const shown = rows.slice(0, most);
  // Those wanted, then the others in their order, without empty ones.
  const at = [...new Set([...wanted.filter((one) => one >= 0), ...columns.keys()])]
    .filter((one) => shown.some(({ cells }) => cells[one] !== null))
    .slice(0, MOST_COLUMNS)
    .sort((a, b) => a - b);
  const citations = shown.flatMap(({ table, at: row }, i): Citation[] => {
    const { artifactId, fileName, rows: own } = table;
    const cited = own[row];
    if (cited === undefined) return [];
    const { quote, start, end } = cited;
    return [{ n: i + 1, artifactId, fileName, quote, start, end }];
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    line([...at.map((i) => escapeMarkdown(columns[i]?.name ?? '')), say.source]),
    line([...at, 0].map(() => '---')),
    ...shown.map(({ cells }, i) =>
      line([...at.map((c) => cellSaid(cells[c] ?? null, columns[c], language)), `[${i + 1}]`]),
    ),
  ];
  const more = rows.length - shown.length;
  const rest = more > 0 ? `\n\n${say.more.replace('{}', String(more))}` : '';
  return { markdown: `${lines.join('\n')}${rest}`, citations };
}

/** Days as people say them: a year, a month, or from when to when. */
function spanSaid({ from, to }: { from: number; to: number }, language: string): string {
  const [first, last] = [from, to].map((day) =>
    String(day).replace(/^(\d{4})(\d\d)(\d\d)$/u, '$1-$2-$3'),
  ) as [string, string];
  if (first.slice(0, 7) === last.slice(0, 7)) return monthSaid(first.slice(0, 7), language);
  if (first.slice(0, 4) === last.slice(0, 4) && first.endsWith('-01-01')) return first.slice(0, 4);
  return [from > 0 ? `≥ ${first}` : '', to < 99_990_000 ? `≤ ${last}` : '']
    .filter(Boolean)
    .join(', ');
}

/** What was asked of the rows, as it was understood, and the files they stand in. */
export function conditionsSaid(
  { question }: Material,
  { day, filters, rows }: RowMatch,
  { days }: RowsAsked,
): string[] {
  const { dates, language } = question;
  const say = rowSayings(language);
  const spans = days === null ? dates.map(({ range }) => range) : [days];
  const when = day === -1 ? '' : spans.map((span) => spanSaid(span, language)).join(', ');
  const where = filters.map(({ column, value }) =>
    column === ''
      ? `“${escapeMarkdown(value)}”`
      : say.where.replace('{}', escapeMarkdown(column)).replace('{}', escapeMarkdown(value)),
  );
  const names = [...new Set(rows.map(({ table }) => table.fileName))];
  const files = names.length <= 2 ? names.map(escapeMarkdown).join(', ') : '';
  return [...where, when, files].filter(Boolean);
}
