import type { Core } from '../../composition/core.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { PaymentProvider, ProviderName } from './provider.ts';

/** What all parts of payments share. */
export interface PaymentsContext {
  core: Core;
  subscription: SubscriptionService;
  repository: PaymentsRepository;
  /** The providers that are set up. */
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  /** The provider of new purchases; null if plans are not sold. */
  current: PaymentProvider | null;
  /** Seconds until a user may cause another call of the provider; 0 for now. */
  limit: (userId: string) => Promise<number>;
}
