import type { Core } from '../../composition/core.ts';
import type { Audit } from '../admin/audit.ts';
import { createCreditsService } from './credits.service.ts';
import { createSubscriptionService } from './subscription.service.ts';

/** Plans with their limits, and credits. */
export function createSubscription(core: Core, audit: Audit) {
  const { config, storage, background, log, now } = core;
  const { database, emailOf } = storage;
  return {
    subscription: createSubscriptionService({
      database,
      limits: config.limits,
      payments: config.payments,
      publicUrl: config.publicUrl,
      storedBytes: storage.artifactsRepository.storedBytes,
      emailOf,
      mailer: core.providers.mailer,
      log,
      background,
      now,
    }),
    credits: createCreditsService({ database, audit, now }),
  };
}
