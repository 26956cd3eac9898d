import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  documentOf,
  findPassages,
  findSections,
  type TestFile,
} from '../../tests/library.test-setup.ts';
import type { Location, SourceDocument, SourceSegment } from '../../types.ts';
import { rankPassages } from '../rank.ts';
import { type Section, sectionsOf } from '../sections.ts';

const QUESTION = 'What is the deposit for the boathouse at the lake?';
const MAX_WORDS = 150;

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('boathouse', 'deposit', 'Lake', 'deposits') },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      'the',
      'key',
      'Miller’s',
      'hangs',
      'über',
      'дом',
      '2,340.50',
      '12.05.2024',
      'a_b',
      '*x*',
      '[1]',
      '保証金は三万円です',
      '👩‍🚀',
      '𝐚𝐛𝐜',
      'e\u0301te\u0301',
      'inflammable'.repeat(9),
    ),
  },
);
const sentence = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.array(word, { minLength: 1, maxLength: 30 }) },
      { weight: 1, arbitrary: fc.array(word, { minLength: 140, maxLength: 200 }) },
    ),
    fc.constantFrom('. ', '! ', '。', '\n', '.\n\n', ' '),
  )
  .map(([words, end]) => `The ${words.join(' ')}${end}`);

/** Parts of a file of one kind, each with the location of its blocks. */
const PARTS: ((part: number, row: number) => Location)[] = [
  (page) => ({ page: page + 1 }),
  (slide) => ({ slide: slide + 1 }),
  (sheet, row) => ({ sheet: `Sheet ${sheet}`, row: row + 1 }),
  (member, line) => ({ path: `folder/${member}.txt`, line: line + 1 }),
  (_, line) => ({ line: line + 1 }),
];
const block = fc.tuple(
  fc.nat(2),
  fc.array(sentence, { minLength: 1, maxLength: 6 }),
  fc.constantFrom<SourceSegment['kind']>('prose', 'list', 'table', 'heading'),
);
const file = fc
  .tuple(fc.nat(PARTS.length - 1), fc.array(block, { minLength: 1, maxLength: 8 }))
  .map(([kindOfFile, blocks]): TestFile => ({
    name: 'file.txt',
    blocks: blocks
      .toSorted(([a], [b]) => a - b)
      .map(([part, sentences, kind], row) => ({
        text: sentences.join('').trim(),
        location: PARTS[kindOfFile]?.(part, row) ?? { line: 1 },
        kind,
      })),
  }));

const partOf = (location: Location): string =>
  JSON.stringify(['path', 'page', 'slide', 'sheet'].map((key) => location[key] ?? null));

function expectWithinPart({ segments }: SourceDocument, { start, end }: Section): void {
  const touched = segments.filter((segment) => segment.start < end && start < segment.end);
  expect(new Set(touched.map(({ location }) => partOf(location))).size).toBeLessThanOrEqual(1);
}

function expectReadable({ text, sentence: { start, end }, highlights }: Section): void {
  expect(text.isWellFormed()).toBe(true);
  expect(start).toBeGreaterThanOrEqual(0);
  expect(text.slice(start, end).trim()).not.toBe('');
  expect(end).toBeLessThanOrEqual(text.length);
  const words = text.match(/\S+/gu)?.length ?? 0;
  expect(words <= MAX_WORDS || (start === 0 && end === text.length)).toBe(true);
  let last = 0;
  for (const highlight of highlights) {
    expect(highlight.start).toBeGreaterThanOrEqual(last);
    expect(text.slice(highlight.start, highlight.end)).toMatch(/^(?=.*[\p{L}\p{N}])\S+$/u);
    last = highlight.end;
  }
  expect(last).toBeLessThanOrEqual(text.length);
}

describe('sections of any files', () => {
  test('sections are readable, exact, do not overlap and come from several files', () => {
    const library = fc.array(file, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(library, fc.nat(4), (files, unread) => {
        const { question, passages } = findPassages(files, QUESTION);
        const texts = new Map(files.map((file, i) => [`artifact-${i}`, documentOf(file)]));
        const documents = new Map([...texts].filter(([id]) => id !== `artifact-${unread}`));
        const ranked = rankPassages(question, passages);
        const sections = sectionsOf(question, ranked, { documents, limit: 10 });
        expect(sections.length > 0).toBe(passages.length > 0);
        for (const [i, section] of sections.entries()) {
          const document = texts.get(section.artifactId);
          if (document === undefined) throw new Error('unknown file');
          expect(document.text.slice(section.start, section.end)).toBe(section.text);
          expectReadable(section);
          if (documents.has(section.artifactId)) expectWithinPart(document, section);
          for (const other of sections.slice(0, i)) {
            if (other.artifactId !== section.artifactId) continue;
            expect(other.end <= section.start || section.end <= other.start).toBe(true);
          }
        }
        const [first, ...rest] = sections.map(({ artifactId }) => artifactId);
        const isFull = rest.length >= 2 && rest.slice(0, 2).every((id) => id === first);
        expect(isFull && new Set(rest).size > 1).toBe(false);
      }),
      // Shrinking a library takes minutes.
      { numRuns: 150, endOnFailure: true },
    );
  });
});

describe('one section', () => {
  const filler = (i: number): string => `Paragraph ${i} speaks of quite other things in the town.`;

  test('a section contains the sentences around its best one, with the words of the question highlighted', () => {
    const text = `${filler(1)} The deposit for the boathouse is 2,340 euros. It is paid back in May.`;
    const [section] = findSections([{ name: 'lease.txt', blocks: [text] }], QUESTION);
    const { start = 0, end = 0 } = section?.sentence ?? {};
    expect(section?.text.slice(start, end)).toBe('The deposit for the boathouse is 2,340 euros.');
    expect(section?.text).toContain('It is paid back in May.');
    const highlighted = section?.highlights.map((span) => section.text.slice(span.start, span.end));
    expect(highlighted).toEqual(['deposit', 'boathouse']);
  });

  test('a section of a long file is near its best sentence and has up to 150 words', () => {
    const blocks = Array.from({ length: 200 }, (_, i) => filler(i));
    blocks[120] = 'The deposit for the boathouse is 2,340 euros.';
    const [section] = findSections([{ name: 'book.txt', blocks }], QUESTION);
    expect(section?.text).toContain('2,340');
    expect(section?.text.split(/\s+/u).length).toBeLessThanOrEqual(MAX_WORDS);
  });
});

describe('sections of several files', () => {
  const copy = 'The deposit for the boathouse at the lake is 2,340 euros, due on the first of May.';

  test('near-duplicates are shown once, as the better one', () => {
    const files: TestFile[] = [
      { name: 'draft.txt', blocks: [`${copy} Do not copy.`.replace('first of', 'first  of')] },
      { name: 'lease of the boathouse.txt', blocks: [copy.toUpperCase()] },
      { name: 'mail.txt', blocks: ['Is the deposit for the boathouse paid back at all?'] },
      { name: 'copy of the lease of the boathouse.txt', blocks: [copy] },
    ];
    const names = findSections(files, QUESTION).map(({ fileName }) => fileName);
    expect(names.filter((name) => name.includes('lease'))).toHaveLength(1);
    expect(names).toContain('mail.txt');
  });

  const long: TestFile = {
    name: 'minutes.txt',
    blocks: [
      'Miller wants it lowered',
      'It was paid in May',
      'Nobody knows who holds it',
      'Adopted',
    ].map((text, i) => ({
      text: `The deposit for the boathouse at the lake. ${text}.`,
      location: { page: i + 1 },
    })),
  };
  const short: TestFile = { name: 'note.txt', blocks: ['The boathouse has a new roof.'] };

  test('one file has at most two of the first three sections', () => {
    const sections = findSections([long, short], QUESTION);
    expect(sections.map(({ fileName }) => fileName).slice(0, 3)).toContain('note.txt');
    expect(sections.length).toBeGreaterThan(3);
  });

  test('a file that the question names may have all of the first sections', () => {
    const { question, passages } = findPassages([long, short], QUESTION);
    const named = { ...question, files: { ...question.files, named: ['artifact-0'] } };
    const documents = new Map([['artifact-0', documentOf(long)]]);
    const ranked = rankPassages(named, passages);
    const sections = sectionsOf(named, ranked, { documents, limit: 10 });
    expect(sections.slice(0, 3).map(({ fileName }) => fileName)).not.toContain('note.txt');
  });
});
