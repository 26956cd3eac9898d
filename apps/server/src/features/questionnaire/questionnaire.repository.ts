import { eq, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type AnswerRow, questionnaireAnswers } from './questionnaire.tables.ts';

/** SQL over what people answered. Every call names the owner. */
export function createQuestionnaireRepository({ db }: Pick<Database, 'db'>) {
  return {
    list: (userId: string, executor: Executor = db): Promise<AnswerRow[]> =>
      executor.select().from(questionnaireAnswers).where(eq(questionnaireAnswers.userId, userId)),

    /** Keeps answers; an earlier one to the same question goes. */
    async keep(tx: Executor, rows: readonly AnswerRow[]): Promise<void> {
      await tx
        .insert(questionnaireAnswers)
        .values([...rows])
        .onConflictDoUpdate({
          target: [questionnaireAnswers.userId, questionnaireAnswers.questionId],
          set: { optionId: sql`excluded.option_id`, answeredAt: sql`excluded.answered_at` },
        });
    },
  };
}
