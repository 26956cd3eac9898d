import type { Artifact } from '@engram/contract';
import type { Database } from '../../platform/database/database.ts';
import { twoPlaces } from './artifacts.errors.ts';
import { type Owner, presentArtifact } from './artifacts.presenter.ts';
import type { ListedRow } from './artifacts.tables.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import {
  createListingRepository,
  type ListFilter,
  type Page,
  type SortKey,
} from './listing.repository.ts';
import type { FileLinks } from './file-links.ts';

/** Times as they are asked for. */
interface AskedTimes {
  since?: string | undefined;
  until?: string | undefined;
}

export interface ListRequest extends Omit<ListFilter, 'userId' | 'since' | 'until'>, AskedTimes {
  limit?: number | undefined;
  cursor?: string | undefined;
  offset?: number | undefined;
  sort?: SortKey | `-${SortKey}` | undefined;
}

/** What is wanted of the files, newest first. */
export interface SomeRequest extends Omit<ListFilter, 'userId'> {
  limit: number;
  cursor?: string | undefined;
}

interface ListingDependencies {
  database: Database;
  links: FileLinks;
}

/** Rows that are read and presented at once where all are asked for. */
const ROWS_AT_ONCE = 200;

const sortOf = ({ sort = '-created' }: ListRequest) => ({
  sort: sort.replace('-', '') as SortKey,
  descending: sort.startsWith('-'),
});

const DAY_MS = 86_400_000;

/** A day is meant as a whole: files of its first moment and of its last one are of it. */
export function timesOf({ since, until }: AskedTimes): { since?: Date; until?: Date } {
  const isDay = until !== undefined && !until.includes('T');
  return {
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(until === undefined ? {} : { until: new Date(Date.parse(until) + (isDay ? DAY_MS : 0)) }),
  };
}

/** Lists of files, in pages or as a whole. */
export function createListing({ database, links }: ListingDependencies) {
  const repository = createListingRepository(database);

  async function present(
    owner: Owner,
    rows: readonly ListedRow[],
    { q = '', in: where }: Pick<ListFilter, 'q' | 'in'>,
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

  /** A page, and where the next one goes on. */
  const read = async (filter: ListFilter, page: Page) => {
    // One row more than asked for tells whether there is another page.
    const rows = await repository.list(filter, { ...page, limit: page.limit + 1 });
    const shown = rows.slice(0, page.limit);
    const last = shown.at(-1);
    return {
      shown,
      next: rows.length > shown.length && last ? encodeCursor(last, page.sort) : null,
    };
  };

  async function* pagesFrom(owner: Owner, filter: ListFilter, begin: Page) {
    let page = begin;
    for (;;) {
      const { shown, next } = await read(filter, page);
      yield await present(owner, shown, filter);
      if (next === null) return;
      page = { ...begin, offset: undefined, after: decodeCursor(next, begin.sort) };
    }
  }

  /** One page, with where the next one begins and how many files there are. */
  async function pageOf(owner: Owner, filter: ListFilter, page: Page, isFirstKnown: boolean) {
    const { shown, next } = await read(filter, page);
    const before = page.offset ?? 0;
    // The last page, counted from the first file, tells how many there are.
    const isCounted = isFirstKnown && next === null && (shown.length > 0 || before === 0);
    const total = isCounted ? before + shown.length : await repository.count(filter);
    return { data: await present(owner, shown, filter), nextCursor: next, total };
  }

  return {
    /**
     * One page of the list; all of it, from the given place on, where there is no limit.
     * @throws HttpError 400 where the place is no place in this list
     */
    async list(owner: Owner, request: ListRequest) {
      const { limit, cursor, offset, sort: _sort, since, until, ...narrowed } = request;
      if (cursor !== undefined && offset !== undefined) throw twoPlaces();
      const filter = { ...narrowed, ...timesOf({ since, until }), userId: owner.userId };
      const { sort, descending } = sortOf(request);
      const page = {
        sort,
        descending,
        limit: limit ?? ROWS_AT_ONCE,
        after: decodeCursor(cursor, sort),
        offset,
      };
      if (limit === undefined) {
        const isPart = cursor !== undefined || offset !== undefined;
        const total = isPart ? await repository.count(filter) : undefined;
        return { pages: pagesFrom(owner, filter, page), total };
      }
      return pageOf(owner, filter, page, cursor === undefined);
    },

    /**
     * Some files, newest first, and where the next ones begin; how many there are is not counted.
     * @throws HttpError 400 where the place is no place in this list
     */
    async some(owner: Owner, { limit, cursor, ...narrowed }: SomeRequest) {
      const sort = 'created';
      const page = { sort, descending: true, limit, after: decodeCursor(cursor, sort) } as const;
      const { shown, next } = await read({ ...narrowed, userId: owner.userId }, page);
      return { files: await present(owner, shown, narrowed), nextCursor: next };
    },
  };
}
