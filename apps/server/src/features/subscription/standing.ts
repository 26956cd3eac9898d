import type { Plans } from './plan-catalog.ts';
import type { Plan } from './plans.ts';
import type { SubscriptionRow } from './subscription.tables.ts';
import type { Window, WindowName } from './windows.ts';

/** What a subscription amounts to at a moment. */
export interface Standing {
  plan: Plan;
  status: SubscriptionRow['status'];
  credit: number;
}

/** What a standing is told from. */
export type StandingRow = Pick<SubscriptionRow, 'plan' | 'status' | 'credit' | 'endsAt'>;

/** Whether a cancelled plan has run to its end: from then on the free one counts. */
export const hasRunOut = ({ status, endsAt }: StandingRow, at: Date): boolean =>
  status === 'Cancelled' && endsAt !== null && endsAt <= at;

/**
 * A paid plan whose period ended unpaid has expired; a cancelled one runs to its end and then
 * becomes the free plan.
 */
export function standingAt(row: StandingRow | undefined, plans: Plans, at: Date): Standing {
  if (!row) return { plan: plans.free, status: 'Active', credit: 0 };
  const { status, credit, endsAt } = row;
  if (hasRunOut(row, at)) return { plan: plans.free, status: 'Active', credit };
  const ended = endsAt !== null && endsAt <= at;
  return { plan: plans.named(row.plan), status: ended ? 'Expired' : status, credit };
}

/** A plan's limit on the questions of a window. */
export interface QueryLimit {
  name: WindowName;
  limit: number;
  used: number;
  window: Window;
}

/** The limits of a plan that apply, each with what is used of it. */
export const limitsOf = (
  { queries }: Plan,
  used: Record<WindowName, number>,
  windows: Record<WindowName, Window>,
): QueryLimit[] =>
  (['day', 'week', 'month'] as const)
    .filter((name) => queries[name] > 0)
    .map((name) => ({
      name,
      limit: queries[name],
      used: used[name],
      window: windows[name],
    }));

/** The used-up limit that is the last to open again; undefined while a question may be asked. */
export const usedUp = (limits: readonly QueryLimit[]): QueryLimit | undefined =>
  limits
    .filter(({ used, limit }) => used >= limit)
    .toSorted((a, b) => b.window.opens.getTime() - a.window.opens.getTime())[0];

/** The limits of whose last fifth the next question would take. */
export const nearlyUsedUp = (limits: readonly QueryLimit[]): QueryLimit[] =>
  limits.filter(({ used, limit }) => used < limit && (used + 1) * 5 > limit * 4);
