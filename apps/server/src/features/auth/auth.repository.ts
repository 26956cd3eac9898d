import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  attempts,
  type SessionRow,
  sessions,
  signInCodes,
  type UserRow,
  users,
} from './auth.tables.ts';
import type { TokenClaims } from './secrets.ts';

/** The window in which attempts are counted, in milliseconds. */
const ATTEMPT_WINDOW_MS = 15 * 60_000;

export interface AttemptLimit {
  key: string;
  /** Attempts allowed within the window. */
  limit: number;
}

const windowStart = (at: Date): Date => new Date(at.getTime() - ATTEMPT_WINDOW_MS);

/** SQL over codes, sessions and counted attempts. */
export function createAuthRepository({ db }: Pick<Database, 'db'>) {
  return {
    /**
     * Milliseconds until every limit allows another attempt; 0 when all do now. Holds the keys
     * until the transaction ends, so that parallel attempts are counted one after the other.
     */
    async waitFor(tx: Executor, limits: readonly AttemptLimit[], at: Date): Promise<number> {
      const since = windowStart(at);
      let wait = 0;
      // Always in the same order: two transactions can then never wait for each other.
      for (const { key, limit } of limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
        await holdName(tx, key);
        const recent = await tx
          .select({ at: attempts.at })
          .from(attempts)
          .where(and(eq(attempts.key, key), gt(attempts.at, since)))
          .orderBy(desc(attempts.at))
          .limit(limit);
        const oldest = recent[limit - 1];
        if (oldest) wait = Math.max(wait, oldest.at.getTime() - since.getTime());
      }
      return wait;
    },

    async recordAttempts(tx: Executor, keys: readonly string[], at: Date): Promise<void> {
      await tx.insert(attempts).values(keys.map((key) => ({ key, at })));
    },

    /** Takes one counted attempt back. */
    async forgetAttempt(tx: Executor, key: string, at: Date): Promise<void> {
      // Two that take one back at once would both take the same one.
      await holdName(tx, key);
      const one = tx
        .select({ row: sql`ctid` })
        .from(attempts)
        .where(and(eq(attempts.key, key), eq(attempts.at, at)))
        .limit(1);
      await tx.delete(attempts).where(sql`ctid = (${one})`);
    },

    /** Puts a code in the place of the address's last one. */
    async saveCode(tx: Executor, email: string, codeHash: string, expiresAt: Date): Promise<void> {
      await tx
        .insert(signInCodes)
        .values({ email, codeHash, expiresAt })
        .onConflictDoUpdate({ target: signInCodes.email, set: { codeHash, expiresAt, tries: 0 } });
    },

    /**
     * Uses up one try of an address's code and answers its hash; undefined when no code is valid.
     * The row stays locked until the transaction ends, which makes a code single-use.
     */
    async useTry(
      tx: Executor,
      email: string,
      at: Date,
      maxTries: number,
    ): Promise<string | undefined> {
      const [row] = await tx
        .update(signInCodes)
        .set({ tries: sql`${signInCodes.tries} + 1` })
        .where(
          and(
            eq(signInCodes.email, email),
            lt(signInCodes.tries, maxTries),
            gt(signInCodes.expiresAt, at),
          ),
        )
        .returning({ codeHash: signInCodes.codeHash });
      return row?.codeHash;
    },

    /** Voids one code; a newer one of the same address stays. */
    async deleteCode(executor: Executor, email: string, codeHash: string): Promise<void> {
      await executor
        .delete(signInCodes)
        .where(and(eq(signInCodes.email, email), eq(signInCodes.codeHash, codeHash)));
    },

    /** Voids whatever code an address has, and forgets attempts that were counted for it. */
    async forgetAddress(tx: Executor, email: string, attemptKey: string): Promise<void> {
      await tx.delete(signInCodes).where(eq(signInCodes.email, email));
      await tx.delete(attempts).where(eq(attempts.key, attemptKey));
    },

    async insertSession(tx: Executor, row: SessionRow): Promise<void> {
      await tx.insert(sessions).values(row);
    },

    /** Who a living session belongs to. */
    async findCaller({ sessionId, userId }: TokenClaims, at: Date) {
      const [row] = await db
        .select({ email: users.email, role: users.role })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, sessionId), eq(users.id, userId), gt(sessions.expiresAt, at)));
      return row;
    },

    /** A living session and its person, locked until the transaction ends. */
    async lockSession(
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

    async rotateSession(
      tx: Executor,
      sessionId: string,
      refreshHash: string,
      expiresAt: Date,
    ): Promise<void> {
      await tx.update(sessions).set({ refreshHash, expiresAt }).where(eq(sessions.id, sessionId));
    },

    async deleteSession(sessionId: string, executor: Executor = db): Promise<void> {
      await executor.delete(sessions).where(eq(sessions.id, sessionId));
    },

    async deleteSessionsOf(tx: Executor, userId: string): Promise<void> {
      await tx.delete(sessions).where(eq(sessions.userId, userId));
    },

    /** Deletes what has expired. */
    async deleteExpired(at: Date): Promise<void> {
      await db.delete(sessions).where(lte(sessions.expiresAt, at));
      await db.delete(signInCodes).where(lte(signInCodes.expiresAt, at));
      await db.delete(attempts).where(lte(attempts.at, windowStart(at)));
    },
  };
}

export type AuthRepository = ReturnType<typeof createAuthRepository>;
