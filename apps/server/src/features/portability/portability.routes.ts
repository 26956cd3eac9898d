import { exportAccount, importAccount, readSignedExport, signExport } from '@engram/contract';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { ExportService } from './export.service.ts';
import { saveExport } from './import-form.ts';
import type { ImportService } from './import.service.ts';

export function mountPortabilityRoutes(
  mount: Mount,
  exports: ExportService,
  imports: ImportService,
  events: Pick<SecurityEvents, 'record'>,
): void {
  const send = async (
    { userId, device = null }: { userId: string; device?: string | null },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    void reply.headers({
      'content-type': 'application/zip',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    // What an export would weigh is known only when it is made.
    if (request.method === 'HEAD') return reply.send('');
    const { fileName, content } = await exports.start(userId);
    await events.record({ kind: 'export_started', userId, ip: request.ip, device });
    // Who went away before the first byte reads nothing of it.
    reply.raw.once('close', () => content.destroy());
    return reply
      .header('content-disposition', contentDisposition(fileName, { type: 'attachment' }))
      .send(content);
  };

  mount(exportAccount, ({ caller, request, reply }) => send(caller, request, reply));

  mount(signExport, async ({ caller, ip }) => {
    const { userId, device } = caller;
    const { path, expiresAt } = exports.sign(userId);
    await events.record({ kind: 'export_link_made', userId, ip, device });
    return { data: { url: path, expiresAt: expiresAt.toISOString() } };
  });

  mount(readSignedExport, ({ params, request, reply }) =>
    send({ userId: exports.ownerOf(params.token) }, request, reply),
  );

  mount(importAccount, async ({ caller, request }) => {
    const bytes = Number(request.headers['content-length'] ?? 0);
    const save = async (filePath: string, limitMb: number): Promise<void> => {
      await saveExport(request, filePath, limitMb);
      // Taking in what has arrived may take longer than a silent connection is borne.
      request.raw.socket.setTimeout(0);
    };
    return { data: await imports.import(caller.userId, bytes, save) };
  });
}
