import { generateApiKey, listApiKeys, revokeApiKey } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { ApiKeysService } from './api-keys.service.ts';

export function mountApiKeysRoutes(mount: Mount, service: ApiKeysService): void {
  mount(listApiKeys, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(generateApiKey, async ({ body, caller, params, reply }) => {
    // The key stands in this answer alone, and is kept nowhere on its way.
    void reply.header('cache-control', 'no-store');
    return { data: await service.generate(caller.userId, params.name, body) };
  });

  mount(revokeApiKey, async ({ caller, params }) => {
    await service.revoke(caller.userId, params.id);
    return { data: null };
  });
}
