import { packOf } from '../languages/index.ts';
import type { RecordTable } from './document.ts';

/** Rows that make a sum worth asking for. */
const LEAST_ROWS = 3;

/** What can be added up in a table, from `start` to `end` of the text. */
export interface Sum {
  /** Whether money is paid, or something else is added up. */
  key: 'paid' | 'sum';
  /** The name of the column of figures. */
  column: string;
  /** What the rows have in common: who was paid, what they are of. */
  value: string;
  /** The year of the rows, where it is but one. */
  year: string | null;
  start: number;
  end: number;
}

/** The sums that a table is kept for: what was paid, or counted, for what the most of its rows have. */
export function sumsOf({ columns, rows }: RecordTable, language: string): Sum[] {
  const { payee, paid, of, counted } = packOf(language).recommended?.columns ?? {};
  const find = (names: string | undefined, types: RegExp): number => {
    const said = new RegExp(`^(?:${names ?? '(?!)'})(?!\\p{L})`, 'iu');
    return columns.findIndex(({ name, type }) => types.test(type) && said.test(name));
  };
  const day = columns.findIndex(({ type }) => type === 'date');
  const [start, end] = [rows[0]?.start ?? 0, rows.at(-1)?.end ?? 0];
  const sums: { key: Sum['key']; by: number; at: number }[] = [
    { key: 'paid', by: find(payee, /text/u), at: find(paid, /amount/u) },
    { key: 'sum', by: find(of, /text/u), at: find(counted, /amount|number/u) },
  ];
  return sums.flatMap(({ key, by, at }): Sum[] => {
    const named = rows.filter(({ cells }) => isName(cells[by]) && typeof cells[at] === 'number');
    const groups = [...Map.groupBy(named, ({ cells }) => cells[by])];
    const [most] = groups.sort((a, b) => b[1].length - a[1].length);
    if (most === undefined || most[1].length < LEAST_ROWS) return [];
    const years = new Set(most[1].map(({ cells }) => String(cells[day] ?? '').slice(0, 4)));
    const column = (columns[at]?.name ?? '').split(' (', 1).join('').toLowerCase();
    const year = years.size === 1 ? [...years].join('') : null;
    return [{ key, column, value: String(most[0]), year, start, end }];
  });
}

const isName = (value: unknown): boolean =>
  typeof value === 'string' && /^\p{L}[\p{L} &'’.-]{3,29}$/u.test(value);
