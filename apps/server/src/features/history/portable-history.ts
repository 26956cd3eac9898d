import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { idsOldestFirst } from '../../platform/database/oldest-first.ts';
import type { HistoryRepository } from './history.repository.ts';
import { type Contents, history, type HistoryRow, type NewEntry } from './history.tables.ts';
import { filesOf, redactContents } from './redact.ts';

/** A question with its answer, as it goes elsewhere. */
export type PortableEntry = Omit<NewEntry, 'userId'>;

export interface PortableHistoryDependencies {
  database: Database;
  repository: Pick<HistoryRepository, 'lock' | 'replaceContents' | 'deleteAudio'>;
  /** Of the given files those that are still there. */
  existing: (artifactIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Takes what deleted files said out of all earlier answers. */
  redact: (userId: string, artifactIds: readonly string[]) => Promise<void>;
}

export interface TakenIn {
  added: number;
  present: number;
  /** By the ids that the entries came with, those that they have here. */
  ids: Map<string, string>;
}

const keyOf = ({ question, createdAt }: Pick<HistoryRow, 'question' | 'createdAt'>): string =>
  `${createdAt.getTime()} ${question}`;

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
    computed: kept.computed,
    citations: moved(kept.citations),
    nearest: moved(kept.nearest),
    related: moved(kept.related),
    recommendations: moved(kept.recommendations),
  };
}

/** A person's questions and answers with all that goes along when they are taken elsewhere. */
export function createPortableHistory(deps: PortableHistoryDependencies) {
  const { database, repository, existing, redact } = deps;
  const { db } = database;

  /** Of the given entries those that are here, by question and date. */
  const same = async (tx: Executor, userId: string, entries: readonly PortableEntry[]) => {
    const dates = entries.map(({ createdAt }) => createdAt.toISOString());
    const rows = await tx
      .select()
      .from(history)
      .where(and(eq(history.userId, userId), isAnyOf(history.createdAt, dates)));
    return new Map(rows.map((row) => [keyOf(row), row]));
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
  const restore = async (tx: Executor, rows: readonly HistoryRow[]): Promise<void> => {
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

    /** The given entries without those that are gone, the oldest first. */
    some: (userId: string, ids: readonly string[]): Promise<HistoryRow[]> =>
      db
        .select()
        .from(history)
        .where(and(eq(history.userId, userId), isAnyOf(history.id, ids)))
        .orderBy(asc(history.createdAt), asc(history.id)),

    /**
     * Takes in entries that are not here yet, all or none.
     *
     * @param fileOf a file's id here, by the one it had; undefined where it did not come along
     * @param known ids of earlier entries, by those that they had
     */
    async takeIn(
      userId: string,
      entries: readonly PortableEntry[],
      fileOf: (id: string) => string | undefined,
      known: ReadonlyMap<string, string>,
    ): Promise<TakenIn> {
      const ids = new Map<string, string>();
      const fresh: HistoryRow[] = [];
      const restored: HistoryRow[] = [];
      await database.transaction(async (tx) => {
        // A transaction may be begun again.
        ids.clear();
        fresh.length = 0;
        restored.length = 0;
        // Two imports at the same time would each miss what the other brings.
        await holdName(tx, `history:${userId}`);
        const here = await same(tx, userId, entries);
        const threads = await threadsOf(tx, userId, entries, known);
        for (const entry of entries) {
          const contents = repointed(entry, fileOf);
          const twin = here.get(keyOf(entry));
          if (twin) {
            ids.set(entry.id, twin.id);
            threads.set(twin.id, twin.thread);
            if (weightOf(contents) > weightOf(twin)) restored.push({ ...twin, ...contents });
            continue;
          }
          const follows =
            entry.follows && (ids.get(entry.follows) ?? known.get(entry.follows) ?? null);
          const id = randomUUID();
          const thread = (follows && threads.get(follows)) || id;
          threads.set(id, thread);
          const chosenFiles = entry.chosenFiles.flatMap((file) => fileOf(file) ?? []);
          const row = { ...entry, ...contents, chosenFiles, id, userId, follows, thread };
          ids.set(entry.id, row.id);
          here.set(keyOf(row), row);
          fresh.push(row);
        }
        if (fresh.length > 0) await tx.insert(history).values(fresh);
        await restore(
          tx,
          restored.filter(({ id }) => !fresh.some((row) => row.id === id)),
        );
      });
      // A file may have been deleted meanwhile, by somebody who did not know of the entry.
      const cited = [...new Set([...fresh, ...restored].flatMap(filesOf))];
      const stillThere = await existing(cited);
      const gone = cited.filter((id) => !stillThere.has(id));
      if (gone.length > 0) await redact(userId, gone);
      return { added: fresh.length, present: entries.length - fresh.length, ids };
    },
  };
}

export type PortableHistory = ReturnType<typeof createPortableHistory>;
