import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../languages/index.ts';
import { rankPassages } from '../../ranking/rank.ts';
import type { Section } from '../../ranking/sections.ts';
import { draftQuestions } from '../drafts.ts';
import { chooseQuestions, recommendQuestions } from '../recommend.ts';
import { documentOf, findPassages, findSections } from '../../tests/library.test-setup.ts';
import type { TestFile } from '../../tests/library.test-setup.ts';
import type { LibraryDocument } from '../../documents/document.ts';

const FILES: TestFile[] = [
  {
    name: 'harbour-guide.txt',
    blocks: [
      {
        headings: ['Opening hours of the bridge'],
        text: 'The bridge opens at nine. The steel arch was painted red by volunteers.',
      },
      'The Harbour Bridge is a steel arch over the river.',
    ],
  },
  {
    name: 'museum-visit.txt',
    blocks: ['Ticket price: £12.50\nOpening date: 4 May 2024\nMuseum guide: Anna Lindqvist'],
  },
];

const libraryOf = (files: readonly TestFile[]): LibraryDocument[] =>
  files.map((file, i) => ({
    artifactId: `artifact-${i}`,
    fileName: file.name,
    ...documentOf(file),
  }));

const draftsOf = (text: string, name = 'notes-2024.txt', ...headings: string[]): string[] =>
  draftQuestions(libraryOf([{ name, blocks: [{ text, headings }] }])).map(
    ({ question }) => question,
  );

const LIBRARY_FILES = libraryOf(FILES);
const LIBRARY = draftQuestions(LIBRARY_FILES);

const askFiles = (files: readonly TestFile[]) => async (text: string) => findSections(files, text);
const findNothing = async () => [];

describe('draftQuestions', () => {
  test('labels of a form become questions that name the file', () => {
    const form = 'Invoice number: 2024-117\nTotal due: £412.00\nDue date: 8 June 2024';
    expect(draftsOf(form, 'invoice-hartmann.txt')).toEqual([
      'What is the invoice number in “invoice hartmann”?',
      'How much is the total due in “invoice hartmann”?',
      'What is the due date in “invoice hartmann”?',
      'What is “invoice hartmann” about?',
    ]);
  });

  test('columns of a table become questions about the row', () => {
    const rows = 'Name: Ingrid Solberg · Phone number: 555 0199 · Role: Treasurer';
    expect(draftsOf(rows, 'board-members.txt')).toContain(
      'What is the phone number of Ingrid Solberg in “board members”?',
    );
  });

  test('headings, names and frequent phrases become questions', () => {
    const text =
      'The heat pump runs at night. Olga Petrenko looks after the heat pump, and she reads the meter of the heat pump in spring.';
    expect(draftsOf(text, 'notes.txt', 'Winter maintenance plan')).toEqual(
      expect.arrayContaining([
        'What should I know about “Winter maintenance plan”?',
        'Who or what is Olga Petrenko?',
        'Where is “heat pump” mentioned?',
      ]),
    );
  });

  test.each([
    ['Open the valve with the small key.', 'How to bleed a radiator', 'How to bleed a radiator?'],
    [
      'Abra la válvula del radiador con la llave pequeña.',
      'Cómo purgar un radiador',
      '¿Cómo purgar un radiador?',
    ],
  ])('a heading that asks how something is done is the question: %s', (text, heading, question) => {
    expect(draftsOf(text, 'notes.txt', heading)).toContain(question);
  });

  test('secrets, sentences after a colon and repeated labels do not become questions', () => {
    const labels = (text: string): string[] =>
      draftsOf(text, 'house-notes.txt').filter((question) => !question.includes('house notes'));
    expect(labels('WiFi password: hunter2\nAlarm code: 7702\nIBAN: DE02 1203 0000')).toEqual([]);
    expect(labels('Reminder: please call back.\nWarning: do not touch it.')).toEqual([]);
    expect(labels('Anna: Hello\nBert: Hello\nAnna: Goodbye\nBert: Goodbye')).toEqual([]);
  });

  test('a file name from a camera is not part of a question', () => {
    expect(draftsOf('Ticket price: £12.50\nOpening date: 4 May 2024', 'IMG_2033.txt')).toEqual([]);
  });

  test('a language pack with templates has all of them, with all their placeholders', () => {
    const packs = LANGUAGES.flatMap(({ recommended: recommend }) => recommend ?? []);
    expect(packs.length).toBeGreaterThanOrEqual(12);
    for (const { title, amount, field, ofRow, how, ...others } of packs) {
      expect(how).not.toBe('');
      expect(title).toContain('{title}');
      for (const template of [amount, field])
        expect(template).toMatch(/\{\}.*\{title\}|\{title\}.*\{\}/u);
      expect(ofRow).toMatch(/\{\}.*\{row\}|\{row\}.*\{\}/u);
      for (const template of Object.values(others)) expect(template).toContain('{}');
      for (const template of [title, amount, field, ...Object.values(others)])
        expect(template).toMatch(/[?？؟]$/u);
    }
  });

  test('drafts of any text are short, and their sources are within the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('The Harbour Bridge was red. ', 'Due date: 8 June\n', 'Miete: 5 Euro\n'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        const library = libraryOf([{ name: 'a-file.txt', blocks: [text] }]);
        for (const { question, source } of draftQuestions(library)) {
          expect(question.length).toBeLessThanOrEqual(140);
          expect(source.start).toBeGreaterThanOrEqual(0);
          expect(source.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 100, examples: [[['İ', 'The Harbour Bridge was red. ']]] },
    );
  });
});

describe('recommendQuestions', () => {
  test('passages near the answer become questions, and cited ones do not', () => {
    const { question, passages } = findPassages(FILES, 'How high is the ticket price?');
    const ranked = rankPassages(question, passages);
    const questions = recommendQuestions(question, ranked, []);
    expect(questions.length).toBeGreaterThan(0);
    expect(questions.length).toBeLessThanOrEqual(3);
    const cited = LIBRARY_FILES.map(({ artifactId, text }) => ({
      artifactId,
      start: 0,
      end: text.length,
    }));
    expect(recommendQuestions(question, ranked, cited)).toEqual([]);
  });

  test('the question that was asked is not recommended', () => {
    const { question, passages } = findPassages(FILES, 'How much is the ticket price?');
    const ranked = rankPassages(question, passages);
    const questions = recommendQuestions(question, ranked, []).map((draft) => draft.question);
    expect(questions.filter((text) => text.includes('ticket price'))).toEqual([]);
  });
});

describe('chooseQuestions', () => {
  test('questions come from as many files as possible', async () => {
    const chosen = await chooseQuestions(LIBRARY, { limit: 2, ask: askFiles(FILES) });
    expect(new Set(chosen.map(({ artifactId }) => artifactId)).size).toBe(2);
  });

  test('only questions that find their own passage are recommended', async () => {
    expect(await chooseQuestions(LIBRARY, { limit: 3, ask: findNothing })).toEqual([]);
    const recommend = askFiles(FILES);
    const changed = (change: Partial<Section>) => async (text: string) =>
      (await recommend(text)).map((section) => ({ ...section, ...change }));
    expect(await chooseQuestions(LIBRARY, { limit: 3, ask: changed({}) })).not.toEqual([]);
    for (const change of [{ artifactId: 'another' }, { relevance: 0 }])
      expect(await chooseQuestions(LIBRARY, { limit: 3, ask: changed(change) })).toEqual([]);
  });

  test('up to a third of the questions are about the same kind of thing', async () => {
    const blocks = ['Invoice number: 2024-117\nSerial number: 88-PLX\nProject lead: Miriam Cole'];
    const files = [{ name: 'heating-notes.txt', blocks }];
    const drafts = draftQuestions(libraryOf(files));
    const chosen = await chooseQuestions(drafts, { limit: 3, ask: askFiles(files) });
    expect(chosen.filter(({ question }) => question.startsWith('What is the'))).toHaveLength(1);
  });

  test('preferred questions come first, and no other is lost', async () => {
    const ask = askFiles(FILES);
    const plain = await chooseQuestions(LIBRARY, { limit: 6, ask });
    expect(await chooseQuestions(LIBRARY, { limit: 6, ask, prefer: () => 0 })).toEqual(plain);
    for (const kind of ['amount', 'date', 'heading'] as const) {
      const [first, ...others] = await chooseQuestions(LIBRARY, {
        limit: 6,
        ask,
        prefer: ({ subject }) => Number(subject === kind),
      });
      const draft = LIBRARY.find(({ question }) => question === first?.question);
      expect(draft?.subject).toBe(kind);
      expect(others.length + 1).toBeGreaterThanOrEqual(plain.length);
    }
  });

  test('a preferred question that finds nothing is left out', async () => {
    const options = { limit: 3, ask: findNothing, prefer: () => 1 };
    expect(await chooseQuestions(LIBRARY, options)).toEqual([]);
  });

  test('questions of a preferred file come first', async () => {
    const last = LIBRARY_FILES.at(-1)?.artifactId;
    const prefer = ({ artifactId }: { artifactId: string }): number => Number(artifactId === last);
    const [first] = await chooseQuestions(LIBRARY, { limit: 3, ask: askFiles(FILES), prefer });
    expect(first?.artifactId).toBe(last);
  });
});
