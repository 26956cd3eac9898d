import type { PlanChange } from '@engram/contract';
import type { CurrentPlan } from '../subscription/subscription.service.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { SaveWork } from './plan-lock.ts';
import { amountsOf } from './proration.ts';
import type { Amounts, Change, PaymentProvider, SoldPlan } from './provider.ts';

/** What choosing a plan does: 'none' if the user has it already and it renews. */
export type ChangeKind = PlanChange['kind'] | 'none';

/** Makes a change at a provider. Its work is stored first, so that it is finished after a kill. */
export async function makeChange(
  provider: PaymentProvider,
  subscription: string,
  kind: 'upgrade' | 'later' | 'resume',
  change: Omit<Change, 'begins'>,
  { saveWork, now }: { saveWork: SaveWork; now: Date },
): Promise<void> {
  const nextPriceId = kind === 'later' ? change.plan.priceId : null;
  const since = now.toISOString();
  await saveWork({ provider: provider.name, subscription, nextPriceId, since });
  if (kind === 'resume') return provider.resume(subscription, change.card);
  const begins = kind === 'later' ? 'at the end' : 'now';
  return provider.changePlan(subscription, { ...change, begins });
}

export function createPlanChanges({ core, subscription, current }: PaymentsContext) {
  /** The user's plan if the current provider sold it. */
  const heldOf = (plan: CurrentPlan | undefined): CurrentPlan | undefined =>
    plan?.bought && plan.bought.provider === current?.name ? plan : undefined;

  const kindOf = async (user: CurrentPlan | undefined, plan: SoldPlan): Promise<ChangeKind> => {
    const held = heldOf(user);
    if (!held?.runs) return 'new';
    const renews = !held.cancelled && held.next === null;
    if (held.plan.priceId === plan.priceId) return renews ? 'none' : 'resume';
    if (held.next?.priceId === plan.priceId) return 'none';
    const waits = await subscription.isCheaperOrShorter(plan.priceId, held.plan.priceId);
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

  return {
    heldOf,
    kindOf,

    /** What choosing a plan would do; null if the user has it already and it renews. */
    async preview(user: CurrentPlan | undefined, plan: SoldPlan): Promise<PlanChange | null> {
      const [kind, held, asOf] = [await kindOf(user, plan), heldOf(user), core.now()];
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
