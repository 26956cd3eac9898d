import { createHash } from 'node:crypto';
import { type DocumentFacts, type RecordTable, shapeOf } from '@engram/retrieval';
import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createGroupCommit } from '../../platform/database/group-commit.ts';
import { artifactFacts, artifactPhrases, type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { extractionPasswords } from './file-passwords.tables.ts';
import type { ArtifactRevision } from './artifacts.repository.ts';
import type { ExtractionQueue } from '../ingestion/extraction-queue.ts';
import type { WebhookEvents } from '../webhooks/webhook-events.ts';
import { batchesBySize, type ExtractedText, saveTexts } from './texts.repository.ts';
import type { LibraryChanged } from './library.repository.ts';

export interface FinishedExtraction extends ArtifactRevision {
  statusReason: string | null;
  /** Whether a password would open more of it. */
  locked: boolean;
  indexed: boolean;
  title: string | null;
  language: string | null;
  preview: string | null;
  durationMs: number | null;
  /** Most characteristic first. */
  phrases: readonly string[];
  facts: DocumentFacts | null;
  tables: readonly RecordTable[];
  /** Null leaves the stored text as it is. */
  document: ExtractedText | null;
}

/** Limits of one commit, because other callers wait for it. */
const MAX_EXTRACTIONS = 64;
const MAX_CHARACTERS = 1_000_000;
const MAX_LOOKUPS = 500;

const isUnfinished = inArray(artifacts.status, ['PENDING', 'PROCESSING']);

const isRevision = ({ id, revision }: ArtifactRevision): SQL | undefined =>
  and(eq(artifacts.id, id), eq(artifacts.revision, revision));

/** One commit may contain two extractions of an artifact. */
const keyOf = ({ id, revision }: ArtifactRevision): string => `${id}:${revision}`;

/** Characters of JSON in one statement. A larger table gets its own. */
const CHARACTERS_PER_INSERT = 1_000_000;

function jsonOf(artifactId: string, table: RecordTable): string {
  const { ordinal, name, fields, columns, rows } = table;
  const shape = shapeOf(table);
  return JSON.stringify({
    artifact_id: artifactId,
    ordinal,
    name,
    fields,
    shape: shape && createHash('sha256').update(shape).digest('base64url'),
    columns,
    rows,
  });
}

async function saveTables(tx: Executor, extractions: readonly FinishedExtraction[]): Promise<void> {
  const ids = sql.param(extractions.map(({ id }) => id));
  await tx.execute(sql`DELETE FROM artifact_tables WHERE artifact_id = ANY(${ids}::uuid[])`);
  const rows = extractions
    .values()
    .flatMap(({ id, tables }) => tables.values().map((table) => jsonOf(id, table)));
  for (const batch of batchesBySize(rows, ({ length }) => length, CHARACTERS_PER_INSERT)) {
    await tx.execute(sql`
      INSERT INTO artifact_tables (artifact_id, ordinal, user_id, name, fields, shape, columns, rows,
        size)
      SELECT artifact_id, input.ordinal, a.user_id, input.name, input.fields, input.shape,
        input.columns, input.rows, length(input.rows::text)
      FROM jsonb_to_recordset(${`[${batch.join(',')}]`}::jsonb) AS input (artifact_id uuid,
        ordinal integer, name text, fields boolean, shape text, columns jsonb, rows jsonb)
      JOIN artifacts a ON a.id = artifact_id`);
  }
}

async function savePhrases(
  tx: Executor,
  extractions: readonly FinishedExtraction[],
): Promise<void> {
  await tx
    .insert(artifactPhrases)
    .values(extractions.map(({ id, phrases }) => ({ artifactId: id, phrases: [...phrases] })))
    .onConflictDoUpdate({
      target: artifactPhrases.artifactId,
      set: { phrases: sql`excluded.phrases` },
    });
}

async function saveFacts(tx: Executor, extractions: readonly FinishedExtraction[]): Promise<void> {
  const ids = extractions.map(({ id }) => id);
  await tx.delete(artifactFacts).where(isAnyOf(artifactFacts.artifactId, ids));
  const input = extractions.flatMap(({ id, facts }) =>
    facts ? [{ id, ...facts, date: facts.date && { value: facts.date } }] : [],
  );
  if (input.length === 0) return;
  await tx.execute(sql`
    INSERT INTO artifact_facts (artifact_id, user_id, kind, title, date, version, codes)
    SELECT id, a.user_id, input.kind, input.title, input.date, input.version, input.codes
    FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS input (id uuid, kind text, title text,
      date jsonb, version text, codes text[])
    JOIN artifacts a USING (id)`);
}

/** Deletes the passwords that were entered for the given extractions. */
const deletePasswords = (tx: Executor, ids: readonly string[]) =>
  tx.delete(extractionPasswords).where(isAnyOf(extractionPasswords.artifactId, ids));

/** SQL over the extractions of artifacts. Concurrent calls share statements. */
export function createExtractionsRepository(
  database: Pick<Database, 'db' | 'transaction'>,
  libraryChanged: LibraryChanged,
  webhookEvents: Pick<WebhookEvents, 'raise'>,
) {
  const { db } = database;

  /** Sets the final state of extractions. Returns the files of the current ones by `keyOf`. */
  async function setFinished(
    tx: Executor,
    extractions: readonly FinishedExtraction[],
    updatedAt: Date,
  ) {
    const column = <Value>(name: keyof FinishedExtraction) =>
      sql.param(extractions.map((extraction) => extraction[name] as Value));
    const result = await tx.execute<ArtifactRevision & { userId: string; name: string }>(sql`
      WITH input AS (
        SELECT * FROM unnest(
          ${column<string>('id')}::uuid[], ${column<number>('revision')}::int[],
          ${column<string>('statusReason')}::text[], ${column<boolean>('locked')}::boolean[],
          ${column<boolean>('indexed')}::boolean[],
          ${column<string>('title')}::text[], ${column<string>('language')}::text[],
          ${column<string>('preview')}::text[], ${column<number>('durationMs')}::int[]
        ) AS g (id, revision, status_reason, locked, indexed, title, language, preview, duration_ms)
      ), current AS (
        SELECT a.id, a.revision FROM artifacts a JOIN input USING (id, revision)
        ORDER BY a.user_id, a.sha256 FOR UPDATE OF a
      )
      UPDATE artifacts a SET
        status = 'SUCCESS', progress = 100, status_reason = input.status_reason,
        needs_password = input.locked, indexed = input.indexed, title = input.title, language = input.language,
        preview = input.preview, duration_ms = input.duration_ms, updated_at = ${updatedAt.toISOString()}
      FROM input JOIN current USING (id, revision) WHERE a.id = input.id
      RETURNING a.id, a.revision, a.user_id AS "userId", a.file_name AS name`);
    return new Map(result.rows.map((row) => [keyOf(row), row]));
  }

  const finish = createGroupCommit<FinishedExtraction & { at: Date }, boolean>({
    maxItems: MAX_EXTRACTIONS,
    maxSize: MAX_CHARACTERS,
    sizeOf: ({ document }) => document?.text.length ?? 0,
    async commit(extractions) {
      const time = extractions.at(-1)?.at ?? new Date(0);
      const finishedKeys = await database.transaction(async (tx) => {
        const finished = await setFinished(tx, extractions, time);
        const current = extractions.filter((extraction) => finished.has(keyOf(extraction)));
        const withText = current.filter(({ document }) => document);
        if (withText.length > 0) await saveTexts(tx, withText);
        if (current.length > 0) {
          await savePhrases(tx, current);
          await saveFacts(tx, current);
          await saveTables(tx, current);
        }
        const files = [...finished.values()];
        await deletePasswords(
          tx,
          files.map(({ id }) => id),
        );
        await libraryChanged(tx, ...new Set(files.map(({ userId }) => userId)));
        await webhookEvents.raise(
          tx,
          files.map(({ id, userId, name }) => ({
            userId,
            type: 'file.ready',
            data: { id, name, state: 'ready', error: null },
          })),
        );
        return new Set(finished.keys());
      });
      return extractions.map((extraction) => finishedKeys.has(keyOf(extraction)));
    },
  });

  const find = createGroupCommit<string, ArtifactRow | undefined>({
    maxItems: MAX_LOOKUPS,
    async commit(ids) {
      const rows = await db.select().from(artifacts).where(isAnyOf(artifacts.id, ids));
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id));
    },
  });

  return {
    /** Names of the files uploaded after `since` that are not ready yet, newest first. */
    async unfinished(userId: string, since: Date, limit: number): Promise<string[]> {
      const rows = await db
        .select({ fileName: artifacts.fileName })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isUnfinished, gte(artifacts.createdAt, since)))
        .orderBy(desc(artifacts.createdAt))
        .limit(limit);
      return rows.map(({ fileName }) => fileName);
    },

    find,

    /**
     * Stores the result of an extraction. Returns false if the file was deleted or extracted again in the
     * meantime.
     */
    finish: (extraction: FinishedExtraction, time: Date): Promise<boolean> =>
      finish({ ...extraction, at: time }),

    /** Stores a long text before its extraction ends, unless there is a newer extraction. */
    saveText: ({ id, revision }: ArtifactRevision, document: ExtractedText): Promise<void> =>
      database.transaction(async (tx) => {
        const [current] = await tx
          .select({ id: artifacts.id })
          .from(artifacts)
          .where(isRevision({ id, revision }))
          .for('update');
        if (current) await saveTexts(tx, [{ id, document }]);
      }),

    /** Stores the progress of an extraction, unless it has ended or there is a newer one. */
    async setProgress(extraction: ArtifactRevision, progress: number, time: Date): Promise<void> {
      await db
        .update(artifacts)
        .set({ status: 'PROCESSING', progress, updatedAt: time })
        .where(and(isRevision(extraction), isUnfinished));
    },

    /**
     * Stores that an extraction failed. Returns false if the file was deleted, there is a newer extraction or
     * this one has ended. `evenIfEnded` is for files whose bytes were lost after their extraction.
     */
    setFailed: (
      extraction: ArtifactRevision,
      {
        statusReason,
        locked = false,
        evenIfEnded = false,
      }: { statusReason: string; locked?: boolean; evenIfEnded?: boolean },
      time: Date,
    ): Promise<boolean> =>
      database.transaction(async (tx) => {
        const rows = await tx
          .update(artifacts)
          .set({
            status: 'FAILED',
            statusReason,
            needsPassword: locked,
            progress: 0,
            indexed: false,
            updatedAt: time,
          })
          .where(and(isRevision(extraction), evenIfEnded ? undefined : isUnfinished))
          .returning({ id: artifacts.id, userId: artifacts.userId, name: artifacts.fileName });
        await deletePasswords(
          tx,
          rows.map(({ id }) => id),
        );
        await libraryChanged(tx, ...rows.map(({ userId }) => userId));
        await webhookEvents.raise(
          tx,
          rows.map(({ userId, ...file }) => ({
            userId,
            type: 'file.failed',
            data: { ...file, state: 'failed', error: statusReason },
          })),
        );
        return rows.length > 0;
      }),
  };
}

export type ExtractionsRepository = ReturnType<typeof createExtractionsRepository>;

/** Small, so that other statements can run between transactions. */
const REVISIONS_PER_TRANSACTION = 250;

/**
 * Queues the extraction of a user's files again, except files with a newer extraction and, with
 * `onlyUnfinished`, files whose extraction has ended in the meantime.
 */
export const createReprocessing =
  (database: Pick<Database, 'transaction'>, extractionQueue: ExtractionQueue, now: () => Date) =>
  async (
    extractions: readonly ArtifactRevision[],
    { onlyUnfinished = false }: { onlyUnfinished?: boolean } = {},
  ): Promise<void> => {
    for (let start = 0; start < extractions.length; start += REVISIONS_PER_TRANSACTION) {
      const slice = extractions.slice(start, start + REVISIONS_PER_TRANSACTION);
      const isSelected = sql`${artifacts.id} IN (
        SELECT a.id FROM artifacts a JOIN unnest(
          ${sql.param(slice.map(({ id }) => id))}::uuid[],
          ${sql.param(slice.map(({ revision }) => revision))}::integer[]
        ) AS input (id, revision) USING (id, revision)
        WHERE NOT ${onlyUnfinished}::boolean OR a.status IN ('PENDING', 'PROCESSING')
        ORDER BY a.sha256 FOR UPDATE OF a)`;
      await database.transaction(async (tx) => {
        const restarted = await tx
          .update(artifacts)
          .set({ ...restartChanges(now()), indexed: false })
          .where(isSelected)
          .returning();
        await extractionQueue.enqueue(tx, restarted);
      });
    }
  };

export const restartChanges = (updatedAt: Date) => ({
  status: 'PENDING' as const,
  statusReason: null,
  progress: 0,
  revision: sql`${artifacts.revision} + 1`,
  updatedAt,
});
