import type { Core } from '../../composition/core.ts';
import type { Limit } from '../../platform/limits/limit.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { ProviderName } from './payments.tables.ts';
import type { PaymentProvider } from './provider.ts';

export interface PaymentsContext {
  core: Core;
  subscription: SubscriptionService;
  repository: PaymentsRepository;
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  /** The provider of new purchases; null if plans are not sold. */
  current: PaymentProvider | null;
  /** Calls of a user that cause calls of the provider. */
  limit: Limit;
}
