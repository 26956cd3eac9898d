import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './compression.ts';

/** A list that is read and sent page by page, so that it does not block the server. */
export interface PagedList<Row = unknown> {
  pages: AsyncIterable<readonly Row[]>;
  /** The number of rows of the whole list, if the pages are only a part. */
  total?: number | undefined;
}

export interface PageRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
}

interface ListPage<Row> {
  data: Row[];
  nextCursor: string | null;
}

type ReadPage<Row> = (limit: number, cursor: string | undefined) => Promise<ListPage<Row>>;

const ROWS_AT_ONCE = 200;

/** A page of a list, or the rest of the list if there is no limit. */
export async function pageOrAll<Row>(
  { limit, cursor }: PageRequest,
  read: ReadPage<Row>,
  count: () => Promise<number>,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<(ListPage<Row> & { total: number; pages?: undefined }) | PagedList<Row>> {
  const isFirst = cursor === undefined;
  if (limit === undefined) {
    const total = isFirst ? undefined : await count();
    async function* pages(): AsyncGenerator<Row[]> {
      let next: string | null | undefined = cursor;
      do {
        const page: ListPage<Row> = await read(rowsAtOnce, next);
        yield page.data;
        next = page.nextCursor;
      } while (next !== null);
    }
    return { pages: pages(), total };
  }
  const page = await read(limit, cursor);
  const isCounted = isFirst && page.nextCursor === null;
  return { ...page, total: isCounted ? page.data.length : await count() };
}

/**
 * Sends a list while it is read. An error before the first page gets an error response. A later one closes
 * the connection, so that the client notices the missing part.
 */
export async function replyInPages(
  request: FastifyRequest,
  reply: FastifyReply,
  message: string,
  list: PagedList,
): Promise<FastifyReply> {
  const pages = list.pages[Symbol.asyncIterator]();
  const first = await pages.next();

  async function* write(): AsyncGenerator<string> {
    let rows = 0;
    try {
      yield `{"message":${JSON.stringify(message)},"data":[`;
      for (let page = first; page.done !== true; page = await pages.next()) {
        if (page.value.length === 0) continue;
        yield (rows === 0 ? '' : ',') + JSON.stringify(page.value).slice(1, -1);
        rows += page.value.length;
      }
      yield `],"nextCursor":null,"total":${list.total ?? rows}}`;
    } finally {
      await pages.return?.();
    }
  }

  const text = Readable.from(write(), { highWaterMark: 1 });
  void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(text);
  const zipped = createGzip({ level: constants.Z_BEST_SPEED });
  // An error of one stream destroys the other, and the reply.
  pipeline(text, zipped, () => undefined);
  return reply.header('content-encoding', 'gzip').send(zipped);
}
