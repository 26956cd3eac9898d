import { type FileKind, type FileState, type FileType, typesOfKind } from '@engram/contract';
import {
  and,
  arrayContains,
  asc,
  type Column,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  ilike,
  inArray,
  lt,
  type SQL,
  sql,
  or,
} from 'drizzle-orm';
import { containing } from '../../platform/database/containing.ts';
import type { Database } from '../../platform/database/database.ts';
import { artifacts, artifactTexts, type ListedRow } from './artifacts.tables.ts';

/** Characters of a matched line that are returned, and of those before the first match. */
const LINE_LENGTH = 240;
const LINE_LEAD = 60;

export type SortKey = 'created' | 'name' | 'size';

export interface ListFilter {
  userId: string;
  q?: string | undefined;
  /** Where the words of `q` are searched. Default: in names and paths. */
  in?: 'names' | 'content' | undefined;
  archived?: boolean | undefined;
  keyword?: string | undefined;
  /** The path of a folder. */
  folder?: string | undefined;
  status?: ListedRow['status'] | undefined;
  state?: FileState | undefined;
  kind?: FileKind | undefined;
  source?: ListedRow['source'] | undefined;
  types?: readonly FileType[] | undefined;
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/** The sort value and id of a row, after which a page begins. */
export interface Place {
  value: string | number;
  id: string;
}

export interface Page {
  sort: SortKey;
  descending: boolean;
  limit: number;
  after?: Place | undefined;
  offset?: number | undefined;
}

const sortKeys: Record<SortKey, Column | SQL> = {
  created: artifacts.createdAt,
  name: sql`lower(${artifacts.fileName})`,
  size: artifacts.size,
};

const placeKeys: Record<SortKey, (value: string | number) => SQL> = {
  created: (value) => sql`${value}::timestamptz`,
  name: (value) => sql`lower(${value}::text)`,
  size: (value) => sql`${value}::bigint`,
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

const nameMatches = (pattern: string): SQL | undefined =>
  or(ilike(artifacts.fileName, pattern), ilike(artifacts.path, pattern));

const wordsOf = (q: string): string[] => q.trim().split(/\s+/u);

/** Every word is in the name, the path or the text. */
const contentMatches = (q: string): SQL | undefined =>
  and(
    ...wordsOf(q).map((word) => {
      const pattern = containing(word);
      return or(
        nameMatches(pattern),
        sql`EXISTS (SELECT FROM ${artifactTexts} WHERE ${artifactTexts.artifactId} = ${artifacts.id}
          AND ${artifactTexts.text} ILIKE ${pattern})`,
      );
    }),
  );

const statusesOf: Record<FileState, ListedRow['status'][]> = {
  ready: ['SUCCESS'],
  reading: ['PENDING', 'PROCESSING'],
  failed: ['FAILED'],
};

const matchingQuery = ({ q = '', in: where }: ListFilter): SQL | undefined => {
  if (q.trim() === '') return undefined;
  return where === 'content' ? contentMatches(q) : nameMatches(containing(q));
};

/** The condition of a filter. */
export const matching = (filter: ListFilter): SQL | undefined => {
  const { userId, archived, keyword, folder, status, state, kind, types, source } = filter;
  return and(
    eq(artifacts.userId, userId),
    matchingQuery(filter),
    archived === undefined ? undefined : eq(artifacts.archived, archived),
    keyword ? arrayContains(artifacts.keywords, [keyword]) : undefined,
    folder ? sql`starts_with(${artifacts.path}, ${`${folder}/`})` : undefined,
    status ? eq(artifacts.status, status) : undefined,
    state ? inArray(artifacts.status, statusesOf[state]) : undefined,
    kind ? inArray(artifacts.fileType, [...typesOfKind(kind)]) : undefined,
    types ? inArray(artifacts.fileType, [...types]) : undefined,
    source ? eq(artifacts.source, source) : undefined,
    filter.since ? gte(artifacts.createdAt, filter.since) : undefined,
    filter.until ? lt(artifacts.createdAt, filter.until) : undefined,
  );
};

/** A comparison of rows, so that an index over both columns is used. */
function beyond({ sort, descending, after }: Page): SQL | undefined {
  if (!after) return undefined;
  const than = descending ? sql`<` : sql`>`;
  const place = sql`(${placeKeys[sort](after.value)}, ${after.id}::uuid)`;
  return sql`(${sortKeys[sort]}, ${artifacts.id}) ${than} ${place}`;
}

/** SQL that lists a user's files. */
export function createListingRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** One page. Rows before it are sorted and skipped as ids. */
    list(filter: ListFilter, page: Page): Promise<ListedRow[]> {
      const order = page.descending ? desc : asc;
      const ordered = [order(sortKeys[page.sort]), order(artifacts.id)];
      const ids = db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(matching(filter), beyond(page)))
        .orderBy(...ordered)
        .limit(page.limit)
        .offset(page.offset ?? 0);
      return db
        .select(listed)
        .from(artifacts)
        .where(and(eq(artifacts.userId, filter.userId), sql`${artifacts.id} = ANY(ARRAY(${ids}))`))
        .orderBy(...ordered);
    },

    /** The line of each text that contains most of the words, without texts that contain none. */
    async matchedLines(ids: readonly string[], q: string): Promise<Map<string, string>> {
      const words = wordsOf(q).map((word) => ({ word, pattern: containing(word) }));
      const found = words.map(({ pattern }) => sql`(line ILIKE ${pattern})::int`);
      const places = words.map(
        ({ word, pattern }) =>
          sql`CASE WHEN line ILIKE ${pattern} THEN strpos(lower(line), lower(${word})) END`,
      );
      const { rows } = await db.execute<{ id: string; line: string }>(sql`
        SELECT files.id, best.line FROM unnest(${sql.param([...ids])}::uuid[]) AS files (id)
        CROSS JOIN LATERAL (
          SELECT substring(line FROM greatest(1, coalesce(least(${sql.join(places, sql`, `)}), 1)
            - ${LINE_LEAD}::int) FOR ${LINE_LENGTH}::int) AS line
          FROM ${artifactTexts}
          CROSS JOIN LATERAL string_to_table(${artifactTexts.text}, chr(10))
            WITH ORDINALITY AS lines (line, place)
          WHERE ${artifactTexts.artifactId} = files.id
            AND (${sql.join(
              words.map(({ pattern }) => sql`line ILIKE ${pattern}`),
              sql` OR `,
            )})
          ORDER BY ${sql.join(found, sql` + `)} DESC, ${artifactTexts.part}, place LIMIT 1
        ) AS best`);
      return new Map(rows.map(({ id, line }) => [id, line]));
    },

    async count(filter: ListFilter): Promise<number> {
      const [row] = await db.select({ n: count() }).from(artifacts).where(matching(filter));
      return row?.n ?? 0;
    },
  };
}
