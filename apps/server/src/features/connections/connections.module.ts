import { Provider } from 'oidc-provider';
import type { Core } from '../../composition/core.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import { createAuthorizationServer } from './authorization-server.ts';
import { createConnectionsService } from './connections.service.ts';
import { createRecordAdapter } from './record-adapter.ts';

/** Apps that one network may register: ten an hour in the long run, 20 at once. */
const REGISTRATION_RATE = { perSecond: 10 / 3600, burst: 20 };

/** Device codes that one user may try: one in six seconds in the long run, ten at once. */
const USER_CODE_RATE = { perSecond: 1 / 6, burst: 10 };

/** Requests that one network may begin: one in a second in the long run, 60 at once. */
const REQUEST_RATE = { perSecond: 1, burst: 60 };

/** Connected apps and assistants, and the authorization server that connects them. */
export function createConnections(
  core: Core,
  securityEvents: SecurityEvents,
  fetchMetadata = core.providers.outside().fetch,
) {
  const { limitOf } = core.limits;
  const adapter = createRecordAdapter(core, ({ userId, name: app }) =>
    securityEvents.record({ kind: 'app_ended', userId, ip: Provider.ctx?.ip ?? '', app }),
  );
  return {
    server: createAuthorizationServer(core, adapter, fetchMetadata),
    service: createConnectionsService(core),
    registrations: limitOf('registrations', REGISTRATION_RATE),
    requests: limitOf('program requests', REQUEST_RATE),
    userCodes: limitOf('device codes', USER_CODE_RATE),
  };
}

export type Connections = ReturnType<typeof createConnections>;
