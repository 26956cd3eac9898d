import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ReportedSubscription } from '../subscription/plan-state.ts';
import { instant } from '../../platform/database/sql.ts';

/** 'processing': the user has confirmed, and the payment may take days. */
export type CheckoutStatus = 'open' | 'processing' | 'paid' | 'unpaid' | 'expired';

export type ProviderName = ReportedSubscription['provider'];

export const checkouts = pgTable('checkouts', {
  id: text().primaryKey(),
  userId: uuid('user_id').notNull(),
  provider: text().$type<ProviderName>().notNull(),
  priceId: text('price_id').notNull(),
  /** The SHA-256 of the client secret of a sandbox checkout. */
  secretHash: text('secret_hash'),
  status: text().$type<CheckoutStatus>().notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** When the provider is polled next, unless an event arrives earlier. */
  nextPollAt: instant('next_look_at').notNull(),
  /** The subscription that the checkout changes; null for a new one. */
  changes: text(),
});

/** The change that a lock's holder is making at the provider. */
export interface PendingChange {
  provider: ProviderName;
  subscription: string;
  /** The plan that begins at the end of the period. Stored so that a crash does not lose it. */
  nextPriceId: string | null;
  /** When it began, as an ISO 8601 timestamp. */
  since: string;
}

export const planLocks = pgTable('payment_turns', {
  userId: uuid('user_id').primaryKey(),
  holder: uuid().notNull(),
  /** When the lock expires, by the database's clock. */
  endsAt: instant('ends_at').notNull(),
  work: jsonb().$type<PendingChange>(),
});

export const invoices = pgTable('invoices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  provider: text().$type<ProviderName>().notNull(),
  providerInvoice: text('provider_invoice').notNull(),
  invoiceNo: text('invoice_no').notNull(),
  plan: text().notNull(),
  /** US cents. */
  amount: integer().notNull(),
  paidAt: instant('paid_at').notNull(),
  billingAddress: text('billing_address'),
  /** Links to the provider's documents; null if this server generates them. */
  invoiceUrl: text('invoice_url'),
  receiptUrl: text('receipt_url'),
});

export const sandboxSubscriptions = pgTable('sandbox_subscriptions', {
  id: text().primaryKey(),
  userId: uuid('user_id').notNull(),
  checkoutId: text('checkout_id').notNull(),
  priceId: text('price_id').notNull(),
  status: text().$type<'active' | 'cancelled' | 'ended'>().notNull(),
  startedAt: instant('started_at').notNull(),
  periodStart: instant('period_start').notNull(),
  periodEnd: instant('period_end').notNull(),
  billingAddress: text('billing_address'),
  nextPriceId: text('next_price_id'),
});

export const sandboxBalances = pgTable('sandbox_balances', {
  userId: uuid('user_id').primaryKey(),
  /** US cents. */
  cents: integer().notNull(),
});

export const sandboxInvoices = pgTable('sandbox_invoices', {
  id: text().primaryKey(),
  subscriptionId: text('subscription_id').notNull(),
  number: text().notNull(),
  priceId: text('price_id').notNull(),
  /** US cents. */
  amount: integer().notNull(),
  paidAt: instant('paid_at').notNull(),
});

export type CheckoutRow = typeof checkouts.$inferSelect;
export type InvoiceRow = typeof invoices.$inferSelect;
export type SandboxSubscriptionRow = typeof sandboxSubscriptions.$inferSelect;
