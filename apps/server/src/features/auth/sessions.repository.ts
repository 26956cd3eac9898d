import { and, desc, eq, gt, lte, ne } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type SessionRow, sessions, type UserRow, users } from './auth.tables.ts';
import type { TokenClaims } from './secrets.ts';

/** SQL over sessions. */
export function createSessionsRepository({ db }: Pick<Database, 'db'>) {
  return {
    async insert(tx: Executor, row: SessionRow): Promise<void> {
      await tx.insert(sessions).values(row);
    },

    /** Who a living session belongs to, and what it tells of a call. */
    async findCaller({ sessionId, userId }: TokenClaims, at: Date) {
      const [row] = await db
        .select({
          email: users.email,
          role: users.role,
          device: sessions.device,
          provenAt: sessions.provenAt,
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, sessionId), eq(users.id, userId), gt(sessions.expiresAt, at)));
      return row;
    },

    /** A living session and its person, locked until the transaction ends. */
    async lock(
      tx: Executor,
      sessionId: string,
      at: Date,
    ): Promise<{ session: SessionRow; user: UserRow } | undefined> {
      const [row] = await tx
        .select({ session: sessions, user: users })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, at)))
        .for('update', { of: sessions });
      return row;
    },

    async update(
      tx: Executor,
      sessionId: string,
      changes: Partial<Omit<SessionRow, 'id' | 'userId'>>,
    ): Promise<void> {
      await tx.update(sessions).set(changes).where(eq(sessions.id, sessionId));
    },

    /** A person's living sessions, the last used first. */
    list: (userId: string, at: Date): Promise<SessionRow[]> =>
      db
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, at)))
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.id)),

    /** Ends a session; answers it, undefined where the person had no such session. */
    async delete(
      userId: string,
      sessionId: string,
      executor: Executor = db,
    ): Promise<SessionRow | undefined> {
      const [gone] = await executor
        .delete(sessions)
        .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
        .returning();
      return gone;
    },

    /** Ends a person's sessions but the one to keep; answers how many there were. */
    async deleteAll(tx: Executor, userId: string, keptId?: string): Promise<number> {
      const gone = await tx
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), keptId ? ne(sessions.id, keptId) : undefined))
        .returning({ id: sessions.id });
      return gone.length;
    },

    async deleteExpired(at: Date): Promise<void> {
      await db.delete(sessions).where(lte(sessions.expiresAt, at));
    },
  };
}

export type SessionsRepository = ReturnType<typeof createSessionsRepository>;
