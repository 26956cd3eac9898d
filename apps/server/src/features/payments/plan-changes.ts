import { randomUUID } from 'node:crypto';
import type { PlanChange } from '@engram/contract';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { HttpError } from '../../platform/http/errors.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { CurrentPlan } from '../subscription/subscription.service.ts';
import { type CheckoutRow, planLocks, type PlanWork } from './payments.tables.ts';
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

/** How long after its expiry an open checkout counts as expired, in milliseconds: clocks differ. */
const EXPIRY_GRACE_MS = 10 * 60_000;

/** The longest time that a payment may be processing, in milliseconds: a bank may take two weeks. */
const MAX_PROCESSING_MS = 21 * 24 * 3_600_000;

/** After this many seconds a lock expires. The calls of a provider take less. */
const LOCK_SECONDS = 180;

const FINISHED_AT_ONCE = 50;

/** How long an interrupted change is still made, in milliseconds. */
const WORK_TTL_MS = 24 * 3_600_000;

/** What choosing a plan does: 'none' if the user has it already and it renews. */
type ChangeKind = PlanChange['kind'] | 'none';

/** What choosing a plan means, and the lock under which a plan is bought, changed or ended. */
export function createPlanChanges(
  { core, subscription: plans, repository, providers, current }: PaymentsContext,
  { sync }: SubscriptionSync,
) {
  const { now } = core;
  const { db } = core.storage.database;
  const calls = createFairLimiter({ concurrency: Infinity, concurrencyPerGroup: 1 });
  const expired = lte(planLocks.endsAt, sql`now()`);

  const finish = async ({ provider: name, subscription, nextPriceId, since }: PlanWork) => {
    const asOf = now();
    const provider = providers[name];
    const state = await provider?.readSubscription(subscription);
    const plan = nextPriceId === null ? undefined : await plans.planByPrice(nextPriceId);
    const isRecent = asOf.getTime() - Date.parse(since) < WORK_TTL_MS;
    if (state && plan && isRecent && !hasEnded(state, asOf)) {
      await provider?.changePlan(subscription, { plan, begins: 'at the end', asOf, card: null });
    }
    await sync(name, subscription);
  };

  const hold = async <T>(userId: string, call: () => Promise<T>): Promise<T> => {
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
      const message =
        'Your plan is being changed at this very moment. Please wait a minute, and look at it again.';
      throw new HttpError(409, 'plan_busy', message);
    }
    const isHeld = and(eq(planLocks.userId, userId), eq(planLocks.holder, holder));
    try {
      if (locked.work) {
        await finish(locked.work);
        await db.update(planLocks).set({ work: null }).where(isHeld);
      }
      const result = await call();
      await db.delete(planLocks).where(isHeld);
      return result;
    } catch (error) {
      // The next holder finishes what the provider did not answer.
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
   * One purchase, change or end of a user's plan at a time, so that each starts from the result of the one
   * before. Calls on one server wait for each other. A call is refused while another server on the same
   * database holds the lock. No transaction is open while a provider is asked.
   * @throws HttpError 409 while another server holds the lock.
   */
  const withLock = <T>(userId: string, call: () => Promise<T>): Promise<T> =>
    calls.run(userId, null, () => hold(userId, call));

  const heldOf = (plan: CurrentPlan | undefined): CurrentPlan | undefined =>
    plan?.bought && plan.bought.provider === current?.name ? plan : undefined;

  const kindOf = async (user: CurrentPlan | undefined, plan: SoldPlan): Promise<ChangeKind> => {
    const held = heldOf(user);
    if (!held?.runs) return 'new';
    const renews = !held.cancelled && held.next === null;
    if (held.plan.priceId === plan.priceId) return renews ? 'none' : 'resume';
    if (held.next?.priceId === plan.priceId) return 'none';
    const waits = await plans.isCheaperOrShorter(plan.priceId, held.plan.priceId);
    return waits ? 'later' : 'upgrade';
  };

  const costOf = async (
    kind: ChangeKind,
    held: CurrentPlan | undefined,
    plan: SoldPlan,
    asOf: Date,
  ): Promise<Amounts> =>
    kind === 'upgrade' && current && held?.bought
      ? current.quote(held.bought.subscription, plan, asOf)
      : amountsOf(kind === 'new' ? plan.amount : 0, held?.balance ?? 0);

  /** Makes a change at a provider, under the plan's lock. After a kill the next holder finishes it. */
  const make = async (
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

  /** Makes the change that a checkout took the card for. False if it can no longer be made. */
  const makeOf = async (
    { provider: name, userId, priceId, changes }: CheckoutRow,
    card: string,
  ): Promise<boolean> => {
    const [provider, plan] = [providers[name], await plans.planByPrice(priceId)];
    const user = await plans.find(userId);
    if (!provider || !plan || user?.bought?.subscription !== changes) return false;
    const kind = await kindOf(user, plan);
    if (kind === 'new') return false;
    if (kind === 'none') return true;
    try {
      const { subscription } = user.bought;
      await make(provider, userId, subscription, kind, { plan, card, asOf: now() });
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
    const at = now().getTime();
    const isDone = !state?.card || (await makeOf(row, state.card));
    if (state?.subscription && isDone) {
      const isLost = at - createdAt.getTime() >= MAX_PROCESSING_MS;
      const status = state.status === 'processing' && isLost ? 'expired' : state.status;
      await sync(provider, state.subscription, { id, status });
      return state.status === 'paid' ? 'paid' : 'unpaid';
    }
    const isExpired = at >= expiresAt.getTime() + EXPIRY_GRACE_MS;
    if (state === null || state?.status === 'expired' || !isDone || isExpired) {
      await repository.setStatus(id, 'expired');
    }
    return 'unpaid';
  };

  /** Asks the provider for a checkout's state and applies it. Call it under the plan's lock. */
  const settleLocked = async (row: CheckoutRow): Promise<'paid' | 'unpaid'> => {
    if (row.status === 'paid') return 'paid';
    // A change that was declined or overtaken is not made later.
    if (row.status === 'expired' && row.changes !== null) return 'unpaid';
    return apply(row, await providers[row.provider]?.readCheckout(row.id));
  };

  return {
    withLock,
    heldOf,
    kindOf,
    make,
    apply,
    settleLocked,

    /** The same without the lock, which is taken for a checkout that changes the plan. */
    settle: (row: CheckoutRow): Promise<'paid' | 'unpaid'> =>
      row.changes === null
        ? settleLocked(row)
        : withLock(row.userId, async () =>
            settleLocked((await repository.findCheckout(row.id)) ?? row),
          ),

    /** What choosing a plan would do; null if the user has it already and it renews. */
    async preview(user: CurrentPlan | undefined, plan: SoldPlan): Promise<PlanChange | null> {
      const [kind, held, asOf] = [await kindOf(user, plan), heldOf(user), now()];
      if (kind === 'none') return null;
      const { due, price, credited, balance } = await costOf(kind, held, plan, asOf);
      return {
        kind,
        plan: plan.name,
        beginsOn: ((kind === 'later' && held?.endsAt) || asOf).toISOString(),
        dueToday: due / 100,
        price: price / 100,
        credited: credited / 100,
        balance: balance / 100,
        asOf: asOf.toISOString(),
      };
    },

    /** Releases all locks. Only for an embedded database, on which no other server works. */
    async releaseAll(): Promise<void> {
      await db.update(planLocks).set({ endsAt: sql`now()` });
    },

    async finishInterrupted(): Promise<void> {
      const rows = await db
        .select({ userId: planLocks.userId })
        .from(planLocks)
        .where(expired)
        .orderBy(asc(planLocks.endsAt))
        .limit(FINISHED_AT_ONCE);
      for (const { userId } of rows) await withLock(userId, () => Promise.resolve());
    },
  };
}

export type PlanChanges = ReturnType<typeof createPlanChanges>;
