import { expect, test } from 'vitest';
import { rankQuestions } from '../history.module.ts';

const historyOf = (...questions: string[]) =>
  questions.map((question) => ({ question, grounded: true }));

test('each question is listed once, in its newest wording', () => {
  expect(rankQuestions(historyOf('Who owns it?', 'who owns it', 'When?'))).toEqual([
    'Who owns it?',
    'When?',
  ]);
});

test('the newest questions are first, unless an older one was asked more often', () => {
  const recent = ['How much is it?', 'Where is it?'];
  expect(rankQuestions(historyOf(...recent))).toEqual(recent);
  expect(rankQuestions(historyOf(...recent, 'Who?', 'Who?', 'Who?'))[0]).toBe('Who?');
});

test('a question without an answer the last time is left out, even if it had one before', () => {
  const refused = { question: 'Who owns it?', grounded: false };
  expect(rankQuestions([refused, ...historyOf('who owns it', 'When?')])).toEqual(['When?']);
  expect(rankQuestions([...historyOf('who owns it'), refused])).toEqual(['who owns it']);
});
