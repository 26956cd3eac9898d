import { randomUUID } from 'node:crypto';
import type { PlanChange } from '@engram/contract';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { HttpError } from '../../platform/http/errors.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { CurrentPlan } from '../subscription/subscription.service.ts';
import { type CheckoutRow, planLocks, type PendingChange } from './payments.tables.ts';
import {
  type Amounts,
  amountsOf,
  type Change,
  type CheckoutState,
  hasEnded,
  PaymentDeclined,
  type PaymentProvider,
  ProviderDown,
  type SoldPlan,
} from './provider.ts';
import type { PaymentsContext, SubscriptionSync } from './subscription-sync.ts';

/** The delay before an open checkout counts as expired, in milliseconds, because clocks differ. */
const EXPIRY_GRACE_MS = 10 * 60_000;

/** The longest time that a payment may be processing, in milliseconds: a bank may take two weeks. */
const MAX_PROCESSING_MS = 21 * 24 * 3_600_000;

/** The seconds after which a lock expires. Calls to a provider take less. */
const LOCK_SECONDS = 180;

const MAX_INTERRUPTED = 50;

/** How long an interrupted change may still be made, in milliseconds. */
const CHANGE_TTL_MS = 24 * 3_600_000;

/** The effect of choosing a plan: 'none' if the user already has it and it renews. */
type ChangeKind = PlanChange['kind'] | 'none';

/** Decides the effect of choosing a plan, and holds the lock under which plans are bought, changed or ended. */
export function createPlanChanges(
  { core, subscription: plans, repository, providers, current }: PaymentsContext,
  { sync }: SubscriptionSync,
) {
  const { now } = core;
  const { db } = core.storage.database;
  const calls = createFairLimiter({ concurrency: Infinity, concurrencyPerGroup: 1 });
  const expired = lte(planLocks.endsAt, sql`now()`);

  const resume = async ({ provider: name, subscription, nextPriceId, since }: PendingChange) => {
    const asOf = now();
    const provider = providers[name];
    const state = await provider?.readSubscription(subscription);
    const plan = nextPriceId === null ? undefined : await plans.planByPrice(nextPriceId);
    const isRecent = asOf.getTime() - Date.parse(since) < CHANGE_TTL_MS;
    if (state && plan && isRecent && !hasEnded(state, asOf)) {
      await provider?.changePlan(subscription, { plan, begins: 'at the end', asOf, card: null });
    }
    await sync(name, subscription);
  };

  const runLocked = async <T>(userId: string, call: () => Promise<T>): Promise<T> => {
    const holder = randomUUID();
    const endsAt = sql`now() + make_interval(secs => ${LOCK_SECONDS})`;
    const [locked] = await db
      .insert(planLocks)
      .values({ userId, holder, endsAt })
      .onConflictDoUpdate({
        target: planLocks.userId,
        set: { holder, endsAt },
        setWhere: expired,
      })
      .returning({ work: planLocks.work });
    if (!locked) {
      const message = 'Your plan is being changed right now. Please check it again in a minute.';
      throw new HttpError(409, 'plan_busy', message);
    }
    const isHeld = and(eq(planLocks.userId, userId), eq(planLocks.holder, holder));
    try {
      if (locked.work) {
        await resume(locked.work);
        await db.update(planLocks).set({ work: null }).where(isHeld);
      }
      const result = await call();
      await db.delete(planLocks).where(isHeld);
      return result;
    } catch (error) {
      // The next holder finishes the change.
      await (error instanceof ProviderDown
        ? db
            .update(planLocks)
            .set({ endsAt: sql`now()` })
            .where(isHeld)
        : db.delete(planLocks).where(isHeld));
      throw error;
    }
  };

  /**
   * Serializes purchases, changes and cancellations of a user's plan. Calls on one server wait for each other.
   * No transaction is open during calls to the provider.
   * @throws HttpError 409 while another server on the same database holds the lock.
   */
  const withLock = <T>(userId: string, call: () => Promise<T>): Promise<T> =>
    calls.run(userId, null, () => runLocked(userId, call));

  const planAtCurrent = (plan: CurrentPlan | undefined): CurrentPlan | undefined =>
    plan?.purchase && plan.purchase.provider === current?.name ? plan : undefined;

  const kindOf = async (user: CurrentPlan | undefined, plan: SoldPlan): Promise<ChangeKind> => {
    const owned = planAtCurrent(user);
    if (!owned?.isPaid) return 'new';
    const renews = !owned.isCancelled && owned.next === null;
    if (owned.plan.priceId === plan.priceId) return renews ? 'none' : 'resume';
    if (owned.next?.priceId === plan.priceId) return 'none';
    const isLater = await plans.isCheaperOrShorter(plan.priceId, owned.plan.priceId);
    return isLater ? 'later' : 'upgrade';
  };

  const costOf = async (
    kind: ChangeKind,
    owned: CurrentPlan | undefined,
    plan: SoldPlan,
    asOf: Date,
  ): Promise<Amounts> =>
    kind === 'upgrade' && current && owned?.purchase
      ? current.quote(owned.purchase.subscription, plan, asOf)
      : amountsOf(kind === 'new' ? plan.amount : 0, owned?.balance ?? 0);

  /** Makes a change at a provider, under the plan's lock. After a crash the next holder finishes it. */
  const makeChange = async (
    provider: PaymentProvider,
    userId: string,
    subscription: string,
    kind: 'upgrade' | 'later' | 'resume',
    change: Omit<Change, 'begins'>,
  ): Promise<void> => {
    const nextPriceId = kind === 'later' ? change.plan.priceId : null;
    const since = now().toISOString();
    const work = { provider: provider.name, subscription, nextPriceId, since };
    await db.update(planLocks).set({ work }).where(eq(planLocks.userId, userId));
    if (kind === 'resume') return provider.resume(subscription, change.card);
    const begins = kind === 'later' ? 'at the end' : 'now';
    return provider.changePlan(subscription, { ...change, begins });
  };

  /** Makes the change for which a checkout took the card. False if it can no longer be made. */
  const makeForCheckout = async (
    { provider: name, userId, priceId, changes }: CheckoutRow,
    card: string,
  ): Promise<boolean> => {
    const [provider, plan] = [providers[name], await plans.planByPrice(priceId)];
    const user = await plans.find(userId);
    if (!provider || !plan || user?.purchase?.subscription !== changes) return false;
    const kind = await kindOf(user, plan);
    if (kind === 'new') return false;
    if (kind === 'none') return true;
    try {
      const { subscription } = user.purchase;
      await makeChange(provider, userId, subscription, kind, { plan, card, asOf: now() });
      return true;
    } catch (error) {
      if (error instanceof PaymentDeclined) return false;
      throw error;
    }
  };

  const apply = async (
    row: CheckoutRow,
    state: CheckoutState | null | undefined,
  ): Promise<'paid' | 'unpaid'> => {
    const { id, provider, createdAt, expiresAt } = row;
    const time = now().getTime();
    const isMade = !state?.card || (await makeForCheckout(row, state.card));
    if (state?.subscription && isMade) {
      const isOverdue = time - createdAt.getTime() >= MAX_PROCESSING_MS;
      const status = state.status === 'processing' && isOverdue ? 'expired' : state.status;
      await sync(provider, state.subscription, { id, status });
      return state.status === 'paid' ? 'paid' : 'unpaid';
    }
    const isExpired = time >= expiresAt.getTime() + EXPIRY_GRACE_MS;
    if (state === null || state?.status === 'expired' || !isMade || isExpired) {
      await repository.setStatus(id, 'expired');
    }
    return 'unpaid';
  };

  /** Applies the provider's state of a checkout. Requires the plan's lock. */
  const settleLocked = async (row: CheckoutRow): Promise<'paid' | 'unpaid'> => {
    if (row.status === 'paid') return 'paid';
    // A declined or superseded change is not made later.
    if (row.status === 'expired' && row.changes !== null) return 'unpaid';
    return apply(row, await providers[row.provider]?.readCheckout(row.id));
  };

  return {
    withLock,
    planAtCurrent,
    kindOf,
    makeChange,
    apply,
    settleLocked,

    /** Like `settleLocked`, but takes the lock if the checkout changes a plan. */
    settle: (row: CheckoutRow): Promise<'paid' | 'unpaid'> =>
      row.changes === null
        ? settleLocked(row)
        : withLock(row.userId, async () =>
            settleLocked((await repository.findCheckout(row.id)) ?? row),
          ),

    /** The effect of choosing a plan; null if the user already has it and it renews. */
    async preview(user: CurrentPlan | undefined, plan: SoldPlan): Promise<PlanChange | null> {
      const [kind, owned, asOf] = [await kindOf(user, plan), planAtCurrent(user), now()];
      if (kind === 'none') return null;
      const { due, price, credited, balance } = await costOf(kind, owned, plan, asOf);
      return {
        kind,
        plan: plan.name,
        beginsOn: ((kind === 'later' && owned?.endsAt) || asOf).toISOString(),
        dueToday: due / 100,
        price: price / 100,
        credited: credited / 100,
        balance: balance / 100,
        asOf: asOf.toISOString(),
      };
    },

    /** Releases all locks. Only for an embedded database, which no other server uses. */
    async releaseAll(): Promise<void> {
      await db.update(planLocks).set({ endsAt: sql`now()` });
    },

    async finishInterrupted(): Promise<void> {
      const rows = await db
        .select({ userId: planLocks.userId })
        .from(planLocks)
        .where(expired)
        .orderBy(asc(planLocks.endsAt))
        .limit(MAX_INTERRUPTED);
      for (const { userId } of rows) await withLock(userId, () => Promise.resolve());
    },
  };
}

export type PlanChanges = ReturnType<typeof createPlanChanges>;
