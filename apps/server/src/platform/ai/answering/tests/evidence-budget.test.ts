import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseEvidence,
  covers,
  estimateTokens,
  type EvidenceItem,
  fence,
} from '../evidence-budget.ts';
import { lease } from './answer-model.test-setup.ts';

/** A part of a file, with the complete text around it. */
function partOf(
  file: string,
  [start, end]: [number, number],
  whole?: [number, number],
): EvidenceItem {
  const span = (from: number, to: number): EvidenceItem => ({
    ...lease,
    artifactId: file,
    fileName: file,
    start: from,
    end: to,
    text: 'word '.repeat((to - from) / 5),
  });
  return { ...span(start, end), ...(whole && { whole: span(...whole) }) };
}

const spansOf = (items: readonly EvidenceItem[]) =>
  items.map(({ artifactId, start, end }) => `${artifactId} ${start}-${end}`);

test('a small budget shows parts of several files instead of one whole file', () => {
  const evidence = ['a', 'b', 'c'].map((file) => partOf(file, [100, 500], [0, 4000]));
  expect(spansOf(chooseEvidence(evidence, 600))).toEqual(['a 100-500', 'b 100-500', 'c 100-500']);
});

test('a larger budget shows the complete text around the best passages, and no passage twice', () => {
  const [first, second] = [partOf('a', [100, 500], [0, 4000]), partOf('a', [600, 900], [0, 4000])];
  const evidence = [first, second, partOf('b', [0, 400])];
  expect(spansOf(chooseEvidence(evidence, 6000))).toEqual(['a 0-4000', 'b 0-400']);
});

test('passages are shown once and in order, whatever the budget', () => {
  const part = fc
    .record({
      file: fc.constantFrom('a', 'b', 'c'),
      start: fc.integer({ min: 0, max: 200 }).map((n) => n * 5),
      length: fc.integer({ min: 1, max: 100 }).map((n) => n * 5),
      before: fc.integer({ min: 0, max: 40 }).map((n) => n * 5),
      after: fc.integer({ min: 0, max: 400 }).map((n) => n * 5),
    })
    .map(({ file, start, length, before, after }) =>
      partOf(file, [start, start + length], [Math.max(0, start - before), start + length + after]),
    );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.integer({ min: 50, max: 4000 }),
      (evidence, tokens) => {
        const chosen = chooseEvidence(evidence, tokens);
        for (const item of evidence)
          expect(chosen.some((candidate) => covers(candidate, item))).toBe(true);
        for (const item of chosen.filter((item) => !evidence.includes(item)))
          expect(estimateTokens(fence(item, 1))).toBeLessThanOrEqual(tokens / 2);
      },
    ),
  );
});
