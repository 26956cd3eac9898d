import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Audit } from '../features/admin/audit.ts';
import type { Deletion } from '../features/artifacts/deletion.ts';
import { createCreditsService } from '../features/subscription/credits.service.ts';
import { createRetention } from '../features/subscription/retention.ts';
import { createSubscriptionService } from '../features/subscription/subscription.service.ts';
import type { Providers } from './providers.ts';
import type { Storage } from './storage.ts';

export interface PlansDependencies {
  storage: Storage;
  providers: Pick<Providers, 'mailer'>;
  audit: Audit;
  /** The address of an account; undefined where there is no such account. */
  emailOf: (userId: string) => Promise<string | undefined>;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** What people may ask and store, what they pay for it, and what becomes of what is too much. */
export function createPlans(config: Config, deps: PlansDependencies) {
  const { storage, providers, audit, emailOf, log, now } = deps;
  const { database, artifactsRepository, sets } = storage;
  const { limits, payments, publicUrl } = config;
  const { storedBytes } = artifactsRepository;
  const common = { database, limits, payments, publicUrl, storedBytes, emailOf, log, now };

  return {
    subscription: createSubscriptionService({ ...common, mailer: providers.mailer }),
    credits: createCreditsService({ database, audit, now }),
    /** What deletes files above the free storage; files are deleted by whoever deletes files. */
    createRetention: (deletion: Deletion) =>
      createRetention({
        ...common,
        mailer: providers.mailer,
        newestBeyond: sets.newestBeyond,
        deleteFiles: deletion.deleteFiles,
      }),
  };
}
