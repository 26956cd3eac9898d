import type { Transaction } from '../../platform/database/database.ts';
import type { KeptPlan } from '../subscription/subscription.service.ts';
import type { Intake } from './intake.ts';
import type { PaymentsRepository } from './payments.repository.ts';

export interface DepartureDependencies {
  repository: Pick<PaymentsRepository, 'checkoutsAt'>;
  intake: Pick<Intake, 'clear'>;
  findPlan: (userId: string, tx: Transaction) => Promise<KeptPlan | undefined>;
}

/**
 * What ends a person's payments with their account: a durable job, as the provider may be down.
 * To be called while what is known of them is still there.
 */
export const createDeparture =
  ({ repository, intake, findPlan }: DepartureDependencies) =>
  async (tx: Transaction, userId: string): Promise<void> => {
    const kept = await findPlan(userId, tx);
    const checkouts = await repository.checkoutsAt(tx, userId, 'stripe');
    const bought = kept?.bought?.provider === 'stripe' ? kept.bought : null;
    // Whoever never opened a checkout is not known at Stripe.
    if (!bought && checkouts.length === 0) return;
    const leftovers = {
      subscription: bought?.subscription ?? null,
      customer: bought?.customer ?? null,
      checkouts,
    };
    await intake.clear(tx, 'stripe', leftovers, userId);
  };
