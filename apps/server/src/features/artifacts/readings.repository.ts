import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { PageWords, Segment } from '@engram/extraction';
import type { DocumentFacts, RecordTable } from '@engram/retrieval';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createGroupCommit } from '../../platform/database/group-commit.ts';
import {
  artifactFacts,
  artifactPhrases,
  type ArtifactRow,
  artifacts,
  artifactTexts,
  artifactWords,
  TEXT_PART_LENGTH,
} from './artifacts.tables.ts';
import { saveTables } from './records.repository.ts';
import type { LibraryChanged } from './library-versions.ts';

/** Names one reading of an artifact: a later one counts its revision up. */
export type ReadingId = Pick<ArtifactRow, 'id' | 'revision'>;

/** What was read from a file. */
export interface ReadingText {
  text: string;
  segments: readonly Segment[];
  words: readonly PageWords[];
}

/** A reading that came to its end. */
export interface FinishedReading extends ReadingId {
  statusReason: string | null;
  /** Whether its text is in the index. */
  indexed: boolean;
  title: string | null;
  language: string | null;
  preview: string | null;
  durationMs: number | null;
  /** What it speaks of, the most telling first. */
  phrases: readonly string[];
  /** What it says of itself; null for a file without text. */
  facts: DocumentFacts | null;
  /** Its tables and fields as typed records. */
  tables: readonly RecordTable[];
  /** null leaves the stored text as it is. */
  document: ReadingText | null;
}

/** Most readings of one commit, and most characters in them: a commit holds up everybody else. */
const MOST_READINGS = 64;
const MOST_CHARACTERS = 1_000_000;
/** Pages of recognised words in one statement. */
const PAGES_PER_INSERT = 20;
/** Most artifacts that are looked up together. */
const MOST_LOOKED_UP = 500;

const UNFINISHED = ['PENDING', 'PROCESSING'] as const;

/** One group may hold two readings of one artifact. */
const nameOf = ({ id, revision }: ReadingId): string => `${id}:${revision}`;

/** Where a part ends that begins at `begin`: never between the halves of one character. */
function partEnd(text: string, begin: number): number {
  const end = Math.min(text.length, begin + TEXT_PART_LENGTH);
  return end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

type TextPart = typeof artifactTexts.$inferInsert;

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

/** SQL over the readings of artifacts: what many files at once do, so that they share statements. */
export function createReadingsRepository(
  database: Pick<Database, 'db' | 'transaction'>,
  libraryChanged: LibraryChanged,
) {
  const { db } = database;

  /** Sets the final state of readings. Returns the owners of those that are current, by their names. */
  async function setFinished(
    tx: Executor,
    readings: readonly FinishedReading[],
    updatedAt: Date,
  ): Promise<Map<string, string>> {
    const column = <Value>(name: keyof FinishedReading) =>
      sql.param(readings.map((reading) => reading[name] as Value));
    // Rows are locked in the order in which uploads lock them.
    const result = await tx.execute<ReadingId & { userId: string }>(sql`
      WITH given AS (
        SELECT * FROM unnest(
          ${column<string>('id')}::uuid[], ${column<number>('revision')}::int[],
          ${column<string>('statusReason')}::text[], ${column<boolean>('indexed')}::boolean[],
          ${column<string>('title')}::text[], ${column<string>('language')}::text[],
          ${column<string>('preview')}::text[], ${column<number>('durationMs')}::int[]
        ) AS g (id, revision, status_reason, indexed, title, language, preview, duration_ms)
      ), current AS (
        SELECT a.id, a.revision FROM artifacts a JOIN given USING (id, revision)
        ORDER BY a.user_id, a.sha256 FOR UPDATE OF a
      )
      UPDATE artifacts a SET
        status = 'SUCCESS', progress = 100, status_reason = given.status_reason,
        indexed = given.indexed, title = given.title, language = given.language,
        preview = given.preview, duration_ms = given.duration_ms, updated_at = ${updatedAt.toISOString()}
      FROM given JOIN current USING (id, revision) WHERE a.id = given.id
      RETURNING a.id, a.revision, a.user_id AS "userId"`);
    return new Map(result.rows.map((row) => [nameOf(row), row.userId]));
  }

  /** Keeps what was read, in place of what was read before. */
  async function saveTexts(
    tx: Executor,
    readings: readonly Pick<FinishedReading, 'id' | 'document'>[],
  ): Promise<void> {
    const ids = sql.param(readings.map(({ id }) => id));
    await tx.delete(artifactTexts).where(sql`${artifactTexts.artifactId} = ANY(${ids}::uuid[])`);
    await tx.delete(artifactWords).where(sql`${artifactWords.artifactId} = ANY(${ids}::uuid[])`);
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
          .values(
            pages.map(({ path = '', page, words }) => ({ artifactId: id, path, page, words })),
          )
          .onConflictDoNothing();
      }
    }
    await flush();
  }

  /** Keeps what was found to be spoken of, in place of what an earlier reading found. */
  async function savePhrases(
    tx: Executor,
    readings: readonly Pick<FinishedReading, 'id' | 'phrases'>[],
  ): Promise<void> {
    await tx
      .insert(artifactPhrases)
      .values(readings.map(({ id, phrases }) => ({ artifactId: id, phrases: [...phrases] })))
      .onConflictDoUpdate({
        target: artifactPhrases.artifactId,
        set: { phrases: sql`excluded.phrases` },
      });
  }

  /** Keeps what they say of themselves, in place of what an earlier reading found. */
  async function saveFacts(
    tx: Executor,
    readings: readonly Pick<FinishedReading, 'id' | 'facts'>[],
  ): Promise<void> {
    const ids = sql.param(readings.map(({ id }) => id));
    await tx.delete(artifactFacts).where(sql`${artifactFacts.artifactId} = ANY(${ids}::uuid[])`);
    const told = readings.flatMap(({ id, facts }) =>
      facts ? [{ id, ...facts, date: facts.date && { value: facts.date } }] : [],
    );
    if (told.length === 0) return;
    // One text for all: the owner stands with the artifact.
    await tx.execute(sql`
      INSERT INTO artifact_facts (artifact_id, user_id, kind, title, date, version, codes)
      SELECT id, a.user_id, given.kind, given.title, given.date, given.version, given.codes
      FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS given (id uuid, kind text, title text,
        date jsonb, version text, codes text[])
      JOIN artifacts a USING (id)`);
  }

  const finish = createGroupCommit<FinishedReading & { at: Date }, boolean>({
    mostItems: MOST_READINGS,
    mostSize: MOST_CHARACTERS,
    sizeOf: ({ document }) => document?.text.length ?? 0,
    async commit(readings) {
      const at = readings.at(-1)?.at ?? new Date(0);
      const finished = await database.transaction(async (tx) => {
        const finished = await setFinished(tx, readings, at);
        const current = readings.filter((reading) => finished.has(nameOf(reading)));
        const read = current.filter(({ document }) => document);
        if (read.length > 0) await saveTexts(tx, read);
        if (current.length > 0) {
          await savePhrases(tx, current);
          await saveFacts(tx, current);
          await saveTables(tx, current);
        }
        await libraryChanged(tx, ...new Set(finished.values()));
        return finished;
      });
      return readings.map((reading) => finished.has(nameOf(reading)));
    },
  });

  const find = createGroupCommit<string, ArtifactRow | undefined>({
    mostItems: MOST_LOOKED_UP,
    async commit(ids) {
      const rows = await db.select().from(artifacts).where(isAnyOf(artifacts.id, ids));
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id));
    },
  });

  return {
    /** The names of files that a user uploaded since a moment and that are not ready, newest first. */
    async unfinished(userId: string, since: Date, limit: number): Promise<string[]> {
      const rows = await db
        .select({ fileName: artifacts.fileName })
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            inArray(artifacts.status, UNFINISHED),
            gte(artifacts.createdAt, since),
          ),
        )
        .orderBy(desc(artifacts.createdAt))
        .limit(limit);
      return rows.map(({ fileName }) => fileName);
    },

    /** An artifact, whoever's it is; calls that come together ask the database once. */
    find,

    /** The stored text of a file with its segments; undefined where nothing was read. */
    async document(id: string): Promise<{ text: string; segments: Segment[] } | undefined> {
      const rows = await db
        .select({ text: artifactTexts.text, segments: artifactTexts.segments })
        .from(artifactTexts)
        .where(eq(artifactTexts.artifactId, id))
        .orderBy(artifactTexts.part);
      if (rows.length === 0) return undefined;
      const segments = rows.flatMap((row) => row.segments);
      return { text: rows.map(({ text }) => text).join(''), segments };
    },

    /**
     * Stores the state and the text of a reading that came to its end, together with others that end
     * now. Returns false if the file was deleted or read again in the meantime.
     */
    finish: (reading: FinishedReading, at: Date): Promise<boolean> => finish({ ...reading, at }),

    /**
     * Stores the text of a reading before it ends; nothing where the reading is not the current one.
     * For a long text: what else there is to do goes on meanwhile.
     */
    saveText: ({ id, revision }: ReadingId, document: ReadingText): Promise<void> =>
      database.transaction(async (tx) => {
        const [current] = await tx
          .select({ id: artifacts.id })
          .from(artifacts)
          .where(and(eq(artifacts.id, id), eq(artifacts.revision, revision)))
          .for('update');
        if (current) await saveTexts(tx, [{ id, document }]);
      }),

    /** Stores how far a reading is; nothing where it has ended or is not the current one. */
    async setProgress({ id, revision }: ReadingId, progress: number, at: Date): Promise<void> {
      await db
        .update(artifacts)
        .set({ status: 'PROCESSING', progress, updatedAt: at })
        .where(
          and(
            eq(artifacts.id, id),
            eq(artifacts.revision, revision),
            inArray(artifacts.status, [...UNFINISHED]),
          ),
        );
    },

    /**
     * Stores that a reading failed; answers false when the file is gone or read anew since, or when
     * the reading has ended already. `evenIfEnded` is for a file that was read and is lost since.
     */
    setFailed(
      { id, revision }: ReadingId,
      { statusReason, evenIfEnded = false }: { statusReason: string; evenIfEnded?: boolean },
      at: Date,
    ): Promise<boolean> {
      return database.transaction(async (tx) => {
        const rows = await tx
          .update(artifacts)
          .set({ status: 'FAILED', statusReason, progress: 0, indexed: false, updatedAt: at })
          .where(
            and(
              eq(artifacts.id, id),
              eq(artifacts.revision, revision),
              evenIfEnded ? undefined : inArray(artifacts.status, [...UNFINISHED]),
            ),
          )
          .returning({ userId: artifacts.userId });
        await libraryChanged(tx, ...rows.map(({ userId }) => userId));
        return rows.length > 0;
      });
    },
  };
}

export type ReadingsRepository = ReturnType<typeof createReadingsRepository>;
