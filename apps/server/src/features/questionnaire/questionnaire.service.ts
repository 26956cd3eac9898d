import type { AnsweredQuestion, answerQuestions, BodyOf, Question } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { Wish } from '../suggestions/wishes.ts';
import * as errors from './questionnaire.errors.ts';
import { createQuestionnaireRepository } from './questionnaire.repository.ts';
import type { AnswerRow } from './questionnaire.tables.ts';
import { QUESTIONS } from './questions.ts';

type Responses = BodyOf<typeof answerQuestions>['responses'];

const present = ({ questionId, question, options }: (typeof QUESTIONS)[number]): Question => ({
  questionId,
  question,
  options: options.map(({ optionId, optionText }) => ({ optionId, optionText })),
});

/** @throws HttpError 400 where a response is to no question, is no option of it, or is the second. */
function assertAnswers(responses: Responses): void {
  const answered = new Set<string>();
  for (const { questionId, selectedOption } of responses) {
    const asked = QUESTIONS.find((question) => question.questionId === questionId);
    if (!asked) throw errors.unknownQuestion();
    if (!asked.options.some(({ optionId }) => optionId === selectedOption)) {
      throw errors.unknownOption(asked.question);
    }
    if (answered.has(questionId)) throw errors.answeredTwice(asked.question);
    answered.add(questionId);
  }
}

/** What people are asked at the start, and may answer anew at any time. */
export function createQuestionnaireService(
  { storage: { database }, now }: Core,
  { markQuestionnaireAnswered }: Pick<AuthService['accounts'], 'markQuestionnaireAnswered'>,
) {
  const repository = createQuestionnaireRepository(database);

  /** What was chosen of each question; an option that is not there any more is none. */
  const chosenIn = (rows: readonly AnswerRow[]) =>
    QUESTIONS.map((question) => {
      const row = rows.find(({ questionId }) => questionId === question.questionId);
      const chosen = question.options.find(({ optionId }) => optionId === row?.optionId);
      return { question, chosen };
    });

  const presentAnswered = (rows: readonly AnswerRow[]): AnsweredQuestion[] =>
    chosenIn(rows).map(({ question, chosen }) => ({
      ...present(question),
      selectedOptionId: chosen?.optionId ?? null,
    }));

  return {
    list: (): Question[] => QUESTIONS.map(present),

    /** The questions with what the person chose. */
    answered: async (userId: string): Promise<AnsweredQuestion[]> =>
      presentAnswered(await repository.list(userId)),

    /**
     * Keeps answers; questions that are left out keep theirs. A person who has answered all of them
     * is not asked again.
     * @throws HttpError 400 for what is no answer to a question.
     */
    async answer(userId: string, responses: Responses): Promise<AnsweredQuestion[]> {
      assertAnswers(responses);
      const answeredAt = now();
      const rows = responses
        .map(({ questionId, selectedOption }) => ({
          userId,
          questionId,
          optionId: selectedOption,
          answeredAt,
        }))
        // Always in the same order: two calls can then never wait for each other.
        .sort((a, b) => (a.questionId < b.questionId ? -1 : 1));
      return database.transaction(async (tx) => {
        await repository.keep(tx, rows);
        const answered = presentAnswered(await repository.list(userId, tx));
        const isOpen = answered.some(({ selectedOptionId }) => selectedOptionId === null);
        if (!isOpen) await markQuestionnaireAnswered(tx, userId);
        return answered;
      });
    },

    /** What the person would rather be recommended, by what they answered. */
    wishes: async (userId: string): Promise<Wish[]> =>
      chosenIn(await repository.list(userId)).flatMap(({ chosen }) => chosen?.wish ?? []),
  };
}

export type QuestionnaireService = ReturnType<typeof createQuestionnaireService>;
