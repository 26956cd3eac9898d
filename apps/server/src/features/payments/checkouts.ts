import type { CheckoutRow } from './payments.tables.ts';
import type { PaymentsContext } from './payments-context.ts';
import { makeChange, type PlanChanges } from './plan-change.ts';
import type { PlanLock, SaveWork } from './plan-lock.ts';
import { type CheckoutState, PaymentDeclined } from './provider.ts';
import type { SubscriptionSync } from './subscription-sync.ts';

/** How long after its expiry an open checkout counts as expired, in milliseconds: clocks differ. */
const EXPIRY_GRACE_MS = 10 * 60_000;

/** The longest time that a payment may be processing, in milliseconds: a bank may take two weeks. */
const MAX_PROCESSING_MS = 21 * 24 * 3_600_000;

const isExpired = ({ expiresAt }: CheckoutRow, at: Date): boolean =>
  at.getTime() >= expiresAt.getTime() + EXPIRY_GRACE_MS;

const isLost = ({ createdAt }: CheckoutRow, at: Date): boolean =>
  at.getTime() - createdAt.getTime() >= MAX_PROCESSING_MS;

/** Reads the state of checkouts, and applies what was bought or changed by them. */
export function createCheckouts(
  { core, subscription: plans, repository, providers }: PaymentsContext,
  sync: SubscriptionSync,
  { withLock }: PlanLock,
  changes: PlanChanges,
) {
  const { now } = core;

  /**
   * Makes the change that a checkout took the card for. False if it can no longer be made, because the
   * plan has ended meanwhile, or the card was declined.
   */
  const changeBy = async (
    { provider: name, userId, priceId, changes: changed }: CheckoutRow,
    card: string,
    saveWork: SaveWork,
  ): Promise<boolean> => {
    const [provider, plan] = [providers[name], await plans.planByPrice(priceId)];
    const user = await plans.find(userId);
    if (!provider || !plan || user?.bought?.subscription !== changed) return false;
    const kind = await changes.kindOf(user, plan);
    if (kind === 'new') return false;
    if (kind === 'none') return true;
    const { subscription } = user.bought;
    const change = { plan, card, asOf: now() };
    try {
      await makeChange(provider, subscription, kind, change, { saveWork, now: now() });
      return true;
    } catch (error) {
      if (error instanceof PaymentDeclined) return false;
      throw error;
    }
  };

  /** Applies the state of a checkout. Call it under the plan's lock. */
  const apply = async (
    row: CheckoutRow,
    state: CheckoutState | null | undefined,
    saveWork: SaveWork,
  ): Promise<'paid' | 'unpaid'> => {
    const isDone = !state?.card || (await changeBy(row, state.card, saveWork));
    if (state?.subscription && isDone) {
      const status = state.status === 'processing' && isLost(row, now()) ? 'expired' : state.status;
      await sync.sync(row.provider, state.subscription, (tx) =>
        repository.setStatus(row.id, status, tx),
      );
      return state.status === 'paid' ? 'paid' : 'unpaid';
    }
    if (state === null || state?.status === 'expired' || !isDone || isExpired(row, now())) {
      await repository.setStatus(row.id, 'expired');
    }
    return 'unpaid';
  };

  /** Asks the provider for a checkout's state and applies it. Call it under the plan's lock. */
  const settleLocked = async (row: CheckoutRow, saveWork: SaveWork): Promise<'paid' | 'unpaid'> => {
    if (row.status === 'paid') return 'paid';
    // A change that was declined or overtaken is not made later.
    if (row.status === 'expired' && row.changes !== null) return 'unpaid';
    return apply(row, await providers[row.provider]?.readCheckout(row.id), saveWork);
  };

  return {
    apply,
    settleLocked,

    /** The same without the lock, which is taken for a checkout that changes the plan. */
    settle: (row: CheckoutRow): Promise<'paid' | 'unpaid'> =>
      row.changes === null
        ? settleLocked(row, () => Promise.resolve())
        : withLock(row.userId, async (saveWork) =>
            settleLocked((await repository.findCheckout(row.id)) ?? row, saveWork),
          ),
  };
}

export type Checkouts = ReturnType<typeof createCheckouts>;
