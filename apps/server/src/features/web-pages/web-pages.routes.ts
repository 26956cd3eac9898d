import { saveWebContent, saveWebPage } from '@engram/contract';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { Caller } from '../../platform/http/admission.ts';
import { readContentForm } from './content-form.ts';
import type { WebPagesService } from './web-pages.service.ts';

const sourceOf = ({ sessionId }: Caller) => (sessionId === null ? 'API' : 'Web');

export function mountWebPagesRoutes(mount: Mount, service: WebPagesService): void {
  mount(saveWebPage, async ({ caller, body, reply }) => {
    const page = { ...body, source: sourceOf(caller), signal: disconnectSignal(reply) } as const;
    return { data: await service.save(caller, page) };
  });

  mount(saveWebContent, async ({ caller, request, reply }) => {
    const length = Number(request.headers['content-length'] ?? 0);
    const signal = disconnectSignal(reply);
    const data = await readContentForm(request, (fields, content) =>
      service.saveContent(caller, { ...fields, source: sourceOf(caller), signal }, content, length),
    );
    return { data };
  });
}
