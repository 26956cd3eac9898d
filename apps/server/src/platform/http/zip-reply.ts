import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

/** Answers a zip of a person's, which `start` begins and which is written while it is sent. */
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
  // What a zip would weigh is known only when it is made.
  if (request.method === 'HEAD') return reply.send('');
  const { fileName, content } = await start();
  // Who went away before the first byte reads nothing of it.
  reply.raw.once('close', () => content.destroy());
  return reply
    .header('content-disposition', contentDisposition(fileName, { type: 'attachment' }))
    .send(content);
}
