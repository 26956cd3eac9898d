import { expect, test } from 'vitest';
import { analyzeQuestion } from '../../question/question.ts';
import { recordsOf } from '../../documents/records.ts';
import { documentOf } from '../../testing.ts';
import type { Material } from '../material.ts';
import { answerRows } from '../rows.ts';

const HEAD = 'Date\tShop\tCategory\tPaid out\tPaid';

const file = (fileName: string, rows: readonly string[]) =>
  recordsOf(
    documentOf({ name: fileName, blocks: [{ text: [HEAD, ...rows].join('\n'), kind: 'table' }] }),
    { artifactId: fileName, fileName, kind: null, language: 'en' },
  );

const ACCOUNT = [
  '2024-01-05\tGreen Corner\tfood\t€20.10\tyes',
  '2024-01-20\tHarbour Rents\trent\t€900.00\tyes',
  '2024-02-03\tGreen Corner\tfood\t€30.20\tno',
  '2023-12-31\tGreen Corner\tfood\t€99.00\tyes',
];

function ask(text: string, ...tables: ReturnType<typeof file>[]) {
  const material: Material = {
    question: analyzeQuestion(text, ['en']),
    ranked: [],
    librarySize: 50,
    documents: new Map(),
    files: [],
    tables: tables.flat(),
    today: '2024-06-01',
  };
  return answerRows(material);
}

const account = file('account.csv', ACCOUNT);

test.each([
  ['How much did we spend at Green Corner in total?', 'sum', 149.3],
  ['how many food rows', 'count', 3],
  ['average paid out for food', 'average', 49.766667],
  ['which shop got the largest paid out?', 'largest', 900],
  ['list all food over 25 euros', 'count', 2],
  ['which food is not paid', 'count', 1],
])('%s', (question, operation, value) => {
  expect(ask(question, account)?.computed).toMatchObject({ operation, value });
});

test('a copy of a file counts once', () => {
  const copy = file('account (old copy).csv', ACCOUNT.slice(1));
  const answer = ask('How much did we spend at Green Corner in total?', copy, account);
  expect(answer?.computed?.value).toBe(149.3);
  expect(answer?.citations.map(({ fileName }) => fileName)).not.toContain('account (old copy).csv');
});

test.each([
  ['two currencies', [account, file('b.csv', ['2024-03-01\tGreen Corner\tfood\t£5.00\tyes'])]],
  [
    'what cannot be read',
    [file('b.csv', [...ACCOUNT, '2024-03-01\tGreen Corner\tfood\tabout 5\tyes'])],
  ],
])('no figure over %s', (_, tables) => {
  expect(ask('How much did we spend at Green Corner in total?', ...tables)).toBeNull();
});

test.each(['Which food is not from Green Corner?', 'Why did we pay the rent?', 'Who is our vet?'])(
  'is silent: %s',
  (question) => {
    expect(ask(question, account)).toBeNull();
  },
);
