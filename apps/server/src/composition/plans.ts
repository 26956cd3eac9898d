import type { Audit } from '../features/admin/audit.ts';
import type { Deletion } from '../features/artifacts/deletion.ts';
import type { AuthService } from '../features/auth/auth.service.ts';
import { createCreditsService } from '../features/subscription/credits.service.ts';
import { createRetention } from '../features/subscription/retention.ts';
import { createSubscriptionService } from '../features/subscription/subscription.service.ts';
import type { Core } from './core.ts';

interface Parts {
  audit: Audit;
  emailOf: AuthService['accounts']['emailOf'];
}

/** What people may ask and store, what they pay for it, and what becomes of what is too much. */
export function createPlans(core: Core, { audit, emailOf }: Parts) {
  const { config, log, background, now } = core;
  const { mailer } = core.providers;
  const { database, artifactsRepository, sets } = core.storage;
  const { limits, payments, publicUrl } = config;
  const { storedBytes } = artifactsRepository;
  const common = { database, limits, payments, publicUrl, storedBytes, emailOf, mailer, log, now };

  return {
    subscription: createSubscriptionService({ ...common, background }),
    credits: createCreditsService({ database, audit, now }),
    /** What deletes files above the free storage; files are deleted by whoever deletes files. */
    createRetention: (deletion: Deletion) =>
      createRetention({
        ...common,
        newestBeyond: sets.newestBeyond,
        deleteFiles: deletion.deleteFiles,
      }),
  };
}
