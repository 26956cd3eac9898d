import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { lockName, isAnyOf, orderedIds } from '../../platform/database/sql.ts';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { HistoryService } from './history.service.ts';
import type { HistoryRepository } from './history.repository.ts';
import { type Contents, history, type HistoryRow, type NewEntry } from './history.tables.ts';
import { filesOf, redactContents } from './redact.ts';

/** Average bytes of text for each entry that an account may have. */
const TEXT_BYTES_PER_ENTRY = 5000;

export function historyFull(limit: number): HttpError {
  const message = `Your history is full. An account can have up to ${limit.toLocaleString('en-US')} questions. Delete some to make room.`;
  return new HttpError(409, 'history_full', message);
}

type PortableEntry = Omit<NewEntry, 'userId'>;

interface Twin {
  id: string;
  thread: string;
  weight: number;
}

type TwinKey = Pick<HistoryRow, 'question' | 'createdAt'>;

const keyOf = ({ question, createdAt }: TwinKey): string => `${createdAt.getTime()} ${question}`;

const weightOf = ({ citations, nearest, related }: Contents): number =>
  citations.length + nearest.length + related.length;

/** Replaces the ids of files in an entry, and removes the contents of missing files. */
function withFileIds(entry: Contents, fileOf: (id: string) => string | undefined): Contents {
  const missing = new Set(filesOf(entry).filter((id) => fileOf(id) === undefined));
  const redacted = redactContents(entry, missing);
  const replaced = <T extends { artifactId: string }>(list: readonly T[]): T[] =>
    list.flatMap((item) => {
      const artifactId = fileOf(item.artifactId);
      return artifactId === undefined ? [] : [{ ...item, artifactId }];
    });
  return {
    answer: redacted.answer,
    found: replaced(redacted.found).map((section) => ({
      ...section,
      newer: section.newer && (replaced([section.newer])[0] ?? null),
    })),
    citations: replaced(redacted.citations),
    nearest: replaced(redacted.nearest),
    related: replaced(redacted.related),
    recommendations: replaced(redacted.recommendations),
  };
}

/** ANALYZE runs after this number of imported entries, and again after each growth by the factor. */
const FIRST_ANALYZE = 500;
const ANALYZE_FACTOR = 4;

function isAnalyzeDue(before: number, after: number): boolean {
  let threshold = FIRST_ANALYZE;
  while (threshold <= before) threshold *= ANALYZE_FACTOR;
  return threshold <= after;
}

export function createPortableHistory(
  { config: { historyLimit: limit }, storage }: Core,
  repository: HistoryRepository,
  { redact }: Pick<HistoryService, 'redact'>,
) {
  const { database } = storage;
  const { db } = database;

  const twinsOf = async (
    tx: Executor,
    userId: string,
    entries: readonly TwinKey[],
  ): Promise<Map<string, Twin>> => {
    const dates = entries.map(({ createdAt }) => createdAt.toISOString());
    const questions = entries.map(({ question }) => question);
    const { rows } = await tx.execute<
      Record<'id' | 'thread', string> & Record<'weight' | 'position', number>
    >(sql`
      SELECT input.position::integer, twin.*
      FROM unnest(${sql.param(dates)}::timestamptz[], ${sql.param(questions)}::text[])
        WITH ORDINALITY AS input (created_at, question, position)
      CROSS JOIN LATERAL (
        SELECT id, thread, jsonb_array_length(citations) + jsonb_array_length(nearest)
          + jsonb_array_length(related) AS weight
        FROM ${history}
        WHERE user_id = ${userId} AND created_at = input.created_at
          AND md5(question) = md5(input.question) AND question = input.question
        LIMIT 1) AS twin`);
    return new Map(
      rows.flatMap(({ position, ...twin }) => {
        const entry = entries[position - 1];
        return entry ? [[keyOf(entry), twin] as const] : [];
      }),
    );
  };

  const threadsOf = async (
    tx: Executor,
    userId: string,
    entries: readonly PortableEntry[],
    imported: ReadonlyMap<string, string>,
  ): Promise<Map<string, string>> => {
    const followed = entries.flatMap(({ follows }) => (follows && imported.get(follows)) || []);
    const rows = await tx
      .select({ id: history.id, thread: history.thread })
      .from(history)
      .where(and(eq(history.userId, userId), isAnyOf(history.id, followed)));
    return new Map(rows.map(({ id, thread }) => [id, thread]));
  };

  return {
    /** Ids of all entries, oldest first, so that each comes after the entry it follows. */
    ids: (userId: string): Promise<string[]> =>
      orderedIds(db, history, eq(history.userId, userId), 'oldest'),

    findMany: repository.findMany,

    async startImport(userId: string) {
      /** The new ids of entries by their ids in the export. */
      const imported = new Map<string, string>();
      const result = { added: 0, present: 0, refused: 0, refusal: historyFull(limit).message };
      const maxBytes = limit * TEXT_BYTES_PER_ENTRY;
      let entriesLeft = limit - (await repository.count({ userId }));
      let bytesLeft = maxBytes - (await repository.textSize(userId));

      /**
       * Imports entries in one transaction. Those beyond the limit of the account are rejected.
       * @param size the approximate length of their texts
       * @param findFiles finds the new ids of files by their ids in the export
       */
      const add = async (
        entries: readonly PortableEntry[],
        size: number,
        findFiles: (ids: ReadonlySet<string>) => Promise<(id: string) => string | undefined>,
      ): Promise<void> => {
        const mentioned = entries.flatMap((entry) => [...filesOf(entry), ...entry.chosenFiles]);
        const fileOf = await findFiles(new Set(mentioned));
        if (size > bytesLeft) {
          entriesLeft = 0;
          result.refusal = `Your history is full. An account can have up to ${Math.round(maxBytes / 1e6)} MB of text. Delete some questions to make room.`;
        }
        const { ids, added, restored, refused } = await database.transaction(async (tx) => {
          const ids = new Map<string, string>();
          const added: HistoryRow[] = [];
          const restored = new Map<string, Pick<HistoryRow, 'id'> & Contents>();
          let refused = 0;
          // Concurrent imports would not see each other's entries.
          await lockName(tx, `history:${userId}`);
          const twins = await twinsOf(tx, userId, entries);
          const threads = await threadsOf(tx, userId, entries, imported);
          for (const entry of entries) {
            const contents = withFileIds(entry, fileOf);
            const twin = twins.get(keyOf(entry));
            if (twin) {
              ids.set(entry.id, twin.id);
              threads.set(twin.id, twin.thread);
              if (weightOf(contents) > twin.weight)
                restored.set(twin.id, { id: twin.id, ...contents });
              continue;
            }
            if (added.length >= entriesLeft) {
              refused += 1;
              continue;
            }
            const follows =
              entry.follows && (ids.get(entry.follows) ?? imported.get(entry.follows) ?? null);
            const id = randomUUID();
            const thread = (follows && threads.get(follows)) || id;
            threads.set(id, thread);
            const chosenFiles = entry.chosenFiles.flatMap((file) => fileOf(file) ?? []);
            ids.set(entry.id, id);
            // The export may contain the entry twice.
            twins.set(keyOf(entry), { id, thread, weight: Infinity });
            added.push({ ...entry, ...contents, chosenFiles, id, userId, follows, thread });
          }
          if (added.length > 0) await tx.insert(history).values(added);
          // An earlier import did not have the files of these entries.
          if (restored.size > 0) {
            await repository.replaceContents(tx, [...restored.values()]);
            await repository.deleteAudio(tx, [...restored.keys()]);
          }
          return { ids, added, restored, refused };
        });
        // Without statistics the planner reads all entries of a date.
        if (added.length > 0 && isAnalyzeDue(imported.size, imported.size + ids.size))
          await db.execute(sql`ANALYZE ${history}`);
        const cited = new Set([...added, ...restored.values()].flatMap(filesOf));
        const existing = await storage.artifactsRepository.existingIds([...cited]);
        const deleted = cited.difference(existing);
        if (deleted.size > 0) await redact(userId, [...deleted]);
        for (const [exportedId, id] of ids) imported.set(exportedId, id);
        entriesLeft -= added.length;
        if (added.length > 0) bytesLeft -= size;
        result.added += added.length;
        result.present += entries.length - added.length - refused;
        result.refused += refused;
      };

      return { add, result };
    },
  };
}

export type PortableHistory = ReturnType<typeof createPortableHistory>;
