import { type Location, locationAt } from '@engram/contract';
import type { PageWords, Segment } from '@engram/extraction';
import { and, asc, between, eq, type SQL, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { artifacts, artifactTexts, artifactWords, TEXT_PART_LENGTH } from './artifacts.tables.ts';

/** The text of a file with its segments, and the words recognized in its pictures. */
export interface ReadingText {
  text: string;
  segments: readonly Segment[];
  words: readonly PageWords[];
}

/** A text, or the beginning of one, with its segments. */
export interface Document {
  text: string;
  segments: Segment[];
}

/** A quote from a file's text. Offsets are in UTF-16 units. */
export interface SourceQuote {
  artifactId: string;
  /** Exactly as it is in the file's text. */
  quote: string;
  start: number;
  end: number;
}

type TextPart = typeof artifactTexts.$inferSelect;

/** Pages of recognized words in one statement. */
const PAGES_PER_INSERT = 20;

/** Where a part ends that begins at `begin`: never between the halves of one character. */
function partEnd(text: string, begin: number): number {
  const end = Math.min(text.length, begin + TEXT_PART_LENGTH);
  return end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

/** Cuts a text into the parts in which it is stored. */
function* partsOf(
  artifactId: string,
  { text, segments }: Pick<ReadingText, 'text' | 'segments'>,
): Generator<TextPart> {
  let next = 0;
  let begin = 0;
  for (let part = 0; begin < text.length; part += 1) {
    const end = partEnd(text, begin);
    const from = next;
    while (next < segments.length && (segments[next]?.start ?? end) < end) next += 1;
    yield { artifactId, part, text: text.slice(begin, end), segments: segments.slice(from, next) };
    begin = end;
  }
}

/** Replaces the stored texts and words of files. */
export async function saveTexts(
  tx: Executor,
  readings: readonly { id: string; document: ReadingText | null }[],
): Promise<void> {
  const ids = readings.map(({ id }) => id);
  await tx.delete(artifactTexts).where(isAnyOf(artifactTexts.artifactId, ids));
  await tx.delete(artifactWords).where(isAnyOf(artifactWords.artifactId, ids));
  let gathered: TextPart[] = [];
  let length = 0;
  const flush = async () => {
    if (gathered.length > 0) await tx.insert(artifactTexts).values(gathered);
    gathered = [];
    length = 0;
  };
  for (const { id, document } of readings) {
    if (!document) continue;
    for (const part of partsOf(id, document)) {
      if (length + part.text.length > TEXT_PART_LENGTH) await flush();
      gathered.push(part);
      length += part.text.length;
    }
    for (let from = 0; from < document.words.length; from += PAGES_PER_INSERT) {
      const pages = document.words.slice(from, from + PAGES_PER_INSERT);
      await tx
        .insert(artifactWords)
        .values(pages.map(({ path = '', page, words }) => ({ artifactId: id, path, page, words })))
        .onConflictDoNothing();
    }
  }
  await flush();
}

/** The numbers of the parts that may contain a quote or the start of its segment. */
function partNumbers({ start, end }: SourceQuote): number[] {
  const first = Math.max(0, Math.floor(start / TEXT_PART_LENGTH) - 1);
  const last = Math.floor(end / TEXT_PART_LENGTH);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/**
 * Where the text of a part begins in the whole text. Each part before it may be a unit longer than
 * planned, so the exact offset is the one at which the quote matches.
 */
function beginOf(part: number, text: string, { quote, start }: SourceQuote): number {
  const planned = part * TEXT_PART_LENGTH;
  const extra = Array.from({ length: part + 1 }, (_, i) => i).find((units) =>
    text.startsWith(quote, start - planned - units),
  );
  return planned + (extra ?? 0);
}

function locationIn(parts: readonly TextPart[], quote: SourceQuote): Location {
  const numbers = partNumbers(quote);
  const own = parts.filter(({ part }) => numbers.includes(part));
  const text = own.map((part) => part.text).join('');
  const textStart = beginOf(own[0]?.part ?? 0, text, quote);
  return locationAt({ text, textStart, segments: own.flatMap(({ segments }) => segments) }, quote);
}

/** SQL over the stored texts of files. */
export function createTextsRepository({ db }: Pick<Database, 'db'>) {
  const partsOfUser = (userId: string, condition: SQL | undefined): Promise<TextPart[]> =>
    db
      .select({
        artifactId: artifactTexts.artifactId,
        part: artifactTexts.part,
        text: artifactTexts.text,
        segments: artifactTexts.segments,
      })
      .from(artifacts)
      .innerJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
      .where(and(eq(artifacts.userId, userId), condition))
      .orderBy(asc(artifactTexts.part));

  return {
    /** The whole text: undefined if the file does not exist, empty if it has no text. */
    async text(userId: string, id: string): Promise<string | undefined> {
      const rows = await db
        .select({ text: artifactTexts.text })
        .from(artifacts)
        .leftJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
        .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)))
        .orderBy(artifactTexts.part);
      return rows.length === 0 ? undefined : rows.map((row) => row.text ?? '').join('');
    },

    /** The segments that overlap a range of the text; undefined if the file does not exist. */
    async segments(
      userId: string,
      id: string,
      { from, to }: { from: number; to: number },
    ): Promise<Segment[] | undefined> {
      // A part may be a unit longer than planned, and a segment may end in the next part.
      const first = Math.floor(from / TEXT_PART_LENGTH) - 1;
      const last = Math.floor(to / TEXT_PART_LENGTH);
      const rows = await db
        .select({ segments: artifactTexts.segments })
        .from(artifacts)
        .leftJoin(
          artifactTexts,
          and(eq(artifactTexts.artifactId, artifacts.id), between(artifactTexts.part, first, last)),
        )
        .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)))
        .orderBy(artifactTexts.part);
      if (rows.length === 0) return undefined;
      return rows
        .flatMap((row) => row.segments ?? [])
        .filter(({ start, end }) => start < to && end > from);
    },

    /**
     * The words recognized in a picture with their positions: undefined if the file does not exist.
     * `path` names a member of an archive and is empty for other files.
     */
    async words(
      userId: string,
      id: string,
      { page, path }: { page: number; path: string },
    ): Promise<PageWords['words'] | undefined> {
      const [row] = await db
        .select({ words: artifactWords.words })
        .from(artifacts)
        .leftJoin(
          artifactWords,
          and(
            eq(artifactWords.artifactId, artifacts.id),
            eq(artifactWords.page, page),
            eq(artifactWords.path, path),
          ),
        )
        .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)));
      return row && (row.words ?? []);
    },

    /** The first `length` characters of texts, with the segments that start in them. */
    async beginnings(
      userId: string,
      ids: readonly string[],
      length: number,
    ): Promise<Map<string, Document>> {
      const rows = await db
        .select({
          id: artifacts.id,
          text: sql<string>`left(${artifactTexts.text}, ${length})`,
          segments: sql<Segment[]>`jsonb_path_query_array(${artifactTexts.segments},
            '$[*] ? (@.start < $length)', jsonb_build_object('length', ${length}::int))`,
        })
        .from(artifacts)
        .innerJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
        .where(
          and(eq(artifacts.userId, userId), eq(artifactTexts.part, 0), isAnyOf(artifacts.id, ids)),
        );
      return new Map(rows.map(({ id, ...document }) => [id, document]));
    },

    /** The whole texts of files that are not archived and have up to `limit` characters. */
    async documents(
      userId: string,
      ids: readonly string[],
      limit: number,
    ): Promise<Map<string, Document>> {
      const isShort = sql`(SELECT sum(length(part.text)) FROM ${artifactTexts} AS part
        WHERE part.artifact_id = ${artifacts.id}) <= ${limit}`;
      const parts = await partsOfUser(
        userId,
        and(eq(artifacts.archived, false), isAnyOf(artifacts.id, ids), isShort),
      );
      const byFile = Map.groupBy(parts, ({ artifactId }) => artifactId);
      return new Map([...byFile].map(([id, own]) => [id, joined(own)]));
    },

    /** The text of a file of any user; undefined if it has none. */
    async document(id: string): Promise<Document | undefined> {
      const parts = await db
        .select()
        .from(artifactTexts)
        .where(eq(artifactTexts.artifactId, id))
        .orderBy(artifactTexts.part);
      return parts.length === 0 ? undefined : joined(parts);
    },

    /** Adds to each quote its location in the file: line 1 if the file was deleted. */
    async locate<Quote extends SourceQuote>(
      userId: string,
      quotes: readonly Quote[],
    ): Promise<(Quote & { location: Location })[]> {
      const keys = quotes.flatMap((quote) =>
        partNumbers(quote).map((part) => ({ id: quote.artifactId, part })),
      );
      const isNeeded = sql`(${artifactTexts.artifactId}, ${artifactTexts.part}) IN (
        SELECT * FROM unnest(${sql.param(keys.map(({ id }) => id))}::uuid[],
          ${sql.param(keys.map(({ part }) => part))}::int[]))`;
      const parts = keys.length === 0 ? [] : await partsOfUser(userId, isNeeded);
      const byFile = Map.groupBy(parts, ({ artifactId }) => artifactId);
      return quotes.map((quote) => ({
        ...quote,
        location: locationIn(byFile.get(quote.artifactId) ?? [], quote),
      }));
    },
  };
}

const joined = (parts: readonly TextPart[]): Document => ({
  text: parts.map(({ text }) => text).join(''),
  segments: parts.flatMap(({ segments }) => segments),
});

export type TextsRepository = ReturnType<typeof createTextsRepository>;
