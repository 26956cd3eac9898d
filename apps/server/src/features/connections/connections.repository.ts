import { and, desc, eq, exists, gt, inArray, isNull, lte, ne, not, or, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  type ConnectionRow,
  connections,
  oauthClients,
  oauthRecords,
} from './connections.tables.ts';

/** The kind of the record that a connection itself has; all others are codes and tokens of it. */
export const GRANT = 'Grant';
export const ACCESS_TOKEN = 'AccessToken';

/** How often a device may ask whether it was let in, in seconds, until it asked too often. */
export const POLLING_SECONDS = 5;

/** SQL over connections. Every call that a person makes names the owner. */
export function createConnectionsRepository({ db }: Pick<Database, 'db'>) {
  /** Whether something is left by which the program can call, or get to a token. */
  const isAlive = (at: Date) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(oauthRecords)
        .where(
          and(
            eq(oauthRecords.connectionId, connections.id),
            ne(oauthRecords.kind, GRANT),
            gt(oauthRecords.expiresAt, at),
          ),
        ),
    );

  return {
    /** A person's living connections, the newest first. */
    list: (userId: string, at: Date): Promise<ConnectionRow[]> =>
      db
        .select()
        .from(connections)
        .where(and(eq(connections.userId, userId), isAlive(at)))
        .orderBy(desc(connections.createdAt), desc(connections.id)),

    async insert(tx: Executor, row: ConnectionRow): Promise<void> {
      await tx.insert(connections).values(row);
      await tx
        .update(oauthClients)
        .set({ connectedAt: row.createdAt })
        .where(eq(oauthClients.id, row.clientId));
    },

    /** The connection of a living access token, and what the token is for. */
    async findByToken(tokenHash: string, at: Date) {
      const [row] = await db
        .select({ connection: connections, payload: oauthRecords.payload })
        .from(oauthRecords)
        .innerJoin(connections, eq(connections.id, oauthRecords.connectionId))
        .where(
          and(
            eq(oauthRecords.kind, ACCESS_TOKEN),
            eq(oauthRecords.id, tokenHash),
            gt(oauthRecords.expiresAt, at),
          ),
        );
      return row;
    },

    /**
     * Whether a device asks too often, and is to slow down: by five seconds more each time (RFC 8628,
     * 3.5).
     * @param device hash of its device code
     */
    async isPolledTooSoon(device: string, at: Date): Promise<boolean> {
      const { rows } = await db.execute<{ tooSoon: boolean }>(sql`
        WITH last AS (
          SELECT id, coalesce(poll_seconds, ${POLLING_SECONDS}) AS seconds,
            coalesce(polled_at + coalesce(poll_seconds, ${POLLING_SECONDS}) * interval '1 second'
              > ${at}, false) AS too_soon
          FROM oauth_records WHERE kind = 'DeviceCode' AND id = ${device} FOR UPDATE)
        UPDATE oauth_records AS device SET polled_at = ${at},
          poll_seconds = last.seconds + CASE WHEN last.too_soon THEN ${POLLING_SECONDS} ELSE 0 END
        FROM last WHERE device.kind = 'DeviceCode' AND device.id = last.id
        RETURNING last.too_soon AS "tooSoon"`);
      return rows[0]?.tooSoon ?? false;
    },

    /** Deletes a connection with all its tokens. Returns its name, or undefined if there was none. */
    async delete(userId: string, id: string): Promise<string | undefined> {
      const gone = await db
        .delete(connections)
        .where(and(eq(connections.id, id), eq(connections.userId, userId)))
        .returning({ name: connections.name });
      return gone[0]?.name;
    },

    /** Ends all of a person's, with what was asked of them and is not decided; answers how many. */
    async deleteAll(executor: Executor, userId: string): Promise<number> {
      const gone = await executor
        .delete(connections)
        .where(eq(connections.userId, userId))
        .returning({ id: connections.id });
      await executor.delete(oauthRecords).where(eq(oauthRecords.userId, userId));
      return gone.length;
    },

    /** Deletes connections from before `until` by which nothing can call any more. */
    async deleteDead(until: Date, at: Date): Promise<void> {
      await db.delete(connections).where(and(lte(connections.createdAt, until), not(isAlive(at))));
    },

    async deleteRecordsUntil(until: Date): Promise<void> {
      await db.delete(oauthRecords).where(lte(oauthRecords.expiresAt, until));
    },

    /** Deletes programs that nobody has let in since `unused`, or that nobody has in since `left`. */
    async deleteClients({ unused, left }: { unused: Date; left: Date }): Promise<void> {
      const isConnected = exists(
        db
          .select({ one: sql`1` })
          .from(connections)
          .where(eq(connections.clientId, oauthClients.id)),
      );
      const isUnused = and(isNull(oauthClients.connectedAt), lte(oauthClients.createdAt, unused));
      const isLeft = lte(oauthClients.connectedAt, left);
      await db.delete(oauthClients).where(and(or(isUnused, isLeft), not(isConnected)));
    },

    /** Forgets the programs that registered themselves and were never let in, but for the newest. */
    async keepUnusedClients(newest: number): Promise<void> {
      const older = db
        .select({ id: oauthClients.id })
        .from(oauthClients)
        .where(isNull(oauthClients.connectedAt))
        .orderBy(desc(oauthClients.createdAt))
        .offset(newest);
      await db.delete(oauthClients).where(inArray(oauthClients.id, older));
    },
  };
}

export type ConnectionsRepository = ReturnType<typeof createConnectionsRepository>;
