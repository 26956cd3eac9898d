import { expect, test } from 'vitest';
import { askRecords, describeTables, type RecordQuery } from '../ask-records.ts';
import type { RecordTable } from '../../documents/document.ts';

function table(name: string, unit: string, rows: readonly (readonly [string, string, number])[]) {
  return {
    artifactId: `id of ${name} ${unit}`,
    fileName: `${name}-${unit}.csv`,
    ordinal: 0,
    name,
    fields: false,
    columns: [
      { name: 'Date', type: 'date', unit: null },
      { name: 'Category', type: 'text', unit: null },
      { name: 'Amount', type: 'amount', unit },
    ],
    rows: rows.map((cells, i) => ({
      cells: [...cells],
      start: 20 * i,
      end: 20 * i + 19,
    })),
  } satisfies RecordTable;
}

const account = table('Account', 'EUR', [
  ['2024-01-05', 'Food', 20.1],
  ['2024-01-20', 'Rent', 900],
  ['2024-02-03', 'food', 30.2],
  ['2023-12-31', 'Food', 99],
]);
const second = table('Account', 'GBP', [['2024-03-01', 'Food', 5]]);

const ask = (query: RecordQuery, tables: readonly RecordTable[] = [account]) =>
  askRecords(query, tables);
const in2024 = [
  { column: 'Date', is: 'from', value: '2024-01-01' },
  { column: 'Date', is: 'to', value: '2024' },
] as const;
const food = { column: 'Category', is: 'equal', value: 'Food' } as const;

test.each([
  [
    'a sum of some rows',
    { operation: 'sum', column: 'Amount', where: [food, ...in2024] },
    '50.3 EUR, over 2 rows',
  ],
  [
    'an average',
    { operation: 'average', column: 'amount', where: [food] },
    '49.766667 EUR, over 3 rows',
  ],
  ['the largest', { operation: 'largest', column: 'Amount' }, '900 EUR, over 4 rows'],
  [
    'the smallest',
    { operation: 'smallest', column: 'Amount', where: [...in2024] },
    '20.1 EUR, over 3 rows',
  ],
  ['a count', { operation: 'count', table: 'account', where: [food] }, ': 3 rows'],
  ['a count of other rows', { operation: 'count', where: [{ ...food, is: 'not' }] }, ': 1 row'],
] as const)('the query returns %s', (_, query, text) => {
  expect(ask(query)).toMatchObject({ text: expect.stringContaining(text) });
});

test('the rows of a result are listed with their offsets', () => {
  const answer = ask({ operation: 'largest', column: 'Amount' });
  expect(answer).toMatchObject({
    text: 'largest of Amount: 900 EUR, over 4 rows\n- Date: 2024-01-20; Category: Rent; Amount: 900 (Account-EUR.csv)',
    rows: [{ artifactId: 'id of Account EUR', start: 20, end: 39 }],
  });
});

test('a sum is grouped by month', () => {
  const answer = ask({ operation: 'sum', column: 'Amount', where: [...in2024], by: 'month' });
  expect(answer).toMatchObject({
    text: 'sum of Amount where Date from 2024-01-01 and Date to 2024 by month: 950.3 EUR, over 3 rows\n- 2024-01: 920.1 EUR\n- 2024-02: 30.2 EUR',
  });
});

test.each([
  ['of an unknown table', { operation: 'count', table: 'Loans' }, /no table 'Loans'/u],
  ['of an unknown column', { operation: 'sum', column: 'Weight' }, /No table has Weight/u],
  ['without a column', { operation: 'sum' }, /Name the column/u],
  ['over text', { operation: 'sum', column: 'Category' }, /no row has a number/u],
  ['over two currencies', { operation: 'sum', column: 'Amount' }, /different units \(EUR, GBP\)/u],
] as const)('the response explains why there is no result for a query %s', (_, query, problem) => {
  expect(ask(query, [account, second])).toEqual({ problem: expect.stringMatching(problem) });
});

test('tables are described, and those with the same columns together', () => {
  expect(describeTables([account, second])).toBe(
    '- Account (2 tables, 5 rows): Date (date); Category (text); Amount (amount, EUR)',
  );
});
