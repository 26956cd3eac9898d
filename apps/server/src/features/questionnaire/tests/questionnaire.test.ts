import { answerQuestions, listAnsweredQuestions, listQuestions } from '@engram/contract';
import { describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { QUESTIONS } from '../questionnaire.service.ts';

test('there are five questions, each with three to five different options', () => {
  expect(QUESTIONS).toHaveLength(5);
  const ids = QUESTIONS.map(({ questionId }) => questionId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { options } of QUESTIONS) {
    expect(options.length).toBeGreaterThanOrEqual(3);
    expect(options.length).toBeLessThanOrEqual(5);
    for (const key of ['optionId', 'optionText'] as const) {
      expect(new Set(options.map((option) => option[key])).size).toBe(options.length);
    }
    // A question is pointless if no answer changes anything.
    expect(options.some(({ preference }) => preference !== null)).toBe(true);
  }
});

describe.each(testDatabases)('questionnaire (%s)', (database) => {
  const engram = useTestApp({ database });
  let userCount = 0;
  const newUser = (): Promise<SignedInUser> => {
    userCount += 1;
    return engram.signIn(`ann${userCount}@example.org`);
  };

  const responses = QUESTIONS.map(({ questionId, options }) => ({
    questionId,
    selectedOption: options[0]?.optionId ?? '',
  }));
  const first = { questionId: 'files', selectedOption: 'work' };
  const others = responses.slice(1);

  const answer = ({ client }: SignedInUser, answers: typeof responses) =>
    client.call(answerQuestions, { body: { responses: answers } });

  const chosen = async ({ client }: SignedInUser) =>
    (await client.call(listAnsweredQuestions, {})).data.map(
      (question) => question.selectedOptionId,
    );

  const isAsked = async ({ email }: SignedInUser): Promise<boolean> =>
    (await engram.signIn(email)).session.question;

  const unanswered = QUESTIONS.map(() => null);
  const firstOptions = responses.map(({ selectedOption }) => selectedOption);

  test('questions are listed with their options, and nothing else', async () => {
    const { client } = await newUser();
    const { data } = await client.call(listQuestions, {});
    expect(data.map(({ question }) => question)).toEqual(QUESTIONS.map(({ question }) => question));
    expect(Object.keys(data[0] ?? {})).toEqual(['questionId', 'question', 'options']);
    expect(Object.keys(data[0]?.options[0] ?? {})).toEqual(['optionId', 'optionText']);
  });

  test('answers are stored per user, and the user is not asked again', async () => {
    const ann = await newUser();
    const bob = await newUser();
    expect(ann.session.question).toBe(true);
    const { data } = await answer(ann, responses);
    expect(data.map((question) => question.selectedOptionId)).toEqual(firstOptions);
    expect(await chosen(ann)).toEqual(firstOptions);
    expect(await isAsked(ann)).toBe(false);
    expect(await chosen(bob)).toEqual(unanswered);
    expect(await isAsked(bob)).toBe(true);
  });

  test('answers may be sent in parts, and the user is asked until all are answered', async () => {
    const ann = await newUser();
    await answer(ann, others);
    expect(await chosen(ann)).toEqual([null, ...firstOptions.slice(1)]);
    expect(await isAsked(ann)).toBe(true);
    await answer(ann, [first]);
    expect(await isAsked(ann)).toBe(false);
  });

  test('an answer may be changed at any time without affecting the others', async () => {
    const ann = await newUser();
    await answer(ann, responses);
    const other = QUESTIONS[0]?.options[1]?.optionId ?? '';
    await answer(ann, [{ ...first, selectedOption: other }]);
    expect(await chosen(ann)).toEqual([other, ...firstOptions.slice(1)]);
    expect(await isAsked(ann)).toBe(false);
  });

  test.each([
    ['to an unknown question', { questionId: 'toString', selectedOption: 'a' }, /does not exist/u],
    [
      'that is not an option',
      { questionId: 'files', selectedOption: 'figures' },
      /not one of its options/u,
    ],
    ['that is sent twice', first, /was answered twice/u],
    ['without a choice', { questionId: 'files', selectedOption: '' }, /at least 1/u],
  ])('an answer %s is refused, and none of the others is stored', async (_, wrong, message) => {
    const ann = await newUser();
    await expect(answer(ann, [...responses, wrong])).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
    expect(await chosen(ann)).toEqual(unanswered);
  });

  test('an empty list of answers and signed-out users are refused', async () => {
    const ann = await newUser();
    await expect(answer(ann, [])).rejects.toMatchObject({
      status: 400,
      message: 'There is no answer among the responses.',
    });
    for (const route of [listQuestions, listAnsweredQuestions]) {
      await expect(engram.anonymous.call(route, {})).rejects.toMatchObject({ status: 401 });
    }
  });
});
