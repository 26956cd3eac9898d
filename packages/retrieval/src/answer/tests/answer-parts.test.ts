import { describe, expect, it } from 'vitest';
import {
  composeParts,
  mergePassages,
  type PartOfQuestion,
  uncoveredParts,
} from '../answer-parts.ts';
import { splitQuestion } from '../../question/parts.ts';
import { rankPassages } from '../../ranking/rank.ts';
import { findPassages, type TestFile } from '../../testing.ts';

const FILES: TestFile[] = [
  {
    name: 'lease.txt',
    blocks: [
      'The monthly rent of the flat is 900 EUR.',
      'The rent is due on the third day of each month.',
      'The deposit of the flat is 1,800 EUR.',
    ],
  },
  { name: 'car.txt', blocks: ['The car was sold to Anna Smith in 2021.'] },
];

const partsOf = (text: string, files = FILES): PartOfQuestion[] =>
  splitQuestion(text).map(({ text: part, asked }) => {
    const { question, passages } = findPassages(files, part);
    return { asked, question, passages: rankPassages(question, passages) };
  });

describe('an answer in parts', () => {
  it('begins with the direct sentence of each part', () => {
    const { markdown, citations, grounded } = composeParts(
      partsOf('What is the deposit of the flat and who was the car sold to?'),
    );
    const [first, second] = markdown.split('\n\n');
    expect(first).toMatch(/^The deposit of the flat is \*\*1,800 EUR\*\*\. \[1\]/u);
    expect(second).toBe('The car was sold to **Anna Smith** in 2021. [2]');
    expect(citations.map(({ n, artifactId }) => [n, artifactId])).toEqual(
      citations.map(({ artifactId }, i) => [i + 1, artifactId]),
    );
    expect(grounded).toBe(true);
  });

  it('says plainly which part the files do not answer', () => {
    const { markdown } = composeParts(
      partsOf('What is the deposit of the flat and who painted the Mona *Lisa*?'),
    );
    expect(markdown).toContain('The deposit of the flat is **1,800 EUR**. [1]');
    expect(markdown.split('\n\n').at(-1)).toBe(
      String.raw`Your files don't seem to say: who painted the Mona \*Lisa\*?`,
    );
  });

  it('says one sentence once that answers two parts', () => {
    const files = [{ name: 'a.txt', blocks: ['Goethe was born in Frankfurt in 1749.'] }];
    const { markdown, citations } = composeParts(partsOf('When and where was Goethe born?', files));
    expect(markdown).toBe('Goethe was born in Frankfurt in 1749. [1]');
    expect(citations).toHaveLength(1);
  });

  it('is none when no part is answered', () => {
    const answer = composeParts(partsOf('Who painted the Mona Lisa and when was Rome founded?'));
    expect(answer).toEqual({
      markdown: "Your files don't seem to say.",
      citations: [],
      grounded: false,
    });
  });

  it('keeps within 120 words', () => {
    const long = (about: string): string =>
      `The ${about} of the flat is described ${'at some length in this file, '.repeat(6)}as 7 EUR.`;
    const files = [{ name: 'a.txt', blocks: [long('rent'), long('deposit'), long('heating')] }];
    const { markdown } = composeParts(
      partsOf('What is the rent? What is the deposit? What is the heating?', files),
    );
    expect(markdown.split(/\s+/u).length).toBeLessThanOrEqual(120);
  });
});

describe('parts that an answer leaves out', () => {
  const citation = (quote: string) => ({
    n: 1,
    artifactId: 'a',
    fileName: 'a',
    quote,
    start: 0,
    end: quote.length,
  });
  const left = (question: string, markdown: string, quote = ''): string[] =>
    uncoveredParts(partsOf(question), { markdown, citations: [citation(quote)] }).map(
      ({ asked }) => asked,
    );

  it.each([
    ['What is the rent and when is it due?', 'The rent is 900 EUR. [1]', ['when is it due']],
    ['What is the rent and when is it due?', 'The rent is 900 EUR. [1] It is due in May. [2]', []],
    ['What is the rent and when is it due?', 'The rent is 900 EUR. [1] On the third. [2]', []],
    [
      'Compare the rent in Berlin and Munich',
      'In Berlin 9. [1] It is high. [2]',
      ['the rent in Munich'],
    ],
  ])('%s: %s', (question, markdown, missing) => {
    expect(left(question, markdown)).toEqual(missing);
  });

  it('are none when a quote holds what the answer does not repeat', () => {
    const quote = 'The rent is 900 EUR, due on the third day of each month.';
    expect(left('What is the rent and when is it due?', 'It is 900 EUR. [1]', quote)).toEqual([]);
  });
});

it('passages of several searches take turns, each of them once', () => {
  const at = (artifactId: string) => ({ artifactId, start: 0 });
  const merged = mergePassages([[at('a'), at('b'), at('c')], [at('b'), at('d')], []]);
  expect(merged.map(({ artifactId }) => artifactId)).toEqual(['a', 'b', 'd', 'c']);
});
