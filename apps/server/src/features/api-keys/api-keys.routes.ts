import { generateApiKey, listApiKeys, revokeApiKey } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { ApiKeysService } from './api-keys.service.ts';

export function mountApiKeysRoutes(
  mount: Mount,
  service: ApiKeysService,
  events: Pick<SecurityEvents, 'by'>,
): void {
  mount(listApiKeys, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(generateApiKey, async ({ body, caller, ip, params }) => {
    const data = await service.generate(caller.userId, params.name, body);
    await events.by('key_made', caller, ip);
    return { data };
  });

  mount(revokeApiKey, async ({ caller, ip, params }) => {
    await service.revoke(caller.userId, params.id);
    await events.by('key_revoked', caller, ip);
    return { data: null };
  });
}
