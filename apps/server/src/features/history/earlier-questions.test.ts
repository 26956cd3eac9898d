import { expect, test } from 'vitest';
import { rankQuestions } from './earlier-questions.ts';

test('each question comes once, as it was asked last', () => {
  expect(rankQuestions(['Who owns it?', 'who owns it', 'When?'])).toEqual([
    'Who owns it?',
    'When?',
  ]);
});

test('the newest come first, unless an older one was asked more often', () => {
  const lately = ['How much is it?', 'Where is it?'];
  expect(rankQuestions(lately)).toEqual(lately);
  expect(rankQuestions([...lately, 'Who?', 'Who?', 'Who?'])[0]).toBe('Who?');
});
