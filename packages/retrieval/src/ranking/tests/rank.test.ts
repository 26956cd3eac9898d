import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankPassages } from '../rank.ts';
import { findPassages } from '../../tests/library.test-setup.ts';
import type { TestFile } from '../../tests/library.test-setup.ts';

const order = (files: TestFile[], text: string, languages?: string[]): string[] => {
  const { question, passages } = findPassages(files, text, languages);
  return rankPassages(question, passages).map(({ fileName }) => fileName);
};

describe('rankPassages', () => {
  test('a sentence that contains the words together ranks above a text that scatters them', () => {
    const files: TestFile[] = [
      {
        name: 'scattered.txt',
        blocks: [
          'The bridge is long. In May we went to the harbour. The mayor was there. Paint it red.',
        ],
      },
      {
        name: 'together.txt',
        blocks: ['The mayor had the harbour bridge painted red. It rained.'],
      },
    ];
    expect(order(files, 'Who had the harbour bridge painted red?')[0]).toBe('together.txt');
  });

  test('a long question ranks the text that covers most of its words first', () => {
    const files: TestFile[] = [
      {
        name: 'pairs.txt',
        blocks: ['Heat transfer is known. Boundary layers are, too. So are blunt bodies.'],
      },
      {
        name: 'subject.txt',
        blocks: [
          'Heat transfer in the laminar boundary layer of a blunt body is found for hypersonic speeds and dissociated air near the stagnation point.',
        ],
      },
    ];
    const text =
      'what is known of heat transfer in laminar boundary layers on blunt bodies at hypersonic speeds in dissociated air near the stagnation point';
    expect(order(files, text)[0]).toBe('subject.txt');
  });

  test('the file name and headings count', () => {
    const files: TestFile[] = [
      { name: 'Car insurance.txt', blocks: ['The yearly premium is 480 euros for this contract.'] },
      {
        name: 'House insurance.txt',
        blocks: ['The yearly premium is 310 euros for this contract.'],
      },
    ];
    expect(order(files, 'What is the premium of the house insurance?')[0]).toBe(
      'House insurance.txt',
    );
  });

  test('a misspelled word does not affect other words', () => {
    const files: TestFile[] = [
      { name: 'a.txt', blocks: ['The Pleurobrachia has its mouth at the narrow end.'] },
      { name: 'b.txt', blocks: ['The mouth of the river is wide.'] },
    ];
    expect(order(files, 'Where is the mouth of the pleurobrachias?')[0]).toBe('a.txt');
  });

  test('a name is not matched by a common word of the same spelling', () => {
    const files: TestFile[] = [
      { name: 'a.txt', blocks: ['Many doctors travelled in their old ships to the colonies.'] },
      { name: 'b.txt', blocks: ['For years the Doctor travelled in an old ship that was a box.'] },
    ];
    expect(order(files, 'In what ship did the Doctor travel?')[0]).toBe('b.txt');
  });

  test('every passage is returned once, best first, with its text unchanged', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 }).map((tail) => `rent ${tail}`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const files = texts.map((block, i): TestFile => ({ name: `${i}.txt`, blocks: [block] }));
        const { question, passages } = findPassages(files, 'When is the rent due?');
        const ranked = rankPassages(question, passages);
        expect(ranked.map(({ artifactId }) => artifactId).sort()).toEqual(
          passages.map(({ artifactId }) => artifactId).sort(),
        );
        ranked.forEach((passage, i) => {
          expect(passage.score).toBeGreaterThanOrEqual(0);
          expect(passage.score).toBeLessThanOrEqual(ranked[i - 1]?.score ?? Infinity);
          for (const { start, end } of passage.sentences) {
            expect(passage.text.slice(start, end).trim()).not.toBe('');
          }
        });
      }),
      { numRuns: 50 },
    );
  });
});
