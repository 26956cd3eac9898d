import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDates } from '../dates.ts';
import { analyzeQuestion, readQuestion } from '../../question/question.ts';
import { mayNameFiles } from '../names.ts';
import { normalizeQuestion, readScope } from '../scope.ts';

/** A Friday in both Berlin and Los Angeles. */
const now = new Date('2026-11-20T11:00:00Z');
const options = { now, timeZone: 'Europe/Berlin', languages: ['en', 'de', 'ru'], names: null };

const PIECES =
  `March|2026|14| in |Q2|“|”|.pdf|last week|I uploaded|月|since |31.12.|99/99/9999|between|and
what did I add|файлы|ماذا رفعت|先週|_-|before |5 |until`.split(/[|\n]/u);

const rangesOf = (text: string): [number, number][] =>
  readScope(text, options).dates.map(({ range: { from, to } }) => [from, to]);

describe('dates in a text', () => {
  test.each([
    ['2026-03-14'],
    ['14.03.2026'],
    ['03/14/2026'],
    ['20260314'],
    ['14 March 2026'],
    ['March 14th, 2026'],
    ['14 mars 2026'],
    ['14 de marzo de 2026'],
    ['14. März 2026'],
    ['14 марта 2026'],
    ['2026年3月14日'],
    ['14 مارس 2026'],
  ])('the date is found: %s', (text) => {
    const languages = ['en', 'de', 'fr', 'es', 'ru', 'ar'];
    for (const around of [text, `Paid: ${text}.`, `scan_${text}_a.pdf`]) {
      const [mention] = findDates(around, languages);
      expect(mention).toMatchObject({ year: 2026, months: [3, 3], day: 14 });
      expect(around.slice(mention?.start, mention?.end)).toContain('14');
    }
  });

  test.each([
    'We may march on',
    'Total due: 365.00',
    'in the 1980s',
    'fall asleep',
    '3 marbles',
    'a fee of $2000',
    'a peak of 1800 m',
    'the Winter Palace and the Summer Olympics',
    'the fall of Rome',
    'When did Theresa May resign?',
    '31.02.2026',
  ])('there is no date: %s', (text) => {
    expect(findDates(text, ['en', 'fr'])).toEqual([]);
  });

  test.each<[string, [number, number]]>([
    ['the report of 2010-12', [12, 12]],
    ['der Umsatz im 2. Quartal 2025', [4, 6]],
    ['第三季度', [7, 9]],
    ['the second half of 2026', [7, 12]],
    ['in the summer', [6, 8]],
  ])('the months are found: %s', (text, months) => {
    expect(findDates(text, ['en'])[0]).toMatchObject({ months });
  });

  test('03/04/2026 is read in both orders', () => {
    expect(findDates('03/04/2026', ['en'])[0]).toMatchObject({
      months: [3, 3],
      day: 4,
      swapped: { month: 4, day: 3 },
    });
  });
});

describe('dates in a question', () => {
  test.each<[string, [number, number]]>([
    ['the invoice from March', [20260301, 20260331]],
    ['the invoice from December', [20251201, 20251231]],
    ['rent in 2023', [20230101, 20231231]],
    ['the meeting on 14 March', [20260314, 20260314]],
    ["last summer's trip", [20260601, 20260831]],
    ['the Q2 report', [20260401, 20260630]],
    ['Was war am 3. Mai?', [20260503, 20260503]],
    ['Rechnung vom März letzten Jahres', [20250301, 20250331]],
    ['счёт в марте 2024', [20240301, 20240331]],
    ['2024年3月の請求書', [20240301, 20240331]],
    ['去年の夏の旅行', [20250601, 20250831]],
    ['الفاتورة في مارس', [20260301, 20260331]],
    ['what happened yesterday', [20261119, 20261119]],
    ['the meeting last week', [20261109, 20261115]],
    ['what was said 3 days ago', [20261117, 20261117]],
    ['the day before yesterday', [20261118, 20261118]],
    ['Was war vor zwei Wochen?', [20261102, 20261108]],
    ['Что решили в среду?', [20261118, 20261118]],
    ['지난주 회의', [20261109, 20261115]],
    ['What did we decide on Monday?', [20261116, 20261116]],
    ['Qu’est-ce que j’ai payé hier ?', [20261119, 20261119]],
  ])('the question has a date: %s', (text, range) => {
    expect(rangesOf(text)).toEqual([range]);
  });

  test.each(['What happened on Bloody Sunday?', 'Was kostet das hier?'])(
    'the question has no date: %s',
    (text) => {
      expect(rangesOf(text)).toEqual([]);
    },
  );

  test('a day of the week is also a search term', () => {
    const { terms } = readQuestion('What did we decide on Monday?', options);
    expect(terms.find(({ surface }) => surface === 'Monday')?.weight).toBeGreaterThanOrEqual(1);
  });

  test.each<[string, [string, string]]>([
    ['What did I upload since Tuesday?', ['2026-11-17', '2026-11-21']],
    ['Which files did I add from 28 October to 3 November?', ['2026-10-28', '2026-11-04']],
    ['What did I upload from March to May 2024?', ['2024-03-01', '2024-06-01']],
    ['What did I upload between March and May 2024?', ['2024-03-01', '2024-06-01']],
    ['What did I upload before October?', ['1970-01-01', '2026-10-01']],
    ['What did I upload after 3 November?', ['2026-11-04', '2026-11-21']],
    ['What did I upload after February 2026?', ['2026-03-01', '2026-11-21']],
    ['the pictures from last weekend', ['2026-11-14', '2026-11-16']],
    ['What did I upload in the last 7 days?', ['2026-11-13', '2026-11-21']],
  ])('the question has a period: %s', (text, [from, to]) => {
    const scope = readScope(text, { ...options, timeZone: 'UTC' }).files;
    expect(scope.list).not.toBeNull();
    expect(scope.uploaded).toEqual([{ from: new Date(from), to: new Date(to) }]);
  });

  test.each([
    'What did I upload in March and in May?',
    'Welche Dateien habe ich im März und im Mai hochgeladen?',
  ])('the question has two months, without the one between them: %s', (text) => {
    const { uploaded } = readScope(text, { ...options, timeZone: 'UTC' }).files;
    expect(uploaded).toEqual([
      { from: new Date('2026-03-01'), to: new Date('2026-04-01') },
      { from: new Date('2026-05-01'), to: new Date('2026-06-01') },
    ]);
  });

  test('yesterday is a day of the user’s time zone', () => {
    const late = { ...options, now: new Date('2026-11-20T01:30:00Z') };
    const inZone = (timeZone: string) =>
      readScope('Which files did I upload yesterday?', { ...late, timeZone }).files.uploaded;
    expect(inZone('Europe/Berlin')).toEqual([
      { from: new Date('2026-11-18T23:00:00Z'), to: new Date('2026-11-19T23:00:00Z') },
    ]);
    expect(inZone('America/Los_Angeles')).toEqual([
      { from: new Date('2026-11-18T08:00:00Z'), to: new Date('2026-11-19T08:00:00Z') },
    ]);
  });

  test('a month ends with its last day, even if the clocks change', () => {
    expect(readScope('What did I upload in February 2026?', options).files.uploaded).toEqual([
      { from: new Date('2026-01-31T23:00:00Z'), to: new Date('2026-02-28T23:00:00Z') },
    ]);
    expect(readScope('What did I upload in October?', options).files.uploaded).toEqual([
      { from: new Date('2026-09-30T22:00:00Z'), to: new Date('2026-10-31T23:00:00Z') },
    ]);
  });
});

describe('questions about uploads', () => {
  test.each([
    ['What did I upload last week?', []],
    ['files from yesterday', []],
    ['What was the last file I uploaded?', []],
    ['which documents did I add in October?', []],
    ['List my spreadsheets', ['spreadsheet']],
    ['What files are from yesterday?', []],
    ['the photos of May', ['picture']],
    ['Welche Bilder habe ich gestern hochgeladen?', ['picture']],
    ['Zeig mir meine PDFs', ['pdf']],
    ['昨日アップロードした写真は？', ['picture']],
    ['写真は何枚ありますか？', ['picture']],
    ['What did we add to the library last week?', []],
  ])('the question asks for files: %s', (text, kinds) => {
    const { list, kinds: readKinds } = readScope(text, options).files;
    expect(list).not.toBeNull();
    expect(readKinds).toEqual(kinds);
  });

  test.each([
    'What is the upload speed?',
    'Who added the clause about pets?',
    'What was added in version 4?',
    'How many documents were signed in May?',
    'Which file format does the camera use?',
    'Where are the files of the case stored?',
    'Was kostet der Upload?',
    'Was ist das Dokument?',
    'What was the presentation on 3 May?',
    'What is in the pictures?',
    'What does the picture show?',
    'What images are in the presentation?',
    'Which file is it in?',
    'How do I upload a file?',
    'What photos did we add to the album last week?',
    'How much did I save last year?',
    'How many photos were uploaded to the site in 2015?',
  ])('the question does not ask for files: %s', (text) => {
    expect(readScope(text, options).files).toMatchObject({ list: null, uploaded: [], kinds: [] });
  });

  test('the upload date is distinguished from the date that the question is about', () => {
    const text = 'What does the PDF I added on Monday say about the meeting on 3 May?';
    const scope = readScope(text, options);
    expect(scope.files).toMatchObject({ list: null, kinds: ['pdf'] });
    expect(scope.files.uploaded[0]?.from).toEqual(new Date('2026-11-15T23:00:00Z'));
    expect(scope.dates.map(({ range }) => range.from)).toEqual([20260503]);
  });
});

describe('complete questions', () => {
  test('a question that does not mention files is analyzed as usual', () => {
    const text = 'Which enzyme breaks down sugars in the human body?';
    expect(mayNameFiles(text)).toBe(false);
    expect(readQuestion(text, options)).toEqual(analyzeQuestion(text, options.languages));
  });

  test('words about the upload have little weight if there are other words', () => {
    const { terms } = readQuestion('What is the rent in the PDF I uploaded last week?', options);
    const weightOf = (word: string) => terms.find(({ surface }) => surface === word)?.weight ?? 0;
    expect(weightOf('rent')).toBe(1);
    expect(weightOf('uploaded')).toBeLessThan(0.1);
    expect(weightOf('week')).toBeLessThan(0.1);
  });

  test('any text is analyzed, and every span is within it', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(...PIECES),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        // Offsets refer to the normalized text, whose length may differ.
        const text = normalizeQuestion(pieces.join(' '));
        const scope = readScope(text, options);
        const spans = [...scope.dates, ...scope.asides];
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
        for (const { range } of scope.dates) expect(range.from).toBeLessThanOrEqual(range.to);
        const { from, to } = scope.files.uploaded[0] ?? { from: now, to: Infinity };
        expect(Number(from)).toBeLessThan(Number(to));
        readQuestion(text, options);
      }),
    );
  });
});
