import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNameIndex, matchNames, readNames } from './scope-names.ts';
import { unfoundTerms } from './scope-typos.ts';
import { analyzeQuestion } from './question.ts';

const NAMES = [
  'budget.xlsx',
  'Household Budget.xlsx',
  'Meyer_contract-2024.pdf',
  'contract Okafor.docx',
  'contract Lindgren.docx',
  'trip notes.md',
  'Floor Plan.pdf',
  'Mietvertrag Köln.pdf',
  'договор_гаража.txt',
  '議事録_10月.md',
  'فاتورة-مارس.txt',
];
const index = createNameIndex(NAMES.map((fileName) => ({ id: fileName, fileName })));
const match = (text: string) => matchNames(index, text, readNames(text));

describe('files that a question names', () => {
  test.each([
    ['What is planned in budget.xlsx?', 'budget.xlsx'],
    ['What is planned in BUDGET.XLS?', 'budget.xlsx'],
    ['What is planned in household_budget.xlsx?', 'Household Budget.xlsx'],
    ['How large is the kitchen in floor plan.pdf?', 'Floor Plan.pdf'],
    ['What does the Meyer contract say about notice?', 'Meyer_contract-2024.pdf'],
    ['According to the trip notes, where did we stay?', 'trip notes.md'],
    ['Where did we stay, according to “Trip-Notes”?', 'trip notes.md'],
    ['Was steht im Mietvertrag Koln über Haustiere?', 'Mietvertrag Köln.pdf'],
    ['Что сказано в файле договор гаража о ключах?', 'договор_гаража.txt'],
    ['議事録_10月によると、倉庫はどこですか？', '議事録_10月.md'],
    ['ما المبلغ في ملف فاتورة مارس؟', 'فاتورة-مارس.txt'],
  ])('%s', (text, name) => {
    const { named, spans } = match(text);
    expect(named).toEqual([name]);
    expect(new Set(spans.flatMap(({ fileNames }) => fileNames))).toEqual(new Set([name]));
  });

  test('a word that several files have in their names only hints at them', () => {
    expect(match('What does the contract say about notice?')).toEqual({
      named: [],
      hinted: expect.arrayContaining(['contract Okafor.docx', 'contract Lindgren.docx']),
      spans: [],
    });
  });

  test.each([
    'What is planned in budget2099.xlsx?',
    'What does the Kowalski report say?',
    'In which year was the bridge built?',
    'Who wrote “The Waste Land”?',
  ])('none: %s', (text) => {
    expect(match(text)).toEqual({ named: [], hinted: [], spans: [] });
  });

  test('any name is found again by itself in quotation marks', () => {
    const sign = fc.constantFrom(...'aB7é ü_-.xЖ水م');
    const name = fc.string({ unit: sign, minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(name, (fileName) => {
        const stem = fileName.replace(/\.[^.]*$/u, '');
        fc.pre(/[\p{L}\p{N}]/u.test(stem) && fileName.trim() === fileName);
        const own = createNameIndex([{ id: 'one', fileName }]);
        const text = `What does "${fileName}" say?`;
        expect(matchNames(own, text, readNames(text)).named).toEqual(['one']);
      }),
    );
  });
});

describe('words that may be misspelt', () => {
  const passages = [
    { text: 'The lighthouse keeper lived alone.', fileName: 'a.txt', headings: [] },
  ];
  const unfound = (text: string) => unfoundTerms(analyzeQuestion(text, ['en']), passages);

  test('only names and content words that no passage has', () => {
    expect(unfound('Who kept the lihgthouse?')).toEqual(['lihgthous']);
    expect(unfound('Did the keepers of lighthouses live alone?')).toEqual([]);
    expect(unfound('Who is it?')).toEqual([]);
  });
});
