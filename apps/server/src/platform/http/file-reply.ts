import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { Readable } from 'node:stream';
import { HttpError } from './errors.ts';

export interface FileReply {
  fileName: string;
  mediaType: string;
  size: number;
  read: (range: { start: number; end: number }) => Promise<Readable>;
}

const SHOWN_INLINE =
  /^(?:application\/pdf|text\/plain|image\/(?:jpeg|png|gif|bmp|webp)|(?:audio|video)\/.+)$/u;

const SHOWN_AS_TEXT = new Set(['text/csv', 'application/json', 'text/markdown']);

/** Sends a user's file sandboxed and without sniffing, so that it cannot run in the app's origin. */
export async function replyWithFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileReply,
): Promise<FastifyReply> {
  const mediaType = SHOWN_AS_TEXT.has(file.mediaType) ? 'text/plain' : file.mediaType;
  const type = SHOWN_INLINE.test(mediaType) ? 'inline' : 'attachment';
  void reply.headers({
    'content-type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : file.mediaType,
    'content-disposition': contentDisposition(file.fileName, { type }),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
  });
  if (file.size === 0) return reply.header('content-length', 0).send('');

  const ranges = request.headers.range ? parseRange(file.size, request.headers.range) : undefined;
  if (ranges === -1) {
    throw new HttpError(416, 'range_not_satisfiable', 'The range is outside the file.', {
      'content-range': `bytes */${file.size}`,
    });
  }
  // For several ranges or an invalid header, the whole file is sent.
  const isSingle = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1;
  const range = isSingle ? ranges[0] : undefined;
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  if (range) void reply.status(206).header('content-range', `bytes ${start}-${end}/${file.size}`);
  return reply.header('content-length', end - start + 1).send(await file.read({ start, end }));
}

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
  // The size of the zip is not known in advance.
  if (request.method === 'HEAD') return reply.send('');
  const { fileName, content } = await start();
  // The client may have disconnected before the first byte.
  reply.raw.once('close', () => content.destroy());
  return reply
    .header('content-disposition', contentDisposition(fileName, { type: 'attachment' }))
    .send(content);
}
