import { createApiKeysService } from '../features/api-keys/api-keys.service.ts';
import { createAuthService } from '../features/auth/auth.service.ts';
import type { KeywordsService } from '../features/keywords/keywords.service.ts';
import { createSecurityEvents } from '../features/security-events/security-events.service.ts';
import type { SubscriptionService } from '../features/subscription/subscription.service.ts';
import type { Core } from './core.ts';
import type { Reading } from './reading.ts';

interface Parts {
  drawPhoto: Reading['drawPhoto'];
  keywords: KeywordsService;
  subscription: SubscriptionService;
}

/** How people and their programs prove who they are, and what is noted of it. */
export function createIdentity(core: Core, { drawPhoto, keywords, subscription }: Parts) {
  const { config, log, now, background } = core;
  const { database, emailOf, artifactsRepository } = core.storage;
  const { mailer, outside } = core.providers;
  const securityEvents = createSecurityEvents({ database, log, now });
  const auth = createAuthService({
    database,
    config,
    mailer,
    outside: outside(config.googleIssuer),
    log,
    background,
    now,
    events: securityEvents,
    hasArtifacts: artifactsRepository.exist,
    drawPhoto,
    async onNewUser(tx, userId) {
      await keywords.addDefaults(tx, userId);
      await subscription.start(tx, userId);
    },
  });
  const apiKeys = createApiKeysService({ database, emailOf, background, now });
  return { auth, apiKeys, securityEvents };
}
