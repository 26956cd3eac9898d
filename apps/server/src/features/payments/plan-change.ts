import type { PlanChange } from '@engram/contract';
import type { KeptPlan, SubscriptionService } from '../subscription/subscription.service.ts';
import { amountsOf } from './proration.ts';
import type { Amounts, Change, PaymentProvider, SoldPlan } from './provider.ts';

/** What choosing a plan does; 'none' where the person has it already, and it goes on. */
export type ChangeKind = PlanChange['kind'] | 'none';

/**
 * What choosing a plan does, by the plan that runs: the one place that says so.
 * @param waits Whether the plan is cheaper or shorter than the running one.
 */
export function changeKind(
  kept: Pick<KeptPlan, 'runs' | 'cancelled' | 'plan' | 'next'> | undefined,
  plan: SoldPlan,
  waits: boolean,
): ChangeKind {
  if (!kept?.runs) return 'new';
  const goesOn = !kept.cancelled && kept.next === null;
  if (kept.plan.priceId === plan.priceId) return goesOn ? 'none' : 'resume';
  if (kept.next?.priceId === plan.priceId) return 'none';
  return waits ? 'later' : 'upgrade';
}

/** Makes a change at a provider. */
export const makeChange = (
  provider: PaymentProvider,
  subscription: string,
  kind: 'upgrade' | 'later' | 'resume',
  change: Omit<Change, 'begins'>,
): Promise<void> =>
  kind === 'resume'
    ? provider.resume(subscription, change.card)
    : provider.changePlan(subscription, {
        ...change,
        begins: kind === 'later' ? 'at the end' : 'now',
      });

export interface PlanChangesDependencies {
  /** Who takes the money of whoever buys now; null where nobody does. */
  current: PaymentProvider | null;
  now: () => Date;
  /** Whether a plan is cheaper or shorter than another one, and waits for its end. */
  isCheaperOrShorter: SubscriptionService['isCheaperOrShorter'];
}

/** What choosing a plan does and costs. */
export function createPlanChanges({ current, now, isCheaperOrShorter }: PlanChangesDependencies) {
  /** What a person has of the present provider: what another one sold stays out of it. */
  const heldOf = (kept: KeptPlan | undefined): KeptPlan | undefined =>
    kept?.bought && kept.bought.provider === current?.name ? kept : undefined;

  const kindOf = async (kept: KeptPlan | undefined, plan: SoldPlan): Promise<ChangeKind> => {
    const held = heldOf(kept);
    const waits = held?.runs ? await isCheaperOrShorter(plan.priceId, held.plan.priceId) : false;
    return changeKind(held, plan, waits);
  };

  const costOf = async (
    kind: ChangeKind,
    held: KeptPlan | undefined,
    plan: SoldPlan,
    asOf: Date,
  ): Promise<Amounts> =>
    kind === 'upgrade' && current && held?.bought
      ? current.quote(held.bought.subscription, plan, asOf)
      : amountsOf(kind === 'new' ? plan.amount : 0, held?.balance ?? 0);

  return {
    heldOf,
    kindOf,

    /** What choosing a plan would do; null where the person has it already, and it goes on. */
    async preview(kept: KeptPlan | undefined, plan: SoldPlan): Promise<PlanChange | null> {
      const [kind, held, asOf] = [await kindOf(kept, plan), heldOf(kept), now()];
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
  };
}

export type PlanChanges = ReturnType<typeof createPlanChanges>;
