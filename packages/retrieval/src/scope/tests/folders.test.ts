import { describe, expect, test } from 'vitest';
import { analyzeQuestion, readQuestion } from '../../question/question.ts';
import { createNameIndex, filesBelow, foldersOf, mayNameFiles } from '../names.ts';

const PATHS = [
  'Papers/tax/2025/notice.pdf',
  'Papers/tax/2024/notice.pdf',
  'Papers/tax/2025/receipts/dentist.pdf',
  'Papers/Bank statements/2025/march.pdf',
  'Papiere/Steuer/2025/Bescheid.pdf',
  'Papiers/Impôts/2025/avis.pdf',
  'Home/Photos/2025/garden.jpg',
  'Бумаги/налоги/2025/справка.pdf',
  'by hand.txt',
];
const names = createNameIndex(
  PATHS.map((path) => ({
    id: path,
    fileName: path.slice(path.lastIndexOf('/') + 1),
    path: path.includes('/') ? path : null,
  })),
);
const options = {
  now: new Date('2026-11-20T11:00:00Z'),
  timeZone: 'UTC',
  languages: ['en', 'de'],
  names,
};
const namedIn = (text: string): readonly string[] => readQuestion(text, options).files.named;

const TAX_2025 = [PATHS[0], PATHS[2]];

describe('questions for the files of a folder', () => {
  test.each<[string, string[]]>([
    ['Which files are in tax/2025?', []],
    ['What is in tax/2025?', []],
    ['What is in the folder tax?', []],
    ['List the files in my tax folder', []],
    ['Show me all documents in Papers/tax', []],
    ['How many files are in the folder tax/2025?', []],
    ['Which PDFs are in tax/2025?', ['pdf']],
    ['Welche Dateien sind im Ordner Steuer?', []],
    ['Was ist in Papiere/Steuer?', []],
    ['Quels fichiers sont dans le dossier Impôts ?', []],
  ])('the answer is a file list: %s', (text, kinds) => {
    expect(readQuestion(text, options).files).toMatchObject({ list: { newest: false }, kinds });
  });

  test.each([
    'What do I owe in tax/2025?',
    'What does tax/2025 say?',
    'Summarize the folder tax/2025',
    'How much is the additional payment in tax/2025?',
    'Which files are in soup/2025?',
    'What is tax/2025 about?',
  ])('the answer is not a file list: %s', (text) => {
    expect(readQuestion(text, options).files.list).toBeNull();
  });
});

describe('folders that a question names', () => {
  test.each<[string, (string | undefined)[]]>([
    ['What do I owe in tax/2025?', TAX_2025],
    ['What do I owe in TAX / 2025?', []],
    ['What do I owe, tax/2025/?', TAX_2025],
    ['What do I owe in the folder tax/2025?', TAX_2025],
    ['What does the notice in Papers/tax say?', PATHS.slice(0, 3)],
    ['What was paid in Bank statements/2025 in March?', [PATHS[3]]],
    ['What was paid in March, by bank-statements/2025?', [PATHS[3]]],
    ['What grows in the folder Photos?', [PATHS[6]]],
    ['What is in my bank statements folder about rent?', [PATHS[3]]],
    ['What is in the directory “bank statements” about rent?', [PATHS[3]]],
    ['Was steht im Ordner Steuer/2025 über Fristen?', [PATHS[4]]],
    ['Que dit l’avis dans le dossier impots ?', [PATHS[5]]],
    ['Сколько я заплатил по справке в папке налоги?', [PATHS[7]]],
    ['Compare the notices of tax/2024 and tax/2025', [PATHS[1], ...TAX_2025]],
    ['What does tax/2024/notice.pdf say?', [PATHS[1]]],
    ['What does notice.pdf in the folder tax/2024 say?', [PATHS[1]]],
  ])('the question names its folders: %s', (text, paths) => {
    expect(namedIn(text).toSorted()).toEqual(paths.toSorted());
  });

  test.each([
    'What do I owe in 2025/tax?',
    'What is in Papers/2025?',
    'What is the speed in km/h, and/or in m/s?',
    'Which folder holds the photos of 2025?',
    'What is open 24/7?',
    'What does Papers/2025/notice.pdf say?',
    'What do I owe in tax?',
  ])('the question names no folder: %s', (text) => {
    expect(namedIn(text)).toEqual([]);
  });

  test('a date in a folder name is not a date of the question, and its words have little weight', () => {
    const text = 'What does the dentist get in the folder receipts/May 2025?';
    const index = createNameIndex([{ id: 'one', fileName: 'a', path: 'receipts/May 2025/a' }]);
    const bare = createNameIndex([{ id: 'one', fileName: 'a' }]);
    const question = readQuestion(text, { ...options, names: index });
    expect(question.dates).toEqual([]);
    const weightOf = (word: string) =>
      question.terms.find(({ surface }) => surface === word)?.weight ?? 0;
    expect(weightOf('dentist')).toBe(1);
    for (const word of ['folder', 'receipts', '2025']) expect(weightOf(word)).toBeLessThan(0.1);
    expect(readQuestion(text, { ...options, names: bare }).dates).toHaveLength(1);
  });

  test('without paths the analysis is the same as without a name index', () => {
    const bare = createNameIndex([{ id: 'one', fileName: 'a.pdf' }]);
    const text = 'What do I owe in tax/2025?';
    expect(mayNameFiles(text)).toBe(true);
    expect(readQuestion(text, { ...options, names: bare })).toEqual(
      analyzeQuestion(text, options.languages),
    );
    expect(mayNameFiles('What do I owe?')).toBe(false);
    expect(readQuestion('What do I owe?', options)).toEqual(
      analyzeQuestion('What do I owe?', options.languages),
    );
  });
});

test('thousands of files of one folder are found', () => {
  const index = createNameIndex(
    Array.from({ length: 20_000 }, (_, i) => ({
      id: `${i}`,
      fileName: 'a',
      path: `Home/${i % 100}/a/${i}.txt`,
    })),
  );
  expect(filesBelow(index, 'home')).toHaveLength(20_000);
  expect(filesBelow(index, '7/a')).toHaveLength(200);
  expect(filesBelow(index, '7/b')).toEqual([]);
  expect(filesBelow(index, '7//a')).toEqual([]);
});

test('the folder names of a path are words, without the file name', () => {
  expect(foldersOf('Papers/tax/2025/notice.pdf')).toBe('Papers tax 2025');
  expect(foldersOf('notice.pdf')).toBe('');
  expect(foldersOf(null)).toBe('');
});
