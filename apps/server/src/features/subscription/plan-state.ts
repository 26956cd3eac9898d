import type { Plan, Plans } from './plans.ts';
import type { SubscriptionRow } from './subscription.tables.ts';
import type { Window, WindowName } from './windows.ts';

export interface PlanState {
  plan: Plan;
  status: SubscriptionRow['status'];
  credit: number;
  /** The end of the paid period; null for the free plan. */
  endsAt: Date | null;
  /** The plan that begins then; null if the current one renews or only ends. */
  next: Plan | null;
}

/** Whether a cancelled plan has ended, so that the user is on the free plan. */
export const isOver = (
  { status, endsAt }: Pick<SubscriptionRow, 'status' | 'endsAt'>,
  time: Date,
): boolean => status === 'Cancelled' && endsAt !== null && endsAt <= time;

/**
 * A paid plan has expired if its period ended without a payment. A cancelled plan becomes the free plan.
 * The next plan begins without a report from the provider if it needs no payment.
 */
export function planStateAt(
  row:
    | Pick<
        SubscriptionRow,
        'plan' | 'status' | 'credit' | 'endsAt' | 'nextPlan' | 'nextEndsAt' | 'provider'
      >
    | undefined,
  plans: Plans,
  time: Date,
): PlanState {
  const free = { plan: plans.free, status: 'Active', endsAt: null, next: null } as const;
  if (!row) return { ...free, credit: 0 };
  const { status, credit, endsAt, nextPlan, nextEndsAt } = row;
  if (!plans.counts(row) || isOver(row, time)) return { ...free, credit };
  const ended = endsAt !== null && endsAt <= time;
  const next = nextPlan === null ? null : plans.named(nextPlan);
  if (ended && next && nextEndsAt) {
    const nextStatus = nextEndsAt > time ? 'Active' : 'Expired';
    return { plan: next, status: nextStatus, credit, endsAt: nextEndsAt, next: null };
  }
  const plan = plans.named(row.plan);
  return { plan, status: ended ? 'Expired' : status, credit, endsAt, next };
}

/** The complete state of a subscription at its payment provider. */
export interface ReportedSubscription {
  userId: string;
  provider: NonNullable<SubscriptionRow['provider']>;
  subscription: string;
  customer: string;
  priceId: string;
  /** 'expired': a period was not paid. 'cancelled': it ends at `endsAt`. */
  status: 'active' | 'cancelled' | 'expired';
  endsAt: Date;
  /** The next price; `endsAt` is null if its payment is still due. */
  next: { priceId: string; endsAt: Date | null } | null;
  /** US cents that the provider holds for the user, and deducts from the next payment. */
  balance: number;
  billingAddress: string | null;
  reportedAt: Date;
}

export interface QueryLimit {
  name: WindowName;
  limit: number;
  used: number;
  window: Window;
}

export function limitsOf(
  { queriesDay, queriesWeek, queriesMonth }: Plan,
  used: Record<WindowName, number>,
  windows: Record<WindowName, Window>,
): QueryLimit[] {
  const limits = { day: queriesDay, week: queriesWeek, month: queriesMonth };
  return (['day', 'week', 'month'] as const)
    .map((name) => ({ name, limit: limits[name], used: used[name], window: windows[name] }))
    .filter(({ limit }) => limit > 0);
}

/** The used-up limit that resets last; undefined if a question may be asked. */
export const usedUp = (limits: readonly QueryLimit[]): QueryLimit | undefined =>
  limits
    .filter(({ used, limit }) => used >= limit)
    .toSorted((a, b) => b.window.opens.getTime() - a.window.opens.getTime())[0];

/** The limits of which the next question will have used more than 80%. */
export const nearlyUsedUp = (limits: readonly QueryLimit[]): QueryLimit[] =>
  limits.filter(({ used, limit }) => used < limit && (used + 1) * 5 > limit * 4);
