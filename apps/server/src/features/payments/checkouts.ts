import type { KeptPlan } from '../subscription/subscription.service.ts';
import type { Intake } from './intake.ts';
import { isLate, isOver } from './looks.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow } from './payments.tables.ts';
import { makeChange, type PlanChanges } from './plan-change.ts';
import {
  type CheckoutState,
  PaymentDeclined,
  type PaymentProvider,
  type ProviderName,
  type SoldPlan,
} from './provider.ts';
import type { Note, WithPlanLock } from './plan-lock.ts';

export interface CheckoutsDependencies {
  repository: Pick<PaymentsRepository, 'findCheckout' | 'setStatus'>;
  /** Those that are set. */
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  intake: Pick<Intake, 'take'>;
  withPlanLock: WithPlanLock;
  now: () => Date;
  /** A person's plan as it is kept; undefined where there is no such person. */
  findPlan: (userId: string) => Promise<KeptPlan | undefined>;
  /** Any plan of a price, sold any more or not. */
  planByPrice: (priceId: string) => Promise<SoldPlan | undefined>;
  changes: Pick<PlanChanges, 'kindOf'>;
}

/** How checkouts stand, and what comes of them. */
export function createCheckouts(deps: CheckoutsDependencies) {
  const { repository, providers, intake, withPlanLock, changes, now } = deps;

  /**
   * Makes the change that a checkout was for, with its card. False where it cannot be made any more:
   * the plan has ended meanwhile, or the card was declined.
   */
  const changeBy = async ({ provider: name, ...row }: CheckoutRow, card: string, note: Note) => {
    const [provider, plan] = [providers[name], await deps.planByPrice(row.priceId)];
    const kept = await deps.findPlan(row.userId);
    if (!provider || !plan || kept?.bought?.subscription !== row.changes) return false;
    const kind = await changes.kindOf(kept, plan);
    if (kind === 'new') return false;
    if (kind === 'none') return true;
    const { subscription } = kept.bought;
    const nextPriceId = kind === 'later' ? plan.priceId : null;
    await note({ provider: name, subscription, nextPriceId, since: now().toISOString() });
    try {
      await makeChange(provider, subscription, kind, { plan, card, asOf: now() });
      return true;
    } catch (error) {
      if (error instanceof PaymentDeclined) return false;
      throw error;
    }
  };

  /** Keeps how a checkout stands, and takes in what was bought or changed by it. */
  const keepCheckout = async (
    row: CheckoutRow,
    state: CheckoutState | null | undefined,
    note: Note,
  ): Promise<'paid' | 'unpaid'> => {
    const isDone = !state?.card || (await changeBy(row, state.card, note));
    if (state?.subscription && isDone) {
      const isLost = state.status === 'processing' && isLate(row, now());
      await intake.take(row.provider, state.subscription, (tx) =>
        repository.setStatus(row.id, isLost ? 'expired' : state.status, tx),
      );
      return state.status === 'paid' ? 'paid' : 'unpaid';
    }
    if (state === null || state?.status === 'expired' || !isDone || isOver(row, now())) {
      await repository.setStatus(row.id, 'expired');
    }
    return 'unpaid';
  };

  /** Asks the provider for a checkout's state and applies a purchase. Call it under the plan's lock. */
  const settleLocked = async (row: CheckoutRow, note: Note): Promise<'paid' | 'unpaid'> => {
    if (row.status === 'paid') return 'paid';
    // A change that was declined, or overtaken, is not made later.
    if (row.status === 'expired' && row.changes !== null) return 'unpaid';
    return keepCheckout(row, await providers[row.provider]?.readCheckout(row.id), note);
  };

  /** The same without the lock: a checkout that changes the plan waits for it. */
  const settle = (row: CheckoutRow): Promise<'paid' | 'unpaid'> =>
    row.changes === null
      ? settleLocked(row, () => Promise.resolve())
      : withPlanLock(row.userId, async (note) =>
          settleLocked((await repository.findCheckout(row.id)) ?? row, note),
        );

  return {
    keep: keepCheckout,
    settleLocked,
    settle,
  };
}

export type Checkouts = ReturnType<typeof createCheckouts>;
