import type { Artifact } from '@engram/contract';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { invalidCursor } from '../../platform/http/errors.ts';
import { type ListPage, pageOrAll } from '../../platform/http/paged-answer.ts';
import { twoPlaces } from './artifacts.errors.ts';
import { type Owner, presentArtifact } from './artifacts.presenter.ts';
import type { ListedRow } from './artifacts.tables.ts';
import type { FileLinks } from './file-links.ts';
import {
  createListingRepository,
  type ListFilter,
  type Page,
  type Place,
  type SortKey,
} from './listing.repository.ts';

interface TimeStrings {
  since?: string | undefined;
  until?: string | undefined;
}

export interface ListRequest extends Omit<ListFilter, 'userId' | 'since' | 'until'>, TimeStrings {
  limit?: number | undefined;
  cursor?: string | undefined;
  offset?: number | undefined;
  sort?: SortKey | `-${SortKey}` | undefined;
}

const sortOf = ({ sort = '-created' }: ListRequest) => ({
  sort: sort.replace('-', '') as SortKey,
  descending: sort.startsWith('-'),
});

const DAY_MS = 86_400_000;

/** Parses times. A date without a time includes the whole day. */
export function timesOf({ since, until }: TimeStrings): { since?: Date; until?: Date } {
  const isDay = until !== undefined && !until.includes('T');
  return {
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(until === undefined ? {} : { until: new Date(Date.parse(until) + (isDay ? DAY_MS : 0)) }),
  };
}

const cursorShape = z.union([
  z.tuple([z.literal('created'), z.iso.datetime().refine(isStorable), z.uuid()]),
  z.tuple([z.literal('name'), z.string().refine(isText), z.uuid()]),
  z.tuple([z.literal('size'), z.int().nonnegative(), z.uuid()]),
]);

/** PostgreSQL has no year 0. */
function isStorable(timestamp: string): boolean {
  return Date.parse(timestamp) > 0;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function isText(name: string): boolean {
  return !name.includes('\0') && name.isWellFormed();
}

const sortValue = (row: ListedRow, sort: SortKey): string | number => {
  if (sort === 'created') return row.createdAt.toISOString();
  return sort === 'name' ? row.fileName : row.size;
};

const encodeCursor = (row: ListedRow, sort: SortKey): string =>
  Buffer.from(JSON.stringify([sort, sortValue(row, sort), row.id])).toString('base64url');

/** @throws HttpError 400 if the cursor is invalid or of another order. */
function decodeCursor(cursor: string | undefined, sort: SortKey): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [of, value, id] = cursorShape.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString()),
    );
    if (of === sort) return { value, id };
  } catch {
    // An invalid cursor is refused below.
  }
  throw invalidCursor();
}

/** Lists of files. */
export function createListing(database: Database, links: FileLinks) {
  const repository = createListingRepository(database);

  async function present(
    owner: Owner,
    rows: readonly ListedRow[],
    { q = '', in: where }: ListFilter,
  ): Promise<Artifact[]> {
    const ids = rows.map(({ id }) => id);
    const searchesContent = where === 'content' && q.trim() !== '' && ids.length > 0;
    const lines = searchesContent
      ? await repository.matchedLines(ids, q)
      : new Map<string, string>();
    return rows.map((row) => {
      const matchedLine = lines.get(row.id);
      return { ...presentArtifact(row, owner, links), ...(matchedLine && { matchedLine }) };
    });
  }

  const readPage = async (
    owner: Owner,
    filter: ListFilter,
    page: Page,
  ): Promise<ListPage<Artifact>> => {
    // One more row shows whether there is another page.
    const rows = await repository.list(filter, { ...page, limit: page.limit + 1 });
    const shown = rows.slice(0, page.limit);
    const last = shown.at(-1);
    const hasMore = rows.length > shown.length && last !== undefined;
    return {
      data: await present(owner, shown, filter),
      nextCursor: hasMore ? encodeCursor(last, page.sort) : null,
    };
  };

  return {
    /**
     * One page of the list with the number of files, or all of them if there is no limit.
     * @throws HttpError 400 if the cursor is not valid for this list
     */
    async list(owner: Owner, request: ListRequest) {
      const { limit, cursor, offset, sort: _sort, since, until, ...narrowed } = request;
      if (cursor !== undefined && offset !== undefined) throw twoPlaces();
      const filter = { ...narrowed, ...timesOf({ since, until }), userId: owner.userId };
      const order = sortOf(request);
      const read = (pageLimit: number, from: string | undefined) => {
        const after = decodeCursor(from, order.sort);
        const skipped = after ? undefined : offset;
        return readPage(owner, filter, { ...order, limit: pageLimit, after, offset: skipped });
      };
      const count = () => repository.count(filter);
      const list = await pageOrAll({ limit, cursor }, read, count);
      return offset === undefined ? list : { ...list, total: await count() };
    },

    /**
     * A page of files, newest first, without their number.
     * @throws HttpError 400 if the cursor is not valid for this list
     */
    async some(
      owner: Owner,
      {
        limit,
        cursor,
        ...narrowed
      }: Omit<ListFilter, 'userId'> & { limit: number; cursor?: string | undefined },
    ) {
      const after = decodeCursor(cursor, 'created');
      const page: Page = { sort: 'created', descending: true, limit, after };
      const filter = { ...narrowed, userId: owner.userId };
      const { data: files, nextCursor } = await readPage(owner, filter, page);
      return { files, nextCursor };
    },
  };
}
