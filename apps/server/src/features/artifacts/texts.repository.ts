import { type Location, locationAt } from '@engram/contract';
import type { PageWords, Segment } from '@engram/extraction';
import { and, asc, between, eq, type SQL, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { artifacts, artifactTexts, artifactWords, TEXT_PART_LENGTH } from './artifacts.tables.ts';

export interface ExtractedText {
  text: string;
  segments: readonly Segment[];
  words: readonly PageWords[];
}

export interface Document {
  text: string;
  segments: Segment[];
}

/** A quote from a file's text. Offsets are in UTF-16 units. */
interface SourceQuote {
  artifactId: string;
  quote: string;
  start: number;
  end: number;
}

type TextPart = typeof artifactTexts.$inferSelect;

const PAGES_PER_INSERT = 20;

/** The end of the part that begins at `begin`. It does not split a surrogate pair. */
function partEnd(text: string, begin: number): number {
  const end = Math.min(text.length, begin + TEXT_PART_LENGTH);
  return end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

function* partsOf(artifactId: string, { text, segments }: ExtractedText): Generator<TextPart> {
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

export function* batchesBySize<Row>(
  rows: Iterable<Row>,
  sizeOf: (row: Row) => number,
  limit: number,
): Generator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    if (batch.length > 0 && size + sizeOf(row) > limit) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(row);
    size += sizeOf(row);
  }
  if (batch.length > 0) yield batch;
}

export async function saveTexts(
  tx: Executor,
  extractions: readonly { id: string; document: ExtractedText | null }[],
): Promise<void> {
  const ids = extractions.map(({ id }) => id);
  await tx.delete(artifactTexts).where(isAnyOf(artifactTexts.artifactId, ids));
  await tx.delete(artifactWords).where(isAnyOf(artifactWords.artifactId, ids));
  const withText = extractions.flatMap(({ id, document }) => (document ? [{ id, document }] : []));
  const parts = withText.values().flatMap(({ id, document }) => partsOf(id, document));
  for (const batch of batchesBySize(parts, ({ text }) => text.length, TEXT_PART_LENGTH)) {
    await tx.insert(artifactTexts).values(batch);
  }
  for (const { id, document } of withText) {
    for (let from = 0; from < document.words.length; from += PAGES_PER_INSERT) {
      const pages = document.words.slice(from, from + PAGES_PER_INSERT);
      await tx
        .insert(artifactWords)
        .values(pages.map(({ path = '', page, words }) => ({ artifactId: id, path, page, words })))
        .onConflictDoNothing();
    }
  }
}

/** The numbers of the parts that may contain a quote or the start of its segment. */
function partNumbers({ start, end }: SourceQuote): number[] {
  const first = Math.max(0, Math.floor(start / TEXT_PART_LENGTH) - 1);
  const last = Math.floor(end / TEXT_PART_LENGTH);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/**
 * The offset of a part in the whole text. Each earlier part may be a unit longer than TEXT_PART_LENGTH,
 * so the exact offset is the one at which the quote matches.
 */
function offsetOf(part: number, text: string, { quote, start }: SourceQuote): number {
  const minOffset = part * TEXT_PART_LENGTH;
  const extra = Array.from({ length: part + 1 }, (_, i) => i).find((units) =>
    text.startsWith(quote, start - minOffset - units),
  );
  return minOffset + (extra ?? 0);
}

function locationIn(parts: readonly TextPart[], quote: SourceQuote): Location {
  const numbers = partNumbers(quote);
  const needed = parts.filter(({ part }) => numbers.includes(part));
  const document = joined(needed);
  const textStart = offsetOf(needed[0]?.part ?? 0, document.text, quote);
  return locationAt({ ...document, textStart }, quote);
}

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

  const partsOfFile = (id: string, condition?: SQL): Promise<TextPart[]> =>
    db
      .select()
      .from(artifactTexts)
      .where(and(eq(artifactTexts.artifactId, id), condition))
      .orderBy(artifactTexts.part);

  return {
    /** The whole text of a file of any user, empty if it has none. */
    async text(id: string): Promise<string> {
      const rows = await db
        .select({ text: artifactTexts.text })
        .from(artifactTexts)
        .where(eq(artifactTexts.artifactId, id))
        .orderBy(artifactTexts.part);
      return rows.map((row) => row.text).join('');
    },

    async segments(id: string, from: number, to: number): Promise<Segment[]> {
      // A part may be a unit longer than TEXT_PART_LENGTH, and a segment may end in the next part.
      const first = Math.floor(from / TEXT_PART_LENGTH) - 1;
      const last = Math.floor(to / TEXT_PART_LENGTH);
      const rows = await db
        .select({ segments: artifactTexts.segments })
        .from(artifactTexts)
        .where(and(eq(artifactTexts.artifactId, id), between(artifactTexts.part, first, last)))
        .orderBy(artifactTexts.part);
      return rows
        .flatMap(({ segments }) => segments)
        .filter(({ start, end }) => start < to && end > from);
    },

    /** The words recognized in a picture. `path` names a member of an archive, or is empty. */
    async words(id: string, page: number, path: string): Promise<PageWords['words']> {
      const { artifactId } = artifactWords;
      const [row] = await db
        .select({ words: artifactWords.words })
        .from(artifactWords)
        .where(and(eq(artifactId, id), eq(artifactWords.page, page), eq(artifactWords.path, path)));
      return row?.words ?? [];
    },

    /** The first `length` characters of texts, with the segments that start in them. */
    async beginnings(userId: string, ids: readonly string[], length: number) {
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
    async documents(userId: string, ids: readonly string[], limit: number) {
      const isShort = sql`(SELECT sum(length(part.text)) FROM ${artifactTexts} AS part
        WHERE part.artifact_id = ${artifacts.id}) <= ${limit}`;
      const parts = await partsOfUser(
        userId,
        and(eq(artifacts.archived, false), isAnyOf(artifacts.id, ids), isShort),
      );
      const byFile = Map.groupBy(parts, ({ artifactId }) => artifactId);
      return new Map([...byFile].map(([id, fileParts]) => [id, joined(fileParts)]));
    },

    /** The text of a file of any user; undefined if it has none. */
    async document(id: string): Promise<Document | undefined> {
      const parts = await partsOfFile(id);
      return parts.length === 0 ? undefined : joined(parts);
    },

    /** Adds the location in the file to each quote: line 1 if the file was deleted. */
    async locate<Quote extends SourceQuote>(userId: string, quotes: readonly Quote[]) {
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
