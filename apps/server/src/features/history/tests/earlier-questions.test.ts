import { expect, test } from 'vitest';
import { rankQuestions } from '../history.module.ts';

const asked = (...questions: string[]) =>
  questions.map((question) => ({ question, grounded: true }));

test('each question is listed once, in its newest wording', () => {
  expect(rankQuestions(asked('Who owns it?', 'who owns it', 'When?'))).toEqual([
    'Who owns it?',
    'When?',
  ]);
});

test('the newest questions are first, unless an older one was asked more often', () => {
  const lately = ['How much is it?', 'Where is it?'];
  expect(rankQuestions(asked(...lately))).toEqual(lately);
  expect(rankQuestions(asked(...lately, 'Who?', 'Who?', 'Who?'))[0]).toBe('Who?');
});

test('a question without an answer the last time is left out, even if it had one before', () => {
  const refused = { question: 'Who owns it?', grounded: false };
  expect(rankQuestions([refused, ...asked('who owns it', 'When?')])).toEqual(['When?']);
  expect(rankQuestions([...asked('who owns it'), refused])).toEqual(['who owns it']);
});
