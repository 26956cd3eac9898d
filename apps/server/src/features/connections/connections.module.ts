import { Provider } from 'oidc-provider';
import type { Core } from '../../composition/core.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import { createAuthorizationServer } from './authorization-server.ts';
import { createConnectionsService } from './connections.service.ts';
import { createConsentService } from './consent.service.ts';
import { createRecordAdapter } from './record-adapter.ts';

/** Apps that one network may register: ten an hour in the long run, 20 at once. */
const REGISTRATION_RATE = { perSecond: 10 / 3600, burst: 20 };

/** Requests that one network may begin: one in a second in the long run, 60 at once. */
const REQUEST_RATE = { perSecond: 1, burst: 60 };

/**
 * Connected apps and assistants: an authorization server, and the users' consent.
 * @param fetchMetadata Default: from public addresses only.
 */
export function createConnections(
  core: Core,
  securityEvents: SecurityEvents,
  fetchMetadata = core.providers.outside().fetch,
) {
  const { limitOf } = core.limits;
  const adapter = createRecordAdapter(core, ({ userId, name: app }) =>
    securityEvents.record({ kind: 'app_ended', userId, ip: Provider.ctx?.ip ?? '', app }),
  );
  const service = createConnectionsService(core);
  return {
    server: createAuthorizationServer(core, adapter, fetchMetadata),
    service,
    consent: createConsentService(core, service),
    registrations: limitOf('registrations', REGISTRATION_RATE),
    requests: limitOf('program requests', REQUEST_RATE),
  };
}

export type Connections = ReturnType<typeof createConnections>;
