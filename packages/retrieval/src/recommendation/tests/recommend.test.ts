import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankPassages } from '../../ranking/rank.ts';
import type { Section } from '../../ranking/sections.ts';
import { draftQuestions } from '../drafts.ts';
import { questionType } from '../../question/question.ts';
import { chooseQuestions, recommendQuestions } from '../recommend.ts';
import type { Preference } from '../recommend.ts';
import { documentOf, findPassages, findSections } from '../../testing.ts';
import type { TestFile } from '../../testing.ts';
import type { LibraryDocument } from '../../documents/document.ts';

const FILES: TestFile[] = [
  {
    name: 'harbour.txt',
    blocks: [
      'The Harbour Bridge was built in 1931. The Harbour Bridge is a steel arch over the river. It was painted red by volunteers.',
    ],
  },
  {
    name: 'museum.txt',
    blocks: [
      'The Harbour Museum is located in the old customs house. Anna Lindqvist was a painter who gave it her pictures.',
    ],
  },
];

const libraryOf = (files: readonly TestFile[]): LibraryDocument[] =>
  files.map((file, i) => ({
    artifactId: `artifact-${i}`,
    fileName: file.name,
    ...documentOf(file),
  }));

const draftsOf = (text: string, name = 'notes.txt'): string[] =>
  draftQuestions(libraryOf([{ name, blocks: [text] }])).map(({ question }) => question);

const LIBRARY_FILES = libraryOf(FILES);
const LIBRARY = draftQuestions(LIBRARY_FILES);

const asking = (files: readonly TestFile[]) => async (text: string) => findSections(files, text);
const findNothing = async () => [];

describe('drafts', () => {
  test.each([
    [
      'The Harbour Bridge was opened to the public in 1931.',
      'When was the Harbour Bridge opened to the public?',
    ],
    [
      'On 4 May 1998, the city council sold the old mill.',
      'What did the city council do on 4 May 1998?',
    ],
    ['The monthly premium is €18.40.', 'How much is the monthly premium?'],
    ['The membership fee costs 96 euros a year.', 'How much does the membership fee cost?'],
    ['Grace Hopper, the director of the laboratory, retired.', 'Who is Grace Hopper?'],
    [
      'The annual meeting was postponed because the hall had burnt.',
      'Why was the annual meeting postponed?',
    ],
    [
      'To reset the heating controller, press both buttons.',
      'How do I reset the heating controller?',
    ],
    ['Security deposit: £1,725', 'How much is the security deposit?'],
    ['Project lead: Miriam Cole', 'Who is the project lead?'],
    [
      'Name: Ingrid Solberg · Phone number: 555 0199',
      'What is the phone number of Ingrid Solberg?',
    ],
    [
      'Der Ruderverein Blauwasser wurde am 3. Mai 1921 gegründet.',
      'Wann wurde der Ruderverein Blauwasser gegründet?',
    ],
    [
      'Am 1. Juli 2024 beginnt das neue Mietverhältnis in der Stadt.',
      'Wann beginnt das neue Mietverhältnis in der Stadt?',
    ],
    [
      'Die Kündigungsfrist für die Wohnung beträgt drei Monate.',
      'Wie lang ist die Kündigungsfrist für die Wohnung?',
    ],
    [
      'Um den Filter auszutauschen, drehen Sie den Deckel nach links.',
      'Wie kann man den Filter austauschen?',
    ],
    [
      'La cave de la maison se trouve au sous-sol du bâtiment.',
      'Où se trouve la cave de la maison ?',
    ],
    [
      'La reparación del motor cuesta 380 euros en el taller.',
      '¿Cuánto cuesta la reparación del motor?',
    ],
    ['Школьная библиотека находится на втором этаже здания.', 'Где находится школьная библиотека?'],
    ['送迎バスの料金は500円です。', '送迎バスの料金はいくらですか？'],
  ])('of %s', (sentence, question) => {
    expect(draftsOf(sentence)).toContain(question);
  });

  test.each([
    'It is a large house by the sea. This is the reason why they came. He was born in 1950.',
    'Duck is a short film about a boy and his father on a lake.',
    'WiFi password: hunter2\nAlarm code: 7702\nIBAN: DE02 1203 0000',
    'The company is a leader in its field of work.',
    'Der Ruderverein wurde am 3. Mai 1921 gegründet und wächst, wie alle wissen.',
  ])('none of %s', (text) => {
    expect(draftsOf(text)).toEqual([]);
  });

  test('none that says no more than the name of its file', () => {
    const text = 'The Harbour Bridge is a steel arch over the river.';
    expect(draftsOf(text, 'harbour-bridge.txt')).toEqual([]);
    expect(draftsOf(text)).toEqual(['What is the Harbour Bridge?']);
  });

  test('whatever the text, their sentences lie within it, and they are short', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        'The Harbour Bridge was built in 1931. ',
        'Due date: 8 June\n',
        'Die Miete beträgt 5 Euro. ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        for (const { question, source } of draftQuestions(
          libraryOf([{ name: 'a.txt', blocks: [text] }]),
        )) {
          expect(question.length).toBeLessThanOrEqual(120);
          expect(source.start).toBeGreaterThanOrEqual(0);
          expect(source.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('recommendQuestions', () => {
  test('asks what the files say beyond the answer, and never the question itself', () => {
    const { question, passages } = findPassages(FILES, 'Who painted the harbour bridge red?');
    const ranked = rankPassages(question, passages);
    const [harbour] = LIBRARY_FILES;
    const start = harbour?.text.indexOf('It was painted red') ?? -1;
    const quoted = { artifactId: 'artifact-0', start, end: harbour?.text.length ?? 0 };
    const questions = recommendQuestions(question, ranked, [quoted]);
    expect(questions.length).toBeGreaterThan(0);
    expect(questions.length).toBeLessThanOrEqual(3);
    const known = [
      'When was the Harbour Bridge built?',
      'What is the Harbour Bridge?',
      'Where is the Harbour Museum located?',
      'Who was Anna Lindqvist?',
    ];
    for (const { question: text } of questions) expect(known).toContain(text);
  });

  test('no follow-up asks what was just asked', () => {
    const { question, passages } = findPassages(FILES, 'When was the Harbour Bridge built?');
    const ranked = rankPassages(question, passages);
    const questions = recommendQuestions(question, ranked, []).map((one) => one.question);
    expect(questions).not.toContain('When was the Harbour Bridge built?');
  });
});

describe('chooseQuestions', () => {
  test('takes them from as many files as possible', async () => {
    const curated = await chooseQuestions(LIBRARY, { limit: 2, ask: asking(FILES) });
    expect(new Set(curated.map(({ artifactId }) => artifactId)).size).toBe(2);
  });

  test('keeps only questions that find the place that they were made from', async () => {
    expect(await chooseQuestions(LIBRARY, { limit: 3, ask: findNothing })).toEqual([]);
    const found = asking(FILES);
    const changed = (change: Partial<Section>) => async (text: string) =>
      (await found(text)).map((section) => ({ ...section, ...change }));
    expect(await chooseQuestions(LIBRARY, { limit: 3, ask: changed({}) })).not.toEqual([]);
    for (const change of [{ artifactId: 'another' }, { relevance: 0 }])
      expect(await chooseQuestions(LIBRARY, { limit: 3, ask: changed(change) })).toEqual([]);
  });

  test('no more than a third begin alike', async () => {
    const blocks = [
      'Invoice number: 2024-117',
      'Serial number: 88-PLX',
      'Project lead: Miriam Cole',
    ];
    const files = [{ name: 'notes.txt', blocks }];
    const curated = await chooseQuestions(draftQuestions(libraryOf(files)), {
      limit: 3,
      ask: asking(files),
    });
    const questions = curated.map(({ question }) => question);
    expect(questions).toContain('Who is the project lead?');
    expect(questions.filter((text) => text.startsWith('What is'))).toHaveLength(1);
  });

  test('preferred questions come first, and no other is lost', async () => {
    const ask = asking(FILES);
    const plain = await chooseQuestions(LIBRARY, { limit: 6, ask });
    const nothing = await chooseQuestions(LIBRARY, { limit: 6, ask, prefer: () => 0 });
    expect(nothing).toEqual(plain);
    for (const { question } of plain) {
      const wanted = questionType(question);
      const prefer: Preference = ({ type }) => Number(type === wanted);
      const tuned = await chooseQuestions(LIBRARY, { limit: 6, ask, prefer });
      expect(questionType(tuned[0]?.question ?? '')).toBe(wanted);
      expect(tuned.length).toBeGreaterThanOrEqual(plain.length);
    }
  });

  test('a preferred question that finds nothing is left out', async () => {
    const options = { limit: 3, ask: findNothing, prefer: () => 1 };
    expect(await chooseQuestions(LIBRARY, options)).toEqual([]);
  });

  test('a preferred file comes first', async () => {
    const last = LIBRARY_FILES.at(-1)?.artifactId;
    const prefer: Preference = ({ artifactId }) => Number(artifactId === last);
    const [first] = await chooseQuestions(LIBRARY, { limit: 3, ask: asking(FILES), prefer });
    expect(first?.artifactId).toBe(last);
  });
});
