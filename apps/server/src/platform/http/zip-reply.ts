import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

export async function replyWithZip(
  request: FastifyRequest,
  reply: FastifyReply,
  start: () => Promise<{ fileName: string; content: Readable }>,
): Promise<FastifyReply> {
  void reply.headers({
    'content-type': 'application/zip',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  // The size of a zip is known only when it is complete.
  if (request.method === 'HEAD') return reply.send('');
  const { fileName, content } = await start();
  // The client may have left before the first byte.
  reply.raw.once('close', () => content.destroy());
  return reply
    .header('content-disposition', contentDisposition(fileName, { type: 'attachment' }))
    .send(content);
}
