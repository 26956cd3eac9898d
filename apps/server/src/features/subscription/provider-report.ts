import type { ProviderName, SubscriptionState } from '../payments/provider.ts';
import type { SubscriptionRow } from './subscription.tables.ts';

/** How a subscription stands, as whoever takes the money tells: all of it, never a step. */
export interface ReportedSubscription extends Omit<SubscriptionState, 'id' | 'startedAt'> {
  provider: ProviderName;
  subscription: string;
  /** When the provider said so. */
  reportedAt: Date;
}

export const isSame = (kept: SubscriptionRow, told: ReportedSubscription): boolean =>
  kept.provider === told.provider && kept.providerSubscription === told.subscription;

/** How much a subscription gives: one that goes on, one that runs to its end, one that has ended. */
function weight(status: string, endsAt: Date | null, at: Date): number {
  const runs = status !== 'expired' && endsAt !== null && endsAt > at;
  if (!runs) return 0;
  return status === 'active' ? 2 : 1;
}

/**
 * Whether what was told takes the place of what is kept. What is older does not; nor does another
 * subscription that gives less than the kept one, however late news of it come.
 */
export function takesPlaceOf(kept: SubscriptionRow, told: ReportedSubscription): boolean {
  if (kept.providerSubscription === null || kept.reportedAt === null) return true;
  if (isSame(kept, told)) return told.reportedAt >= kept.reportedAt;
  if (told.reportedAt <= kept.reportedAt) return false;
  const given = weight(kept.status.toLowerCase(), kept.endsAt, told.reportedAt);
  return weight(told.status, told.endsAt, told.reportedAt) >= given;
}
