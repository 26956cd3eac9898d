import { expect, test } from 'vitest';
import { documentOf } from '../../tests/library.test-setup.ts';
import { recordsOf } from '../records.ts';

const fieldsIn = (name: string, text: string, kind: 'invoice' | 'letter', language: string) =>
  recordsOf(documentOf({ name, blocks: [text] }), {
    artifactId: 'a',
    fileName: name,
    kind,
    language,
  }).find(({ fields }) => fields);

test.each([
  [
    'en',
    'Invoice number: 2024-117\nInvoice date: 9 May 2024\nTotal due: £438.00',
    { 'Invoice number': '2024-117', 'Invoice date': '2024-05-09', 'Total due': 438 },
  ],
  [
    'de',
    'Rechnungsdatum: 17.06.2024\nKunde: Familie Schneider\nGesamtbetrag: 1.173,34 €',
    { Rechnungsdatum: '2024-06-17', Kunde: 'Familie Schneider', Gesamtbetrag: 1173.34 },
  ],
])('the labels of an invoice in %s become the columns of a record', (language, text, row) => {
  const table = fieldsIn('invoice.txt', text, 'invoice', language);
  const cells = table?.columns.map(({ name }, i) => [name, table.rows[0]?.cells[i]]);
  expect(Object.fromEntries(cells ?? [])).toEqual(row);
  const { start, end } = table?.rows[0] ?? {};
  expect(text.slice(start, end)).toBe(text.split('\n').at(-1));
});

test('a letter has no record of fields', () => {
  expect(fieldsIn('a.txt', 'Total due: £438.00', 'letter', 'en')).toBeUndefined();
});

test('the rows of a table are typed, and total rows are left out', () => {
  const text =
    'Date\tItem\tAmount\n2024-05-01\tTea\t2,50 €\n2024-05-02\tRent\t1.250,00 €\nTotal\t\t1.252,50 €';
  const segment = {
    start: 0,
    end: text.length,
    location: {},
    headings: [],
    kind: 'table' as const,
  };
  const [table] = recordsOf(
    { text, segments: [segment] },
    { artifactId: 'a', fileName: 'a.csv', kind: null, language: 'de' },
  );
  expect(table?.columns).toEqual([
    { name: 'Date', type: 'date', unit: null },
    { name: 'Item', type: 'text', unit: null },
    { name: 'Amount', type: 'amount', unit: 'EUR' },
  ]);
  expect(table?.rows.map(({ cells }) => cells)).toEqual([
    ['2024-05-01', 'Tea', 2.5],
    ['2024-05-02', 'Rent', 1250],
  ]);
});
