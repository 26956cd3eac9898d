import { generateApiKey, listApiKeys, revokeApiKey } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { ApiKeysService } from './api-keys.service.ts';

/** Binds the calls on API keys, and notes those that make and revoke one. */
export function mountApiKeysRoutes(
  mount: Mount,
  service: ApiKeysService,
  events: Pick<SecurityEvents, 'record'>,
): void {
  mount(listApiKeys, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(generateApiKey, async ({ body, caller, ip, params }) => {
    const { userId, device } = caller;
    const data = await service.generate(userId, params.name, body);
    await events.record({ kind: 'key_made', userId, ip, device });
    return { data };
  });

  mount(revokeApiKey, async ({ caller, ip, params }) => {
    const { userId, device } = caller;
    await service.revoke(userId, params.id);
    await events.record({ kind: 'key_revoked', userId, ip, device });
    return { data: null };
  });
}
