import { and, eq, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { artifacts } from './artifacts.tables.ts';

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
  deleteReplaced: (userId: string, ids: readonly string[]) => Promise<unknown>;
}

const list = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`;

/**
 * How a changed file takes the place of what it was: the old one answers until the new one is read.
 * What is to go is told by the rows alone, so that a kill loses nothing.
 */
export function createReplacement({ database, deleteReplaced }: ReplacementDependencies) {
  const { db } = database;

  /** Deletes what stands behind the files that are ready, and behind those: a failed one takes none. */
  async function settle(userId: string, ids: readonly string[]): Promise<void> {
    const { rows } = await db.execute<{ id: string }>(sql`
      WITH RECURSIVE behind (id) AS (
        SELECT replaces FROM artifacts
        WHERE user_id = ${userId} AND id = ANY(${list(ids)})
          AND status = 'SUCCESS' AND replaces IS NOT NULL
        UNION
        SELECT a.replaces FROM artifacts a JOIN behind USING (id)
        WHERE a.user_id = ${userId} AND a.replaces IS NOT NULL
      )
      SELECT id FROM behind WHERE id <> ALL(${list(ids)})`);
    const gone = rows.map(({ id }) => id);
    if (gone.length > 0) await deleteReplaced(userId, gone);
  }

  return {
    settle,

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
            eq(artifacts.deviceId, deviceId),
            sql`${artifacts.id} = ANY(${list(ids)})`,
          ),
        );
      return new Map(rows.map(({ id, ...rest }) => [id, rest]));
    },

    /**
     * Keeps what takes the place of what. What `back` names stands in its folder again: nothing takes
     * its place any more.
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
      await tx.execute(sql`
        UPDATE artifacts a SET replaces = given.replaces
        FROM unnest(${list(real.map(({ id }) => id))}, ${list(real.map((one) => one.replaces))})
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
