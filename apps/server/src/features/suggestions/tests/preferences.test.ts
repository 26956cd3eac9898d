import type { QuestionTraits } from '@engram/retrieval';
import { expect, test } from 'vitest';
import { preferenceOf } from '../preferences.ts';

const file = {
  id: 'plan',
  fileName: 'plan.docx',
  fileType: 'docx',
  keywords: ['Work'],
  older: false,
} as const;
const files = [{ ...file, keywords: [...file.keywords] }];

const asking = (
  subject: QuestionTraits['subject'],
  more: Partial<QuestionTraits> = {},
): QuestionTraits => ({ subject, artifactId: 'another', ...more });

test('without preferences no question is preferred', () => {
  expect(preferenceOf([], files)).toBeUndefined();
});

test('the subject of a question counts more than its file, and both add up', () => {
  const prefer = preferenceOf([{ subjects: ['date'] }, { fileTypes: ['docx'] }], files);
  const ranked = [
    asking('date', { artifactId: 'plan' }),
    asking('date'),
    asking('name', { artifactId: 'plan' }),
    asking('name'),
  ];
  const scores = ranked.map((question) => prefer?.(question) ?? 0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(scores).size).toBe(4);
  expect(scores.at(-1)).toBe(0);
});

test('a preference from two answers counts twice', () => {
  const prefer = preferenceOf([{ subjects: ['date'] }, { subjects: ['date', 'name'] }], files);
  expect(prefer?.(asking('date'))).toBeGreaterThan(prefer?.(asking('name')) ?? 0);
});

test('keywords match regardless of case', () => {
  const prefer = preferenceOf([{ keywords: ['work'] }], files);
  expect(prefer?.(asking('field', { artifactId: 'plan' }))).toBeGreaterThan(0);
  expect(prefer?.(asking('field'))).toBe(0);
});

test('a preference for older files applies only to old ones', () => {
  const old = files.map((file) => ({ ...file, older: true }));
  const question = asking('field', { artifactId: 'plan' });
  expect(preferenceOf([{ older: true }], files)?.(question)).toBe(0);
  expect(preferenceOf([{ older: true }], old)?.(question)).toBeGreaterThan(0);
});
