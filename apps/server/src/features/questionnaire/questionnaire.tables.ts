import { pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const questionnaireAnswers = pgTable(
  'questionnaire_answers',
  {
    userId: uuid('user_id').notNull(),
    questionId: text('question_id').notNull(),
    optionId: text('option_id').notNull(),
    answeredAt: timestamp('answered_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.questionId] })],
);

export type AnswerRow = typeof questionnaireAnswers.$inferSelect;
