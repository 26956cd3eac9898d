import { Provider } from 'oidc-provider';
import { createAuthorizationServer } from './authorization-server.ts';
import { createConnectionsRepository } from './connections.repository.ts';
import { createConnectionsService } from './connections.service.ts';
import { createConsentService } from './consent.service.ts';
import { createRecordAdapter } from './record-adapter.ts';
import { createRecordIds } from './record-ids.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { Core } from '../../composition/core.ts';

/** Codes of devices that one person may try: ten at once, and one in six seconds in the long run. */
const USER_CODE_RATE = { perSecond: 1 / 6, burst: 10 };

/** Programs that one network may register: twenty at once, and ten an hour in the long run. */
const REGISTRATION_RATE = { perSecond: 10 / 3600, burst: 20 };

/** Requests of programs that one network may begin: sixty at once, and one in a second after that. */
const REQUEST_RATE = { perSecond: 1, burst: 60 };

/** Documents that one network may have fetched: thirty at once, and one in ten seconds after that. */
const METADATA_RATE = { perSecond: 0.1, burst: 30 };

/** What lets programs and assistants in: an authorization server, and people's answers to it. */
export function createConnections(
  core: Core,
  securityEvents: SecurityEvents,
  /** Default: from public addresses only. */
  fetchMetadata = core.providers.outside().fetch,
) {
  const { config, log, now, background } = core;
  const { database, emailOf } = core.storage;
  const { limitOf } = core.limits;
  const repository = createConnectionsRepository(database);
  const adapter = createRecordAdapter({
    database,
    ids: createRecordIds(config.secret),
    now,
    onEnded: ({ userId, name: app }) =>
      securityEvents.record({ kind: 'app_ended', userId, ip: Provider.ctx?.ip ?? '', app }),
  });
  const server = createAuthorizationServer({
    secret: config.secret,
    adapter,
    isPolledTooSoon: (device) => repository.isPolledTooSoon(device, now()),
    fetchMetadata,
    fetches: limitOf('fetched metadata', METADATA_RATE),
    isAccount: async (userId) => (await emailOf(userId)) !== undefined,
    log,
  });
  return {
    server,
    service: createConnectionsService({ database, repository, emailOf, background, now }),
    consent: createConsentService({
      database,
      repository,
      userCodes: limitOf('device codes', USER_CODE_RATE),
      now,
    }),
    registrations: limitOf('registrations', REGISTRATION_RATE),
    keepUnusedClients: repository.keepUnusedClients,
    requests: limitOf('program requests', REQUEST_RATE),
  };
}

export type Connections = ReturnType<typeof createConnections>;
