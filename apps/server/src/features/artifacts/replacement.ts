import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { artifactNotFound, notANote, noteChanged } from './artifacts.errors.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';

/** What passes on from a file to the one that takes its place. */
export interface Predecessor {
  keywords: string[];
  archived: boolean;
}

/** A file that takes the place of another. */
export interface Succession {
  id: string;
  replaces: string;
}

export interface ReplacementDependencies {
  database: Pick<Database, 'db'>;
  /** Deletes files with everything that they left, as files that nobody deleted. */
  deleteReplaced: (
    userId: string,
    choose: (tx: Executor) => Promise<readonly string[]>,
  ) => Promise<void>;
}

/** Whether a device may rename and replace a file: it sent it, or one did that has ended. */
export const isOf = (
  { deviceId, source }: Pick<ArtifactRow, 'deviceId' | 'source'>,
  device: string,
): boolean => deviceId === device || (deviceId === null && source === 'Connector');

/** The same of rows. */
export const isSentBy = (device: string): SQL | undefined =>
  or(
    eq(artifacts.deviceId, device),
    and(isNull(artifacts.deviceId), eq(artifacts.source, 'Connector')),
  );

const list = (ids: readonly (string | null)[]) => sql`${sql.param([...ids])}::uuid[]`;

type Links = ReadonlyMap<string, string>;

/** What a person's files take the place of; few do, as it ends when they are read. */
async function linksOf(tx: Executor, userId: string): Promise<Links> {
  const rows = await tx
    .select({ id: artifacts.id, replaces: artifacts.replaces })
    .from(artifacts)
    .where(and(eq(artifacts.userId, userId), isNotNull(artifacts.replaces)));
  return new Map(rows.flatMap(({ id, replaces }) => (replaces ? [[id, replaces] as const] : [])));
}

/**
 * Who says what follows what, and who deletes what was followed, wait for each other: together they
 * could make a circle, or delete what has just come back.
 */
async function takeTurn(tx: Executor, userId: string): Promise<void> {
  await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
}

/** A file with all that goes when it is ready, in their order. */
function chainOf(links: Links, id: string): string[] {
  const chain = new Set([id]);
  for (let next = links.get(id); next !== undefined; next = links.get(next)) {
    if (chain.has(next)) break;
    chain.add(next);
  }
  return [...chain];
}

/**
 * The links that are other ones when files take the place of more. Two files of a folder may become
 * the same one: what the second was stands behind what the first was, so that both go.
 */
function appended(before: Links, successions: readonly Succession[]): Map<string, string | null> {
  const links = new Map(before);
  const changed = new Map<string, string | null>();
  for (const { id, replaces } of successions) {
    const chain = chainOf(links, id);
    if (chain.includes(replaces)) continue;
    // Where both lead to the same files, those go once: a circle would have no end.
    const behind = chainOf(links, replaces).filter((one) => !chain.includes(one));
    for (const next of behind) {
      const last = chain.at(-1) ?? id;
      chain.push(next);
      links.set(last, next);
      changed.set(last, next);
    }
    const end = chain.at(-1) ?? id;
    if (links.delete(end)) changed.set(end, null);
  }
  return changed;
}

/**
 * How a changed file takes the place of what it was: the old one answers until the new one is read.
 * What is to go is told by the rows alone, so that a kill loses nothing.
 */
export function createReplacement({ database, deleteReplaced }: ReplacementDependencies) {
  const { db } = database;

  /** What stands behind files that are ready, and behind those; nothing behind a failed one. */
  async function behind(tx: Executor, userId: string, ids: readonly string[]): Promise<string[]> {
    const { rows } = await tx.execute<{ id: string }>(sql`
      WITH RECURSIVE behind (id) AS (
        SELECT replaces FROM artifacts
        WHERE user_id = ${userId} AND id = ANY(${list(ids)})
          AND status = 'SUCCESS' AND replaces IS NOT NULL
        UNION
        SELECT a.replaces FROM artifacts a JOIN behind USING (id)
        WHERE a.user_id = ${userId} AND a.replaces IS NOT NULL
      )
      SELECT id FROM behind WHERE id <> ALL(${list(ids)})`);
    return rows.map(({ id }) => id);
  }

  /** Deletes what the files have taken the place of, of those that are ready. */
  const settle = (userId: string, ids: readonly string[]): Promise<void> =>
    deleteReplaced(userId, async (tx) => {
      await takeTurn(tx, userId);
      return behind(tx, userId, ids);
    });

  return {
    settle,

    takeTurn,

    /** Of some files those that a device sent: no other is ever replaced by it. */
    async predecessors(
      tx: Executor,
      userId: string,
      { deviceId, ids }: { deviceId: string; ids: readonly string[] },
    ): Promise<Map<string, Predecessor>> {
      if (ids.length === 0) return new Map();
      const rows = await tx
        .select({
          id: artifacts.id,
          keywords: artifacts.keywords,
          archived: artifacts.archived,
        })
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            isSentBy(deviceId),
            sql`${artifacts.id} = ANY(${list(ids)})`,
          ),
        );
      return new Map(rows.map(({ id, ...rest }) => [id, rest]));
    },

    /**
     * A note that is to be edited, in one's turn.
     * @throws HttpError 404 when it is gone, 409 when it is no note or another text follows it.
     */
    async note(tx: Executor, userId: string, id: string): Promise<Map<string, Predecessor>> {
      const rows = await tx
        .select({
          id: artifacts.id,
          keywords: artifacts.keywords,
          archived: artifacts.archived,
          source: artifacts.source,
        })
        .from(artifacts)
        .where(
          and(eq(artifacts.userId, userId), or(eq(artifacts.id, id), eq(artifacts.replaces, id))),
        );
      const note = rows.find((row) => row.id === id);
      if (!note) throw artifactNotFound();
      if (note.source !== 'Text') throw notANote();
      if (rows.length > 1) throw noteChanged();
      return new Map([[id, { keywords: note.keywords, archived: note.archived }]]);
    },

    /**
     * Keeps what takes the place of what. What `back` names stands in its folder again: nothing takes
     * its place any more. To be called in one's turn.
     */
    async link(
      tx: Executor,
      userId: string,
      { back, successions }: { back: readonly string[]; successions: readonly Succession[] },
    ): Promise<void> {
      await tx
        .update(artifacts)
        .set({ replaces: null })
        .where(and(eq(artifacts.userId, userId), sql`${artifacts.replaces} = ANY(${list(back)})`));
      const real = successions.filter(({ replaces }) => !back.includes(replaces));
      if (real.length === 0) return;
      const links = appended(await linksOf(tx, userId), real);
      await tx.execute(sql`
        UPDATE artifacts a SET replaces = given.replaces
        FROM unnest(${list([...links.keys()])}, ${list([...links.values()])})
          AS given (id, replaces)
        WHERE a.id = given.id AND a.user_id = ${userId}`);
    },

    /** Does what a kill left undone, for everybody. */
    async settleAll(): Promise<void> {
      const { rows } = await db.execute<{ userId: string; ids: string[] }>(sql`
        SELECT user_id AS "userId", array_agg(id::text) AS ids FROM artifacts
        WHERE replaces IS NOT NULL AND status = 'SUCCESS' GROUP BY user_id`);
      for (const { userId, ids } of rows) for (const id of ids) await settle(userId, [id]);
    },
  };
}

export type Replacement = ReturnType<typeof createReplacement>;
