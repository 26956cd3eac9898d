import { saveWebPage } from '@engram/contract';
import { clientGone } from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { WebPagesService } from './web-pages.service.ts';

export function mountWebPagesRoutes(mount: Mount, service: WebPagesService): void {
  mount(saveWebPage, async ({ caller, body, reply }) => {
    const source = caller.sessionId === null ? 'API' : 'Web';
    return { data: await service.save(caller, { ...body, source, signal: clientGone(reply) }) };
  });
}
