import { randomUUID } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { idsOldestFirst } from '../../platform/database/oldest-first.ts';
import { historyFull, historyTextFull, TEXT_BYTES_PER_ENTRY } from './history.errors.ts';
import type { HistoryService } from './history.service.ts';
import type { HistoryRepository } from './history.repository.ts';
import { type Contents, history, type HistoryRow, type NewEntry } from './history.tables.ts';
import { filesOf, redactContents } from './redact.ts';

/** A question with its answer, as it goes elsewhere. */
export type PortableEntry = Omit<NewEntry, 'userId'>;

/** An entry that is already here: what decides about another one with its question and date. */
interface Twin {
  id: string;
  thread: string;
  /** See {@link weightOf}. */
  weight: number;
}

export interface TakenIn {
  added: number;
  present: number;
  /** Entries that the account has no room for. */
  refused: number;
  /** By the ids that the entries came with, those that they have here. */
  ids: Map<string, string>;
}

type TwinKey = Pick<HistoryRow, 'question' | 'createdAt'>;

const keyOf = ({ question, createdAt }: TwinKey): string => `${createdAt.getTime()} ${question}`;

/** How much of an entry rests on files that are there. */
const weightOf = ({ citations, nearest, related }: Contents): number =>
  citations.length + nearest.length + related.length;

/** An entry's content over other ids of its files; what rests on a missing one is taken out. */
function repointed(entry: Contents, fileOf: (id: string) => string | undefined): Contents {
  const missing = new Set(filesOf(entry).filter((id) => fileOf(id) === undefined));
  const kept = redactContents(entry, missing);
  const moved = <T extends { artifactId: string }>(list: readonly T[]): T[] =>
    list.flatMap((item) => {
      const artifactId = fileOf(item.artifactId);
      return artifactId === undefined ? [] : [{ ...item, artifactId }];
    });
  return {
    answer: kept.answer,
    found: moved(kept.found).map((section) => ({
      ...section,
      newer: section.newer && (moved([section.newer])[0] ?? null),
    })),
    citations: moved(kept.citations),
    nearest: moved(kept.nearest),
    related: moved(kept.related),
    recommendations: moved(kept.recommendations),
  };
}

export interface TakeInOptions {
  /** A file's id here, by the one it had; undefined where it did not come along. */
  fileOf: (id: string) => string | undefined;
  /** Ids of earlier entries, by those that they had. */
  known: ReadonlyMap<string, string>;
  /** New entries that the account may still have. */
  room: number;
}

/** Entries of an import after which the statistics of the table are renewed, and how much later the next time. */
const FIRST_ANALYZE = 500;
const NEXT_ANALYZE = 4;

/** Whether an import that grows from `before` to `after` entries reaches a number at which to renew. */
function reachesAnalyze(before: number, after: number): boolean {
  let at = FIRST_ANALYZE;
  while (at <= before) at *= NEXT_ANALYZE;
  return at <= after;
}

/** A person's questions and answers with all that goes along when they are taken elsewhere. */
export function createPortableHistory(
  { config: { historyLimit: limit }, storage }: Core,
  repository: HistoryRepository,
  { redact }: Pick<HistoryService, 'redact'>,
) {
  const { database } = storage;
  const { db } = database;
  const existing = storage.artifactsRepository.known;

  /** The entries that are already here, by question and date. One index look-up for each. */
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
      SELECT given.position::integer, twin.*
      FROM unnest(${sql.param(dates)}::timestamptz[], ${sql.param(questions)}::text[])
        WITH ORDINALITY AS given (created_at, question, position)
      CROSS JOIN LATERAL (
        SELECT id, thread, jsonb_array_length(citations) + jsonb_array_length(nearest)
          + jsonb_array_length(related) AS weight
        FROM ${history}
        WHERE user_id = ${userId} AND created_at = given.created_at
          AND md5(question) = md5(given.question) AND question = given.question
        LIMIT 1) AS twin`);
    return new Map(
      rows.flatMap(({ position, ...twin }) => {
        const entry = entries[position - 1];
        return entry ? [[keyOf(entry), twin] as const] : [];
      }),
    );
  };

  /** The talks of earlier entries that the given ones follow up on, by those entries' ids here. */
  const threadsOf = async (
    tx: Executor,
    userId: string,
    entries: readonly PortableEntry[],
    known: ReadonlyMap<string, string>,
  ): Promise<Map<string, string>> => {
    const followed = entries.flatMap(({ follows }) => (follows && known.get(follows)) || []);
    const rows = await tx
      .select({ id: history.id, thread: history.thread })
      .from(history)
      .where(and(eq(history.userId, userId), isAnyOf(history.id, followed)));
    return new Map(rows.map(({ id, thread }) => [id, thread]));
  };

  /** Files that an earlier import could not take are there now: what rested on them comes back. */
  const restore = async (
    tx: Executor,
    rows: readonly (Pick<HistoryRow, 'id'> & Contents)[],
  ): Promise<void> => {
    if (rows.length === 0) return;
    await repository.replaceContents(tx, rows);
    await repository.deleteAudio(
      tx,
      rows.map(({ id }) => id),
    );
  };

  return {
    /** Ids of all entries, the oldest first: none follows up on one that comes after it. */
    ids: (userId: string): Promise<string[]> => idsOldestFirst(db, history, userId),

    /** What the user reads about entries that the account has no room for. */
    refusal: historyFull(limit).message,

    /** What the user reads about entries whose text the account has no room for. */
    textRefusal: historyTextFull(limit).message,

    /** How many more bytes of text the account's entries may have. */
    textRoom: async (userId: string): Promise<number> =>
      limit * TEXT_BYTES_PER_ENTRY - (await repository.textSize(userId)),

    /** How many more entries the account may have. */
    room: async (userId: string): Promise<number> => limit - (await repository.count({ userId })),

    /** The given entries without those that are gone, the oldest first. */
    some: (userId: string, ids: readonly string[]): Promise<HistoryRow[]> =>
      db
        .select()
        .from(history)
        .where(and(eq(history.userId, userId), isAnyOf(history.id, ids)))
        .orderBy(asc(history.createdAt), asc(history.id)),

    /**
     * Takes in entries that are not here yet, all or none; those beyond the account's limit are
     * refused.
     */
    async takeIn(
      userId: string,
      entries: readonly PortableEntry[],
      { fileOf, known, room }: TakeInOptions,
    ): Promise<TakenIn> {
      const ids = new Map<string, string>();
      const fresh: HistoryRow[] = [];
      const restored = new Map<string, Pick<HistoryRow, 'id'> & Contents>();
      let refused = 0;
      await database.transaction(async (tx) => {
        // A transaction may be begun again.
        ids.clear();
        fresh.length = 0;
        restored.clear();
        refused = 0;
        // Two imports at the same time would each miss what the other brings.
        await holdName(tx, `history:${userId}`);
        const here = await twinsOf(tx, userId, entries);
        let left = room;
        const threads = await threadsOf(tx, userId, entries, known);
        for (const entry of entries) {
          const contents = repointed(entry, fileOf);
          const twin = here.get(keyOf(entry));
          if (twin) {
            ids.set(entry.id, twin.id);
            threads.set(twin.id, twin.thread);
            if (weightOf(contents) > twin.weight)
              restored.set(twin.id, { id: twin.id, ...contents });
            continue;
          }
          if (left <= 0) {
            refused += 1;
            continue;
          }
          left -= 1;
          const follows =
            entry.follows && (ids.get(entry.follows) ?? known.get(entry.follows) ?? null);
          const id = randomUUID();
          const thread = (follows && threads.get(follows)) || id;
          threads.set(id, thread);
          const chosenFiles = entry.chosenFiles.flatMap((file) => fileOf(file) ?? []);
          const row = { ...entry, ...contents, chosenFiles, id, userId, follows, thread };
          ids.set(entry.id, row.id);
          // A second one in the same export is the same entry.
          here.set(keyOf(row), { id, thread, weight: Infinity });
          fresh.push(row);
        }
        if (fresh.length > 0) await tx.insert(history).values(fresh);
        await restore(tx, [...restored.values()]);
      });
      // Without statistics of this user's entries the planner reads all of a date to find one.
      if (fresh.length > 0 && reachesAnalyze(known.size, known.size + ids.size))
        await db.execute(sql`ANALYZE ${history}`);
      // A file may have been deleted meanwhile, by somebody who did not know of the entry.
      const cited = [...new Set([...fresh, ...restored.values()].flatMap(filesOf))];
      const stillThere = await existing(cited);
      const gone = cited.filter((id) => !stillThere.has(id));
      if (gone.length > 0) await redact(userId, gone);
      const present = entries.length - fresh.length - refused;
      return { added: fresh.length, present, refused, ids };
    },
  };
}

export type PortableHistory = ReturnType<typeof createPortableHistory>;
