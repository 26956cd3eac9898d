import { appSettings, health, ip, live, openApi, ready, reference, status } from '@engram/contract';
import type { FastifyInstance } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import { REFERENCE_PAGE, REFERENCE_POLICY, serveReferenceAssets } from './reference-page.ts';
import type { SystemService } from './system.service.ts';

/** Binds what those who run the server ask it: whether it lives, and takes calls. */
export function mountProbes(mount: Mount, service: SystemService): void {
  mount(live, async () => ({ data: { status: 'ok' as const } }));

  mount(ready, async () => ({ data: await service.ready() }));
}

/** Binds what the server tells of itself, and the files of its reference page. */
export async function mountSystemRoutes(
  app: FastifyInstance,
  mount: Mount,
  service: SystemService,
): Promise<void> {
  mount(health, async () => ({ data: { status: 'ok' as const } }));

  mountProbes(mount, service);

  mount(ip, async (call) => ({ data: { ip: call.ip } }));

  mount(appSettings, async () => ({ data: service.settings() }));

  mount(status, async () => ({ data: await service.status() }));

  mount(openApi, async ({ reply }) => reply.type('application/json').send(service.openApi()));

  mount(reference, async ({ reply }) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', REFERENCE_POLICY)
      .send(REFERENCE_PAGE),
  );

  await serveReferenceAssets(app);
}
