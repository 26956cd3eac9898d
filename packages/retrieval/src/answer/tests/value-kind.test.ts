import { describe, expect, test } from 'vitest';
import { analyzeQuestion } from '../../question/question.ts';
import { lacksKind, wantedKinds } from '../value-kind.ts';

const question = (text: string, language = 'en') => analyzeQuestion(text, [language]);

describe('the kind of value that is asked for', () => {
  test.each([
    ['When does the lease end?', 'date'],
    ['date and time of the exam', 'date'],
    ['How many days of leave are there?', 'duration'],
    ['What is the phone number of the plumber?', 'phone'],
  ])('%s', (text, kind) => {
    expect(wantedKinds({ text, type: 'thing' })[0]).toBe(kind);
  });

  test('a condition asks for no time', () => {
    expect(wantedKinds({ text: 'What happens when the lamp is red?', type: 'thing' })).toEqual([]);
  });
});

describe('a text that has nothing of the kind', () => {
  test.each([
    ['What day was the operation?', 'Your operation: arthroscopy, right knee', true],
    ['What day was the operation?', 'The operation was on 22 January.', false],
    ['When is the rent due?', 'The rent is due on the first Monday.', false],
    ['When are tomatoes sown?', 'Sow: March · Harvest: August', false],
    ['Who led the works?', 'The works were led with care.', true],
    ['Who led the works?', 'The works were led by Ada Brook.', false],
    ['name of the surgeon', 'Consultant surgeon', true],
    ['How much is the bill?', 'Your bill', true],
    ['How much notice do I give?', 'Either party gives two months’ notice.', false],
    ['What is the phone number of the plumber?', 'The plumber comes on 3 May.', true],
  ])('%s – %s', (asked, text, lacks) => {
    expect(lacksKind(question(asked), text)).toBe(lacks);
  });
});
