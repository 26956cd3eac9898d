import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

export const questionnaireAnswers = pgTable(
  'questionnaire_answers',
  {
    userId: uuid('user_id').notNull(),
    questionId: text('question_id').notNull(),
    optionId: text('option_id').notNull(),
    answeredAt: instant('answered_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.questionId] })],
);

export type AnswerRow = typeof questionnaireAnswers.$inferSelect;
