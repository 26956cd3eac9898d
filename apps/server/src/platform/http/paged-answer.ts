import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './compression.ts';

/** A list that is read and sent page by page, because all of it at once would block the server. */
export interface PagedList<Row = unknown> {
  pages: AsyncIterable<readonly Row[]>;
  /** The number of rows of the whole list, if the pages are a part of it. */
  total?: number | undefined;
}

export interface ListPage<Row> {
  data: Row[];
  nextCursor: string | null;
}

type ReadPage<Row> = (limit: number, cursor: string | undefined) => Promise<ListPage<Row>>;

const ROWS_AT_ONCE = 200;

async function* pagesFrom<Row>(
  read: ReadPage<Row>,
  begin: string | undefined,
  rowsAtOnce: number,
): AsyncGenerator<Row[]> {
  let cursor: string | null | undefined = begin;
  do {
    const page: ListPage<Row> = await read(rowsAtOnce, cursor);
    yield page.data;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** A page of a list with the number of all rows or, without a limit, the rest of the list. */
export async function pageOrAll<Row>(
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  read: ReadPage<Row>,
  count: () => Promise<number>,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<(ListPage<Row> & { total: number; pages?: undefined }) | PagedList<Row>> {
  const isFirst = cursor === undefined;
  if (limit === undefined) {
    const total = isFirst ? undefined : await count();
    return { pages: pagesFrom(read, cursor, rowsAtOnce), total };
  }
  const page = await read(limit, cursor);
  const isCounted = isFirst && page.nextCursor === null;
  return { ...page, total: isCounted ? page.data.length : await count() };
}

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

async function* following(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/**
 * Sends a list while it is read. An error before the first page is an ordinary refusal; later the
 * connection breaks off, so that the client does not take a part for the whole.
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
  // An error of one stream destroys the other, and the reply.
  pipeline(text, zipped, () => undefined);
  return reply.header('content-encoding', 'gzip').send(zipped);
}
