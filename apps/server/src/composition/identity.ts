import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { createApiKeysService } from '../features/api-keys/api-keys.service.ts';
import { createAuthService } from '../features/auth/auth.service.ts';
import type { KeywordsService } from '../features/keywords/keywords.service.ts';
import { createSecurityEvents } from '../features/security-events/security-events.service.ts';
import type { SubscriptionService } from '../features/subscription/subscription.service.ts';
import type { createProviders } from './providers.ts';
import type { createReading } from './reading.ts';
import type { Storage } from './storage.ts';

export interface IdentityDependencies {
  storage: Storage;
  providers: Pick<ReturnType<typeof createProviders>, 'mailer' | 'outside'>;
  drawPhoto: ReturnType<typeof createReading>['drawPhoto'];
  keywords: Pick<KeywordsService, 'addDefaults'>;
  subscription: Pick<SubscriptionService, 'start'>;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** How people and their programs prove who they are, and what is noted of it. */
export function createIdentity(config: Config, deps: IdentityDependencies) {
  const { storage, providers, drawPhoto, keywords, subscription, log, now } = deps;
  const { database, artifactsRepository } = storage;
  const securityEvents = createSecurityEvents({ database, log, now });
  const auth = createAuthService({
    database,
    config,
    mailer: providers.mailer,
    outside: providers.outside,
    log,
    now,
    events: securityEvents,
    hasArtifacts: artifactsRepository.exist,
    drawPhoto,
    async onNewUser(tx, userId) {
      await keywords.addDefaults(tx, userId);
      await subscription.start(tx, userId);
    },
  });
  const apiKeys = createApiKeysService({ database, emailOf: auth.accounts.emailOf, log, now });
  return { auth, apiKeys, securityEvents };
}
