import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNameIndex, findNames } from '../names.ts';

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
  '日本.txt',
];
const index = createNameIndex(NAMES.map((fileName) => ({ id: fileName, fileName })));
const match = (text: string) => findNames(index, text);

describe('files that a question names', () => {
  test.each([
    ['What is planned in budget.xlsx?', 'budget.xlsx'],
    ['What is planned in BUDGET.XLS?', 'budget.xlsx'],
    ['What is planned in household_budget.xlsx?', 'Household Budget.xlsx'],
    ['How large is the kitchen in floor plan.pdf?', 'Floor Plan.pdf'],
    ['When is notice due in Meyer-contract_2024?', 'Meyer_contract-2024.pdf'],
    ['According to the trip notes, where did we stay?', 'trip notes.md'],
    ['Where did we stay, according to “Trip-Notes”?', 'trip notes.md'],
    ['Que dit « Floor Plan » sur la cuisine ?', 'Floor Plan.pdf'],
    ['Was steht im Mietvertrag Koln über Haustiere?', 'Mietvertrag Köln.pdf'],
    ['Что сказано в файле договор гаража о ключах?', 'договор_гаража.txt'],
    ['ما المبلغ في ملف فاتورة مارس؟', 'فاتورة-مارس.txt'],
  ])('the question names a file: %s', (text, name) => {
    expect(match(text).named).toEqual([name]);
  });

  test.each([
    'Where did we stay, according to the budget?',
    'Who coined the word “budget”?',
    'What does the contract say about notice?',
  ])('an ambiguous name does not name a file: %s', (text) => {
    expect(match(text).named).toEqual([]);
  });

  test('thousands of files with one name are found quickly', () => {
    const files = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, fileName: 'a b.pdf' }));
    const index = createNameIndex(files);
    const text = 'a b.pdf '.repeat(37);
    const { named } = findNames(index, text);
    expect(named).toHaveLength(files.length);
  });

  test.each([
    'What is planned in budget2099.xlsx?',
    'What does the Kowalski report say?',
    'In which year was the bridge built?',
    'What did the United States plan to build?',
    'Who wrote “The Waste Land”?',
  ])('the question names no file: %s', (text) => {
    expect(match(text)).toEqual({ named: [], files: [], folders: [] });
  });

  test('any quoted name is found', () => {
    const character = fc.constantFrom(...'aB7é ü_-.xЖ水م');
    const name = fc.string({ unit: character, minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(name, (fileName) => {
        const stem = fileName.replace(/\.[^.]*$/u, '');
        fc.pre(/[\p{L}\p{N}]/u.test(stem) && fileName.trim() === fileName);
        const nameIndex = createNameIndex([{ id: 'one', fileName }]);
        const text = `What is said in "${fileName}"?`;
        expect(findNames(nameIndex, text).named).toEqual(['one']);
      }),
    );
  });
});
