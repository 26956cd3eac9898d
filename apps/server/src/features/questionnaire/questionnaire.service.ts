import {
  type AnsweredQuestion,
  answerQuestions,
  type BodyOf,
  listAnsweredQuestions,
  listQuestions,
  type Question,
  typesOfKind,
} from '@engram/contract';
import { eq, sql } from 'drizzle-orm';
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Core } from '../../composition/core.ts';
import { instant } from '../../platform/database/sql.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { UserPreference } from '../suggestions/preferences.ts';

type Responses = BodyOf<typeof answerQuestions>['responses'];

const present = ({ questionId, question, options }: (typeof QUESTIONS)[number]): Question => ({
  questionId,
  question,
  options: options.map(({ optionId, optionText }) => ({ optionId, optionText })),
});

/** @throws HttpError 400 for an unknown question or option, and for a second answer. */
function assertAnswers(responses: Responses): void {
  const answered = new Set<string>();
  for (const { questionId, selectedOption } of responses) {
    const question = QUESTIONS.find((listed) => listed.questionId === questionId);
    if (!question) {
      throw new HttpError(
        400,
        'unknown_question',
        'One of the answers is to a question that does not exist. Please reload the questions.',
      );
    }
    if (!question.options.some(({ optionId }) => optionId === selectedOption)) {
      throw new HttpError(
        400,
        'unknown_option',
        `The answer to '${question.question}' is not one of its options. Please reload the questions.`,
      );
    }
    if (answered.has(questionId)) {
      throw new HttpError(400, 'answered_twice', `'${question.question}' was answered twice.`);
    }
    answered.add(questionId);
  }
}

/** The options that a user chose. An option that no longer exists counts as not chosen. */
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

/** The onboarding questions. Users may change their answers at any time. */
export function createQuestionnaireService(
  { storage: { database }, now }: Core,
  { markQuestionnaireAnswered }: Pick<AuthService['accounts'], 'markQuestionnaireAnswered'>,
) {
  const listRows = (userId: string, executor: Executor = database.db): Promise<AnswerRow[]> =>
    executor.select().from(questionnaireAnswers).where(eq(questionnaireAnswers.userId, userId));

  const answered = async (userId: string): Promise<AnsweredQuestion[]> =>
    presentAnswered(await listRows(userId));

  /**
   * Stores answers. Other questions keep theirs. A user who has answered all questions is not asked
   * again.
   * @throws HttpError 400 for an invalid answer.
   */
  async function answer(userId: string, responses: Responses): Promise<AnsweredQuestion[]> {
    assertAnswers(responses);
    const answeredAt = now();
    const rows = responses
      .map(({ questionId, selectedOption: optionId }) => ({
        userId,
        questionId,
        optionId,
        answeredAt,
      }))
      // Sorted, so that two calls cannot deadlock.
      .sort((a, b) => (a.questionId < b.questionId ? -1 : 1));
    return database.transaction(async (tx) => {
      await tx
        .insert(questionnaireAnswers)
        .values(rows)
        .onConflictDoUpdate({
          target: [questionnaireAnswers.userId, questionnaireAnswers.questionId],
          set: { optionId: sql`excluded.option_id`, answeredAt: sql`excluded.answered_at` },
        });
      const current = presentAnswered(await listRows(userId, tx));
      const isOpen = current.some(({ selectedOptionId }) => selectedOptionId === null);
      if (!isOpen) await markQuestionnaireAnswered(tx, userId);
      return current;
    });
  }

  return {
    answered,
    answer,
    routes(mount: Mount): void {
      mount(listQuestions, async () => ({ data: QUESTIONS.map(present) }));
      mount(listAnsweredQuestions, async ({ caller }) => ({ data: await answered(caller.userId) }));
      mount(answerQuestions, async ({ caller, body }) => ({
        data: await answer(caller.userId, body.responses),
      }));
    },
    preferences: async (userId: string): Promise<UserPreference[]> =>
      chosenIn(await listRows(userId)).flatMap(({ chosen }) => chosen?.preference ?? []),
  };
}

export type QuestionnaireService = ReturnType<typeof createQuestionnaireService>;

const questionnaireAnswers = pgTable(
  'questionnaire_answers',
  {
    userId: uuid('user_id').notNull(),
    questionId: text('question_id').notNull(),
    optionId: text('option_id').notNull(),
    answeredAt: instant('answered_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.questionId] })],
);

type AnswerRow = typeof questionnaireAnswers.$inferSelect;

interface Option {
  optionId: string;
  optionText: string;
  /** The recommendations that users who choose it get first; null changes nothing. */
  preference: UserPreference | null;
}

interface OnboardingQuestion extends Question {
  options: Option[];
}

const option = (
  optionId: string,
  optionText: string,
  preference: UserPreference | null,
): Option => ({
  optionId,
  optionText,
  preference,
});

/**
 * The onboarding questions. Ids are stored with the answers, so texts may change but ids may not.
 */
export const QUESTIONS: readonly OnboardingQuestion[] = [
  {
    questionId: 'files',
    question: 'What will you mostly keep here?',
    options: [
      option('work', 'Documents for work', {
        fileTypes: [...typesOfKind('document', 'slides', 'spreadsheet')],
        keywords: ['work'],
      }),
      option('household', 'Household documents, contracts and bills', {
        fileTypes: [...typesOfKind('pdf', 'image', 'mail')],
        keywords: ['personal'],
      }),
      option('studies', 'Studies and research', { fileTypes: ['pdf'], keywords: ['education'] }),
      option('notes', 'Notes and journals', { fileTypes: ['txt'], keywords: [] }),
      option('mix', 'A bit of everything', null),
    ],
  },
  {
    questionId: 'look-up',
    question: 'What do you look up most often?',
    options: [
      option('figures', 'Facts, figures and amounts', { subjects: ['amount'] }),
      option('dates', 'Dates and deadlines', { subjects: ['date'] }),
      option('people', 'People and who does what', { subjects: ['name'] }),
      option('instructions', 'How something is done', { subjects: ['steps', 'heading'] }),
      option('meanings', 'What something is, and why', { subjects: ['phrase', 'heading'] }),
    ],
  },
  {
    questionId: 'subject',
    question: 'Which subject matters most to you right now?',
    options: [
      option('work', 'Work and money', { keywords: ['work', 'finance'] }),
      option('health', 'Health', { keywords: ['health'] }),
      option('travel', 'Travel', { keywords: ['travel'] }),
      option('learning', 'Learning', { keywords: ['education'] }),
      option('none', 'None in particular', null),
    ],
  },
  {
    questionId: 'detail',
    question: 'What should Engram suggest you ask?',
    options: [
      option('exact', 'Questions about one exact detail', {
        subjects: ['amount', 'date', 'field'],
      }),
      option('overview', 'Questions that give an overview', { subjects: ['title', 'heading'] }),
      option('mix', 'A good mix of both', null),
    ],
  },
  {
    questionId: 'age',
    question: 'Which files should Engram remind you of?',
    options: [
      option('newest', 'The ones I added last', null),
      option('older', 'Older ones that I may forget', { older: true }),
      option('any', 'It does not matter', null),
    ],
  },
];
