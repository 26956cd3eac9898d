import type { Plans } from './plan-catalog.ts';
import type { Plan } from './plans.ts';
import type { SubscriptionRow } from './subscription.tables.ts';
import type { Window, WindowName } from './windows.ts';

/** What a subscription amounts to at a moment. */
export interface Standing {
  plan: Plan;
  status: SubscriptionRow['status'];
  credit: number;
  /** End of the period that is paid for; null for the free plan, which never ends. */
  endsAt: Date | null;
  /** What begins then; null where the plan goes on, or only ends. */
  next: Plan | null;
}

/** What a standing is told from. */
export type StandingRow = Pick<
  SubscriptionRow,
  'plan' | 'status' | 'credit' | 'endsAt' | 'nextPlan' | 'nextEndsAt' | 'provider'
>;

/** Whether a cancelled plan has run to its end: from then on the free one counts. */
export const hasRunOut = (
  { status, endsAt }: Pick<StandingRow, 'status' | 'endsAt'>,
  at: Date,
): boolean => status === 'Cancelled' && endsAt !== null && endsAt <= at;

/**
 * A paid plan whose period ended unpaid has expired; a cancelled one runs to its end and then
 * becomes the free plan; a plan that was chosen to follow begins at the end, without being told of.
 */
export function standingAt(row: StandingRow | undefined, plans: Plans, at: Date): Standing {
  const free = { plan: plans.free, status: 'Active', endsAt: null, next: null } as const;
  if (!row) return { ...free, credit: 0 };
  const { status, credit, endsAt, nextPlan, nextEndsAt } = row;
  if (!plans.counts(row) || hasRunOut(row, at)) return { ...free, credit };
  const ended = endsAt !== null && endsAt <= at;
  const next = nextPlan === null ? null : plans.named(nextPlan);
  if (ended && next && nextEndsAt) {
    const following = nextEndsAt > at ? 'Active' : 'Expired';
    return { plan: next, status: following, credit, endsAt: nextEndsAt, next: null };
  }
  const plan = plans.named(row.plan);
  return { plan, status: ended ? 'Expired' : status, credit, endsAt, next };
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
