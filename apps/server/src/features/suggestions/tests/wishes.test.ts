import type { QuestionTraits } from '@engram/retrieval';
import { expect, test } from 'vitest';
import { preferenceOf } from '../wishes.ts';

const file = {
  id: 'plan',
  fileName: 'plan.docx',
  fileType: 'docx',
  keywords: ['Work'],
  older: false,
} as const;
const files = [{ ...file, keywords: [...file.keywords] }];

const asking = (
  type: QuestionTraits['type'],
  more: Partial<QuestionTraits> = {},
): QuestionTraits => ({
  type,
  broad: false,
  artifactId: 'another',
  ...more,
});

test('who wishes for nothing prefers nothing', () => {
  expect(preferenceOf([], files)).toBeUndefined();
});

test('what is asked for counts more than the file, and both count together', () => {
  const prefer = preferenceOf([{ types: ['time'] }, { fileTypes: ['docx'] }], files);
  const wanted = [
    asking('time', { artifactId: 'plan' }),
    asking('time'),
    asking('place', { artifactId: 'plan' }),
    asking('place'),
  ];
  const scores = wanted.map((one) => prefer?.(one) ?? 0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(scores).size).toBe(4);
  expect(scores.at(-1)).toBe(0);
});

test('a wish that two answers have in common counts twice', () => {
  const prefer = preferenceOf([{ types: ['time'] }, { types: ['time', 'place'] }], files);
  expect(prefer?.(asking('time'))).toBeGreaterThan(prefer?.(asking('place')) ?? 0);
});

test('a file has a keyword in any case', () => {
  const prefer = preferenceOf([{ keywords: ['work'] }], files);
  expect(prefer?.(asking('thing', { artifactId: 'plan' }))).toBeGreaterThan(0);
  expect(prefer?.(asking('thing'))).toBe(0);
});

test('what asks for all that there is is wished for by itself, whatever its words ask', () => {
  const broad = asking('definition', { broad: true });
  expect(preferenceOf([{ types: ['definition'] }], files)?.(broad)).toBe(0);
  expect(preferenceOf([{ broad: true }], files)?.(broad)).toBeGreaterThan(0);
});

test('of older files only the old ones are wished for', () => {
  const old = files.map((one) => ({ ...one, older: true }));
  const asked = asking('thing', { artifactId: 'plan' });
  expect(preferenceOf([{ older: true }], files)?.(asked)).toBe(0);
  expect(preferenceOf([{ older: true }], old)?.(asked)).toBeGreaterThan(0);
});
