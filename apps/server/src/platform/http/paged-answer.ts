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

/** A page of a list, and where the next one goes on. */
export interface ListPage<Row> {
  data: Row[];
  nextCursor: string | null;
}

type ReadPage<Row> = (limit: number, cursor: string | undefined) => Promise<ListPage<Row>>;

/** Where no limit is given, so many rows are read at once: others come in between. */
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

/** A page of a list with how many rows there are or, without a limit, all that is left of it. */
export async function pageOrAll<Row>(
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  read: ReadPage<Row>,
  count: () => Promise<number>,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<(ListPage<Row> & { total: number; pages?: undefined }) | PagedList<Row>> {
  const isFirst = cursor === undefined;
  if (limit === undefined) {
    // Behind a page, what comes is not all of the list.
    const total = isFirst ? undefined : await count();
    return { pages: pagesFrom(read, cursor, rowsAtOnce), total };
  }
  const page = await read(limit, cursor);
  // A list that fits on its first page is counted by it.
  const isCounted = isFirst && page.nextCursor === null;
  return { ...page, total: isCounted ? page.data.length : await count() };
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
