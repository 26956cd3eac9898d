import type { RecordColumn } from '../documents/document.ts';
import { type RowsAsked, rowSayings } from '../question/rows-asked.ts';
import type { Citation } from '../types.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Material } from './material.ts';
import type { GroupRow, RowGroup } from './row-groups.ts';
import type { RowMatch } from './row-match.ts';

/** Columns of a table in an answer. */
const MOST_COLUMNS = 5;
/** Characters of a cell in an answer. */
const LONGEST_CELL = 60;

const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** A figure as people of a language write it, with its unit. */
export function figureSaid(value: number, column: RecordColumn | null, language: string): string {
  const locale = localeOf(language);
  const { type, unit } = column ?? { type: 'number', unit: null };
  const rounded = Math.round(value * 100) / 100;
  if (type === 'amount') {
    const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
    const isCode = unit !== null && /^[A-Z]{3}$/u.test(unit);
    return new Intl.NumberFormat(
      locale,
      isCode ? { style: 'currency', currency: unit, ...two } : two,
    ).format(rounded);
  }
  const said = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(rounded);
  return unit === null ? said : `${said}${unit === '%' ? '' : ' '}${unit}`;
}

/** 'March 2024' of '2024-03'. */
export const monthSaid = (month: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));

export const dayInFull = (day: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

const daySaid = (day: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

function cellSaid(
  cell: string | number | null,
  column: RecordColumn | undefined,
  language: string,
): string {
  if (cell === null || column === undefined) return '';
  if (typeof cell === 'number') {
    // Numbers without a unit are often years and codes: they are not grouped.
    return column.unit === null && column.type === 'number'
      ? String(cell)
      : figureSaid(cell, column, language);
  }
  if (column.type === 'date' && /^\d{4}-\d\d-\d\d$/u.test(cell)) return daySaid(cell, language);
  const short =
    cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL - 1).toWellFormed()}…` : cell;
  return escapeMarkdown(short);
}

/** Which columns are shown: those wanted, then the others in their order, without empty ones. */
function shownColumns(
  { columns }: RowGroup,
  rows: readonly GroupRow[],
  wanted: readonly number[],
): number[] {
  const order = [...new Set([...wanted.filter((at) => at >= 0), ...columns.keys()])];
  return order
    .filter((at) => rows.some(({ cells }) => cells[at] !== null))
    .slice(0, MOST_COLUMNS)
    .sort((a, b) => a - b);
}

/** Rows as a table of Markdown, each with its citation; further ones are counted. */
export function layOutRows(
  group: RowGroup,
  rows: readonly GroupRow[],
  {
    wanted,
    most,
    language,
    total = rows.length,
  }: { wanted: readonly number[]; most: number; language: string; total?: number },
): { markdown: string; citations: Citation[] } {
  const say = rowSayings(language);
  const shown = rows.slice(0, most);
  const at = shownColumns(group, shown, wanted);
  const citations = shown.map(({ table, at: row }, i): Citation => {
    const { location, quote, start, end } = table.rows[row] as NonNullable<
      (typeof table.rows)[number]
    >;
    return {
      n: i + 1,
      artifactId: table.artifactId,
      fileName: table.fileName,
      location,
      quote,
      start,
      end,
    };
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    line([...at.map((i) => escapeMarkdown(group.columns[i]?.name ?? '')), say.source]),
    line([...at, 0].map(() => '---')),
    ...shown.map(({ cells }, i) =>
      line([
        ...at.map((c) => cellSaid(cells[c] ?? null, group.columns[c], language)),
        `[${i + 1}]`,
      ]),
    ),
  ];
  const more = total - shown.length;
  const rest = more > 0 ? `\n\n${say.more.replace('{}', String(more))}` : '';
  return { markdown: `${lines.join('\n')}${rest}`, citations };
}

/** The days that were asked for, in the language of the question. */
function datesSaid({ dates, language }: Material['question'], { days }: RowsAsked): string {
  if (days !== null) {
    const { from, to } = days;
    const iso = (day: number): string =>
      String(day).replace(
        /^(\d{4})(\d\d)(\d\d)$/u,
        (_, year, month, own) => `${year}-${month}-${own}`,
      );
    return [from > 0 ? `≥ ${iso(from)}` : '', to < 99_990_000 ? `≤ ${iso(to)}` : '']
      .filter(Boolean)
      .join(', ');
  }
  return dates
    .map(({ range: { from, to, grain } }) => {
      const year = String(Math.floor(from / 10_000));
      const month = `${year}-${String(Math.floor(from / 100) % 100).padStart(2, '0')}`;
      if (grain === 'year') return year;
      const isMonth = Math.floor(from / 100) === Math.floor(to / 100);
      return isMonth ? monthSaid(month, language) : year;
    })
    .join(', ');
}

/** What was asked of the rows, as it was understood, and the files they stand in. */
export function conditionsSaid(material: Material, match: RowMatch, asked: RowsAsked): string {
  const say = rowSayings(material.question.language);
  const when = match.day === -1 ? [] : [datesSaid(material.question, asked)];
  const where = match.filters.map(({ column, value }) =>
    column === ''
      ? `“${escapeMarkdown(value)}”`
      : say.where.replace('{}', escapeMarkdown(column)).replace('{}', escapeMarkdown(value)),
  );
  const names = [...new Set(match.rows.map(({ table }) => table.fileName))];
  const files = names.length <= 2 ? [names.map(escapeMarkdown).join(', ')] : [];
  return [...where, ...when, ...files].filter(Boolean).join('; ');
}
