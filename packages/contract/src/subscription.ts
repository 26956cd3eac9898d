import { z } from 'zod';
import { CREDIT_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { count, id, listQuery, timestamp } from './values.ts';

/** Gigabytes (10^9 bytes). */
const gigabytes = z.number().nonnegative();

/** Use and limits of the user's plan. A limit that does not apply is 0. */
export const metrics = z.object({
  /** Name of the plan, such as 'Starter(Free)'. */
  plan: z.string(),
  credit: z.number().int(),
  status: z.enum(['Active', 'Cancelled', 'Expired']),
  /** Whether this server enforces the limits, or only shows them. */
  enforced: z.boolean(),
  daily_query_limit: count,
  daily_queries_used: count,
  weekly_query_limit: count,
  weekly_queries_used: count,
  monthly_query_limit: count,
  monthly_queries_used: count,
  weekly_file_size: gigabytes,
  weekly_file_size_limit: gigabytes,
  yearly_file_size: gigabytes,
  yearly_file_size_limit: gigabytes,
});
export type Metrics = z.output<typeof metrics>;

export const getMetrics = defineRoute('GET /subscription/metrics', {
  summary: 'Use and limits of the plan',
  data: metrics,
});

/** US dollars. */
const dollars = z.number().nonnegative();
export const billingPeriod = z.enum(['weekly', 'monthly', 'quarterly', 'yearly']);
export type BillingPeriod = z.output<typeof billingPeriod>;

export const plan = z.object({
  /** Such as 'Engram - Pro - monthly', or 'Starter(Free)'. */
  name: z.string(),
  productId: z.string(),
  /** The free plan has one too. */
  priceId: z.string(),
  amount: dollars,
  billingPeriod,
  /** A limit that does not apply is 0. */
  queryLimit: z.object({ dailyLimit: count, weeklyLimit: count, monthlyLimit: count }),
  /** A limit that does not apply is 0. */
  fileSizeLimit: z.object({
    weeklyLimit: gigabytes,
    monthlyLimit: gigabytes,
    quarterlyLimit: gigabytes,
    yearlyLimit: gigabytes,
  }),
});
export type Plan = z.output<typeof plan>;

export const listPlans = defineRoute('GET /subscription/active', {
  summary: 'The available plans, the free one first',
  data: z.array(plan),
});

const billingRecord = z.object({
  productName: z.string(),
  billingCycle: billingPeriod.nullable(),
  /** When the paid period ends; null for the free plan. */
  renewsOn: timestamp.nullable(),
  amount: dollars,
  status: z.enum(['ACTIVE', 'CANCELLED', 'EXPIRED']),
  billingAddress: z.string().nullable(),
  /** When files above the free storage are deleted after a cancelled plan. */
  filesDeletedOn: timestamp.nullable(),
  /** The plan that follows this one, or null. */
  next: z
    .object({
      productName: z.string(),
      billingCycle: billingPeriod,
      amount: dollars,
    })
    .nullable(),
  /** US dollars from an earlier plan, used for the next payment. */
  balance: dollars,
  /** A plan that was bought in the sandbox and is not valid here. */
  sandboxPlan: z.string().nullable(),
});
export type BillingRecord = z.output<typeof billingRecord>;

export const getBilling = defineRoute('GET /subscription/billing', {
  summary: "The caller's billed plan",
  data: z.array(billingRecord),
});

export const credit = z.object({ userId: id, credit: z.number().int() });
export type Credit = z.output<typeof credit>;

export const listCredits = defineRoute('GET /subscription/get-credits', {
  summary: 'The credits of all users',
  auth: 'admin',
  /** `q` searches the address, ignoring case. */
  query: listQuery,
  data: z.array(credit),
  list: true,
  errors: { 403: 'Only admins may do this.' },
});

const creditRoute = {
  auth: 'admin',
  params: z.object({
    userId: id,
    credits: z
      .string()
      .regex(/^\d{1,7}$/u, { error: 'Credits must be a whole number of at least 1.' })
      .transform(Number)
      .pipe(z.number().int().min(1).max(CREDIT_LIMIT)),
  }),
  /** The balance afterwards. */
  data: credit,
  message: 'Updated successfully',
  errors: { 403: 'Only admins may do this.', 404: 'No such user.' },
} as const;

export const addCredits = defineRoute('POST /subscription/update-credits/{userId}/{credits}', {
  ...creditRoute,
  summary: 'Add credits to a user',
});

export const addCreditsByPut = defineRoute('PUT /subscription/update-credits/{userId}/{credits}', {
  ...creditRoute,
  summary: 'The same by PUT',
});

export const ledgerEntry = z.object({
  id,
  userId: id,
  /** Credits added (above zero) or used (below). */
  change: z.number().int(),
  /** Credits left afterwards. */
  balance: z.number().int(),
  reason: z.enum(['Added by an admin', 'Used for a question']),
  createdDate: timestamp,
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

export const listLedger = defineRoute('GET /subscription/ledger', {
  summary: "All changes of the caller's credits, newest first",
  query: listQuery.omit({ q: true }),
  data: z.array(ledgerEntry),
  list: true,
});
