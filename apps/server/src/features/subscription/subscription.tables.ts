import { date, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const subscriptions = pgTable('subscriptions', {
  userId: uuid('user_id').primaryKey(),
  plan: text().notNull(),
  status: text().$type<'Active' | 'Cancelled' | 'Expired'>().notNull(),
  /** Questions that may be asked beyond the plan's limits. */
  credit: integer().notNull().default(0),
  /** End of the paid period; null for a plan that never ends. */
  endsAt: timestamp('ends_at', { withTimezone: true }),
});

export const queryCounts = pgTable('query_counts', {
  userId: uuid('user_id').notNull(),
  /** UTC day, as YYYY-MM-DD. */
  day: date({ mode: 'string' }).notNull(),
  queries: integer().notNull(),
});

export type SubscriptionRow = typeof subscriptions.$inferSelect;
