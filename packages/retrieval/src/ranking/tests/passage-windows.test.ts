import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectPassages } from '../passage-windows.ts';
import { rankPassages } from '../rank.ts';
import { documentOf, findPassages } from '../../testing.ts';
import type { TestFile } from '../../testing.ts';

const LIMITS = { passages: 5, characters: 5000 };

const filler = (count: number, of = 'harvest'): string =>
  Array.from(
    { length: count },
    (_, i) => `Row ${i} of the ${of} was weighed and stored away.`,
  ).join(' ');

function select(files: readonly TestFile[], text: string, limits = LIMITS) {
  const { question, passages } = findPassages(files, text);
  const selected = selectPassages(question, rankPassages(question, passages), limits);
  const texts = new Map(files.map((file, i) => [`artifact-${i}`, documentOf(file).text]));
  return selected.map((passage) => ({
    ...passage,
    text: (texts.get(passage.artifactId) ?? '').slice(passage.start, passage.end),
  }));
}

describe('selectPassages', () => {
  test('an excerpt that two chunks share stands in one passage', () => {
    const excerpt =
      'The bridge toll is four euros. Cyclists pay no bridge toll. The bridge toll doubles at night.';
    for (const before of [15, 16, 17, 18, 19, 20]) {
      const file = { name: 'a.txt', blocks: [`${filler(before)} ${excerpt} ${filler(30)}`] };
      const found = select([file], 'What is the bridge toll?', { passages: 1, characters: 600 });
      expect(found).toHaveLength(1);
      expect(found[0]?.text).toContain(excerpt);
    }
  });

  test('what says nothing of the question gives its room to what does', () => {
    const fact = (year: number): string =>
      `In ${year} the bridge toll was raised to ${year} cents.`;
    const blocks = [1950, 1960, 1970, 1980].map(
      (year) => `${filler(15)} ${fact(year)} ${filler(15)}`,
    );
    const found = select([{ name: 'a.txt', blocks }], 'When was the bridge toll raised?', {
      passages: 4,
      characters: 1200,
    });
    const all = found.map(({ text }) => text).join('\n');
    for (const year of [1950, 1960, 1970, 1980]) expect(all).toContain(fact(year));
  });

  test('no passage crosses a page', () => {
    const page = (number: number) => ({
      text: `${filler(4)} The bridge toll of page ${number} is ${number} euros.`,
      location: { page: number },
    });
    const found = select(
      [{ name: 'a.pdf', blocks: [page(1), page(2), page(3)] }],
      'What is the bridge toll?',
    );
    expect(found.length).toBe(3);
    for (const { text } of found) expect(text.match(/of page/gu)).toHaveLength(1);
  });

  test('a file that is found by its name alone has nothing to show', () => {
    const { question, passages } = findPassages(
      [{ name: 'bridge.txt', blocks: ['The toll is due.'] }],
      'bridge toll',
    );
    const empty = passages.map((passage) => ({ ...passage, text: '', end: passage.start }));
    expect(selectPassages(question, rankPassages(question, empty), LIMITS)).toEqual([]);
    expect(selectPassages(question, [], LIMITS)).toEqual([]);
  });

  test('passages stay within their bounds, overlap nowhere and are parts of found text', () => {
    const sentence = fc
      .array(fc.constantFrom('bridge', 'toll', 'river', 'paid', 'night', 'of', 'the'), {
        minLength: 1,
        maxLength: 30,
      })
      .map((words) => `${words.join(' ')}.`);
    const block = fc.array(sentence, { minLength: 1, maxLength: 60 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 20, max: 3000 }),
        (blocks, passages, characters) => {
          const found = select([{ name: 'a.txt', blocks }], 'Is the bridge toll paid?', {
            passages,
            characters,
          });
          expect(found.length).toBeLessThanOrEqual(passages);
          const length = found.reduce((sum, { start, end }) => sum + end - start, 0);
          expect(length).toBeLessThanOrEqual(characters);
          const inOrder = found.toSorted((a, b) => a.start - b.start);
          inOrder.forEach(({ start, end, text }, i) => {
            expect(end).toBeGreaterThan(start);
            expect(text).toHaveLength(end - start);
            expect(start).toBeGreaterThanOrEqual(inOrder[i - 1]?.end ?? 0);
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});
