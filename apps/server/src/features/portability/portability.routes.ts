import { exportAccount, importAccount, readSignedExport, signExport } from '@engram/contract';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { ExportService } from './export.service.ts';
import { saveExport } from './import-form.ts';
import type { ImportService, SaveExport } from './import.service.ts';

export function mountPortabilityRoutes(
  mount: Mount,
  exports: ExportService,
  imports: ImportService,
): void {
  const send = async (
    userId: string,
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
    // Who went away before the first byte reads nothing of it.
    reply.raw.once('close', () => content.destroy());
    return reply
      .header('content-disposition', contentDisposition(fileName, { type: 'attachment' }))
      .send(content);
  };

  mount(exportAccount, ({ caller, request, reply }) => send(caller.userId, request, reply));

  mount(signExport, async ({ caller }) => {
    const { path, expiresAt } = exports.sign(caller.userId);
    return { data: { url: path, expiresAt: expiresAt.toISOString() } };
  });

  mount(readSignedExport, ({ params, request, reply }) =>
    send(exports.ownerOf(params.token), request, reply),
  );

  mount(importAccount, async ({ caller, request }) => {
    const bytes = Number(request.headers['content-length'] ?? 0);
    const save: SaveExport = async (filePath, limitMb, room) => {
      await saveExport(request, filePath, limitMb, room);
      // Taking in what has arrived may take longer than a silent connection is borne.
      request.raw.socket.setTimeout(0);
    };
    return { data: await imports.import(caller.userId, bytes, save) };
  });
}
