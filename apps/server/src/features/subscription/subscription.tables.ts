import type { BillingPeriod, LedgerEntry } from '@engram/contract';
import { boolean, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/sql.ts';

export const plans = pgTable('plans', {
  name: text().primaryKey(),
  productId: text('product_id').notNull(),
  priceId: text('price_id').notNull(),
  /** US cents per period. */
  amount: integer().notNull(),
  billingPeriod: text('billing_period').$type<BillingPeriod>().notNull(),
  queriesDay: integer('queries_day').notNull(),
  queriesWeek: integer('queries_week').notNull(),
  queriesMonth: integer('queries_month').notNull(),
  /** Gigabytes (10^9 bytes). */
  storage: integer().notNull(),
  position: integer().notNull(),
  /** False for a plan that is no longer sold. Existing subscribers keep it. */
  active: boolean().notNull().default(true),
});

export const subscriptions = pgTable('subscriptions', {
  userId: uuid('user_id').primaryKey(),
  plan: text().notNull(),
  status: text().$type<'Active' | 'Cancelled' | 'Expired'>().notNull(),
  /** Questions allowed beyond the plan's limits. */
  credit: integer().notNull().default(0),
  /** The end of the paid period; null for the free plan. */
  endsAt: instant('ends_at'),
  /** The payment provider; null for the free plan. */
  provider: text().$type<'sandbox' | 'stripe'>(),
  providerCustomer: text('provider_customer'),
  providerSubscription: text('provider_subscription'),
  billingAddress: text('billing_address'),
  /** When this state was requested from the provider. */
  reportedAt: instant('reported_at'),
  /** The next plan; null if this one renews or only ends. */
  nextPlan: text('next_plan'),
  /** The end of that plan's first period; null if it is paid when it begins. */
  nextEndsAt: instant('next_ends_at'),
  /** US cents that the provider holds for the user, and deducts from the next payment. */
  balance: integer().notNull().default(0),
});

export const queryCounts = pgTable('query_counts', {
  userId: uuid('user_id').notNull(),
  /** UTC day, as YYYY-MM-DD. */
  day: date({ mode: 'string' }).notNull(),
  queries: integer().notNull(),
});

export const planMails = pgTable(
  'plan_mails',
  {
    userId: uuid('user_id').notNull(),
    kind: text().$type<`limit:${'day' | 'week' | 'month'}` | `retention:${1 | 2}`>().notNull(),
    /** The first day of a window, or the time at which a plan ended. */
    about: text().notNull(),
    claimedAt: instant('claimed_at').notNull(),
    sentAt: instant('sent_at'),
  },
  ({ userId, kind, about }) => [primaryKey({ columns: [userId, kind, about] })],
);

export const creditLedger = pgTable('credit_ledger', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** Credits added (above zero) or used (below). */
  change: integer().notNull(),
  balance: integer().notNull(),
  reason: text().$type<LedgerEntry['reason']>().notNull(),
  createdAt: instant('created_at').notNull(),
});

export type SubscriptionRow = typeof subscriptions.$inferSelect;
export type PlanMailRow = typeof planMails.$inferSelect;
export type LedgerRow = typeof creditLedger.$inferSelect;
