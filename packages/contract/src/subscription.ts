import { z } from 'zod';
import { defineRoute } from './route.ts';

const count = z.number().int().nonnegative();
/** Gigabytes (10^9 bytes). */
const gigabytes = z.number().nonnegative();

/** Use and limits of the caller's plan; a limit that does not apply to the plan is 0. */
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

export const getMetrics = defineRoute({
  id: 'subscription.getMetrics',
  method: 'GET',
  path: '/subscription/metrics',
  summary: 'Use and limits of the plan',
  auth: 'user',
  kind: 'json',
  data: metrics,
});
