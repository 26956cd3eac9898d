import {
  type FileState,
  type FileType,
  type listArtifacts,
  type QueryOf,
  typesOfKind,
} from '@engram/contract';
import { z } from 'zod';
import {
  and,
  arrayContains,
  asc,
  type Column,
  desc,
  eq,
  getTableColumns,
  gte,
  ilike,
  inArray,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { parseContentAddress } from '../../platform/http/web-address.ts';
import { decodeCursor, encodeCursor, storableTime } from '../../platform/http/newest-first.ts';
import { pageOrAll } from '../../platform/http/paged-answer.ts';
import { containing } from '../../platform/database/sql.ts';
import { type FileLinks, type Owner, presentArtifact } from './artifacts.presenter.ts';
import { artifacts, artifactTexts, type ListedRow } from './artifacts.tables.ts';

/** The length of the excerpt of a matched line, and of the part before the first match. */
const LINE_LENGTH = 240;
const LINE_LEAD = 60;

type SortKey = 'created' | 'name' | 'size';

type ListRequest = QueryOf<typeof listArtifacts>;

type ListFilter = Omit<ListRequest, 'limit' | 'cursor' | 'offset' | 'sort' | 'since' | 'until'> & {
  userId: string;
  types?: readonly FileType[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** The sort value and id of the row before a page. */
interface Position {
  value: string | number;
  id: string;
}

interface Page {
  sort: SortKey;
  descending: boolean;
  limit: number;
  after?: Position | undefined;
  offset?: number | undefined;
}

interface Sort {
  key: Column | SQL;
  valueOf: (row: ListedRow) => Position['value'];
  /** Accepts only values that PostgreSQL can store. */
  shape: z.ZodType<Position['value']>;
  cast: (value: Position['value']) => SQL;
}

const SORTS: Record<SortKey, Sort> = {
  created: {
    key: artifacts.createdAt,
    valueOf: (row) => row.createdAt.toISOString(),
    shape: storableTime,
    cast: (value) => sql`${value}::timestamptz`,
  },
  name: {
    key: sql`lower(${artifacts.fileName})`,
    valueOf: (row) => row.fileName,
    // PostgreSQL stores neither NUL nor lone surrogates.
    shape: z.string().refine((name) => !name.includes('\0') && name.isWellFormed()),
    cast: (value) => sql`lower(${value}::text)`,
  },
  size: {
    key: artifacts.size,
    valueOf: (row) => row.size,
    shape: z.int().nonnegative(),
    cast: (value) => sql`${value}::bigint`,
  },
};

// Reading fewer columns makes long lists faster.
const {
  sha256: _sha256,
  fileType: _fileType,
  revision: _revision,
  title: _title,
  language: _language,
  deviceId: _deviceId,
  replacedBy: _replacedBy,
  ...listed
} = getTableColumns(artifacts);

const nameContains = (text: string): SQL | undefined =>
  or(ilike(artifacts.fileName, containing(text)), ilike(artifacts.path, containing(text)));

const wordsOf = (q: string): string[] => q.trim().split(/\s+/u);

const contentMatches = (q: string): SQL | undefined =>
  and(
    ...wordsOf(q).map((word) => {
      const isInText = sql`EXISTS (SELECT FROM ${artifactTexts}
        WHERE ${artifactTexts.artifactId} = ${artifacts.id}
          AND ${artifactTexts.text} ILIKE ${containing(word)})`;
      return or(nameContains(word), isInText);
    }),
  );

const statusesOf: Record<FileState, ListedRow['status'][]> = {
  ready: ['SUCCESS'],
  reading: ['PENDING', 'PROCESSING'],
  failed: ['FAILED'],
};

export const matching = (filter: ListFilter): SQL | undefined => {
  const { userId, archived, keyword, folder, status, state, kind, types, source, q = '' } = filter;
  const queried = filter.in === 'content' ? contentMatches : nameContains;
  return and(
    eq(artifacts.userId, userId),
    q.trim() === '' ? undefined : queried(q),
    archived === undefined ? undefined : eq(artifacts.archived, archived),
    keyword ? arrayContains(artifacts.keywords, [keyword]) : undefined,
    folder ? sql`starts_with(${artifacts.path}, ${`${folder}/`})` : undefined,
    status ? eq(artifacts.status, status) : undefined,
    state ? inArray(artifacts.status, statusesOf[state]) : undefined,
    kind ? inArray(artifacts.fileType, [...typesOfKind(kind)]) : undefined,
    types ? inArray(artifacts.fileType, [...types]) : undefined,
    source ? eq(artifacts.source, source) : undefined,
    filter.webAddress
      ? eq(artifacts.webAddress, parseContentAddress(filter.webAddress))
      : undefined,
    filter.since ? gte(artifacts.createdAt, filter.since) : undefined,
    filter.until ? lt(artifacts.createdAt, filter.until) : undefined,
  );
};

/** Compares rows, so that an index over both columns is used. */
function isAfter({ sort, descending, after }: Page): SQL | undefined {
  if (!after) return undefined;
  const operator = descending ? sql`<` : sql`>`;
  const { key, cast } = SORTS[sort];
  return sql`(${key}, ${artifacts.id}) ${operator} (${cast(after.value)}, ${after.id}::uuid)`;
}

const sortOf = ({ sort = '-created' }: ListRequest) => ({
  sort: sort.replace('-', '') as SortKey,
  descending: sort.startsWith('-'),
});

const DAY_MS = 86_400_000;

/** Parses times. A date without a time includes the whole day. */
export function timesOf({ since, until }: Pick<ListRequest, 'since' | 'until'>) {
  const extra = until?.includes('T') ? 0 : DAY_MS;
  return {
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(Date.parse(until) + extra),
  };
}

/** @throws HttpError 400 if the cursor is invalid or belongs to another order */
function positionOf(cursor: string | undefined, sort: SortKey): Position | undefined {
  const position = decodeCursor(cursor, z.tuple([z.literal(sort), SORTS[sort].shape, z.uuid()]));
  return position && { value: position[1], id: position[2] };
}

export function createListing(database: Database, links: FileLinks) {
  const { db } = database;

  /** Reads one page. Earlier rows are sorted and skipped by their ids only, which is faster. */
  function listRows(filter: ListFilter, page: Page): Promise<ListedRow[]> {
    const order = page.descending ? desc : asc;
    const ordered = [order(SORTS[page.sort].key), order(artifacts.id)];
    const ids = db
      .select({ id: artifacts.id })
      .from(artifacts)
      .where(and(matching(filter), isAfter(page)))
      .orderBy(...ordered)
      .limit(page.limit)
      .offset(page.offset ?? 0);
    return db
      .select(listed)
      .from(artifacts)
      .where(and(eq(artifacts.userId, filter.userId), sql`${artifacts.id} = ANY(ARRAY(${ids}))`))
      .orderBy(...ordered);
  }

  /** The line of each text that contains most of the words, without texts that contain none. */
  async function matchedLines(ids: readonly string[], q: string): Promise<Map<string, string>> {
    const words = wordsOf(q).map((word) => ({ word, pattern: containing(word) }));
    const matches = words.map(({ pattern }) => sql`(line ILIKE ${pattern})::int`);
    const positions = words.map(
      ({ word, pattern }) =>
        sql`CASE WHEN line ILIKE ${pattern} THEN strpos(lower(line), lower(${word})) END`,
    );
    const { rows } = await db.execute<{ id: string; line: string }>(sql`
      SELECT files.id, best.line FROM unnest(${sql.param([...ids])}::uuid[]) AS files (id)
      CROSS JOIN LATERAL (
        SELECT substring(line FROM greatest(1, coalesce(least(${sql.join(positions, sql`, `)}), 1)
          - ${LINE_LEAD}::int) FOR ${LINE_LENGTH}::int) AS line
        FROM ${artifactTexts}
        CROSS JOIN LATERAL string_to_table(${artifactTexts.text}, chr(10))
          WITH ORDINALITY AS lines (line, place)
        WHERE ${artifactTexts.artifactId} = files.id
          AND (${sql.join(
            words.map(({ pattern }) => sql`line ILIKE ${pattern}`),
            sql` OR `,
          )})
        ORDER BY ${sql.join(matches, sql` + `)} DESC, ${artifactTexts.part}, place LIMIT 1
      ) AS best`);
    return new Map(rows.map(({ id, line }) => [id, line]));
  }

  const readPage = async (owner: Owner, filter: ListFilter, page: Page) => {
    const rows = await listRows(filter, { ...page, limit: page.limit + 1 });
    const shown = rows.slice(0, page.limit);
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    const { q = '' } = filter;
    const searchesContent = filter.in === 'content' && q.trim() !== '' && shown.length > 0;
    const ids = shown.map(({ id }) => id);
    const lines = searchesContent ? await matchedLines(ids, q) : new Map<string, string>();
    const data = shown.map((row) => {
      const matchedLine = lines.get(row.id);
      return { ...presentArtifact(row, owner, links), ...(matchedLine && { matchedLine }) };
    });
    const { valueOf } = SORTS[page.sort];
    return { data, nextCursor: last ? encodeCursor([page.sort, valueOf(last), last.id]) : null };
  };

  return {
    /**
     * One page of files with the total, or all files if there is no limit.
     * @throws HttpError 400 if the cursor is not valid for this list
     */
    async list(owner: Owner, request: ListRequest) {
      const { limit, cursor, offset, sort: _sort, since, until, ...other } = request;
      if (cursor !== undefined && offset !== undefined) {
        throw new HttpError(400, 'two_places', 'Send either an offset or a cursor, not both.');
      }
      const filter = { ...other, ...timesOf({ since, until }), userId: owner.userId };
      const order = sortOf(request);
      const read = (pageLimit: number, from: string | undefined) => {
        const after = positionOf(from, order.sort);
        const skipped = after ? undefined : offset;
        return readPage(owner, filter, { ...order, limit: pageLimit, after, offset: skipped });
      };
      const count = () => db.$count(artifacts, matching(filter));
      const list = await pageOrAll({ limit, cursor }, read, count);
      return offset === undefined ? list : { ...list, total: await count() };
    },

    /** A page of files, newest first. @throws HttpError 400 for an invalid cursor */
    newest(
      owner: Owner,
      request: Omit<ListFilter, 'userId'> & { limit: number; cursor?: string | undefined },
    ) {
      const { limit, cursor, ...filter } = request;
      const after = positionOf(cursor, 'created');
      const page: Page = { sort: 'created', descending: true, limit, after };
      return readPage(owner, { ...filter, userId: owner.userId }, page);
    },
  };
}
