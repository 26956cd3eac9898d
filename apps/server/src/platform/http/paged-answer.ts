import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './compression.ts';

/** A list that is read, and written, a page at a time: all of it at once would hold up everybody. */
export interface PagedList<Row = unknown> {
  pages: AsyncIterable<readonly Row[]>;
  /** How many rows the whole list has, where the pages are not all of it. */
  total?: number | undefined;
}

/** The text of the envelope around a list, piece by piece. */
async function* write(message: string, { pages, total }: PagedList): AsyncGenerator<string> {
  let rows = 0;
  for await (const page of pages) {
    if (page.length === 0) continue;
    const text = JSON.stringify(page).slice(1, -1);
    yield rows === 0 ? `{"message":${JSON.stringify(message)},"data":[${text}` : `,${text}`;
    rows += page.length;
  }
  const begin = rows === 0 ? `{"message":${JSON.stringify(message)},"data":[` : '';
  yield `${begin}],"nextCursor":null,"total":${total ?? rows}}`;
}

/** The pieces, the first of which is there already. */
async function* following(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/**
 * Answers a whole list while it is read. What fails before the first page is an ordinary refusal;
 * later the connection breaks off, so that nobody takes a part for the whole.
 */
export async function replyInPages(
  request: FastifyRequest,
  reply: FastifyReply,
  message: string,
  list: PagedList,
): Promise<FastifyReply> {
  const pieces = write(message, list);
  const { value: first } = await pieces.next();
  const text = Readable.from(following(String(first), pieces), { highWaterMark: 1 });
  void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(text);
  const zipped = createGzip({ level: constants.Z_BEST_SPEED });
  // Whichever of the two breaks takes the other with it, and the reply tells of it.
  pipeline(text, zipped, () => undefined);
  return reply.header('content-encoding', 'gzip').send(zipped);
}
