import { and, desc, eq, gt, inArray, isNotNull, lte, notInArray, sql } from 'drizzle-orm';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { attempts, knownBrowsers, sessions, signInCodes, users } from './auth.tables.ts';
import { BROWSER_DAYS } from './cookies.ts';

/** What attempts are counted in, in milliseconds. */
export const QUARTER_MS = 15 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

/** The row of a code for callers who show no cookie of a browser. */
export const SHARED = '';

export interface AttemptLimit {
  key: string;
  /** Attempts allowed within the window. */
  limit: number;
  windowMs: typeof QUARTER_MS | typeof DAY_MS;
}

const isCode = (email: string, browser: string) =>
  and(eq(signInCodes.email, email), eq(signInCodes.browser, browser));

/** SQL over codes, browsers and counted attempts. */
export function createAuthRepository({ db }: Pick<Database, 'db'>) {
  return {
    /**
     * Milliseconds until every limit allows another attempt; 0 when all do now. Holds the keys
     * until the transaction ends, so that parallel attempts are counted one after the other.
     */
    async waitFor(tx: Executor, limits: readonly AttemptLimit[], at: Date): Promise<number> {
      let wait = 0;
      // Always in the same order: two transactions can then never wait for each other.
      for (const { key, limit, windowMs } of limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
        const since = new Date(at.getTime() - windowMs);
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
      if (keys.length === 0) return;
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

    /** Lets one transaction at a time use the codes of an address. */
    async holdCodes(tx: Executor, email: string): Promise<void> {
      await holdName(tx, `codes:${email}`);
    },

    /** Puts a code in the place of the last one of each of these browsers, with all its tries. */
    async saveCode(
      tx: Executor,
      email: string,
      browsers: readonly string[],
      codeHash: string,
      expiresAt: Date,
    ): Promise<void> {
      await tx
        .insert(signInCodes)
        .values(browsers.map((browser) => ({ email, browser, codeHash, expiresAt })))
        .onConflictDoUpdate({
          target: [signInCodes.email, signInCodes.browser],
          set: { codeHash, expiresAt, tries: 0 },
        });
    },

    /** Whether a browser has a code of its own for an address that has not expired. */
    async hasOwnCode(tx: Executor, email: string, browser: string, at: Date): Promise<boolean> {
      if (browser === SHARED) return false;
      const rows = await tx
        .select({ tries: signInCodes.tries })
        .from(signInCodes)
        .where(and(isCode(email, browser), gt(signInCodes.expiresAt, at)));
      return rows.length > 0;
    },

    /** Uses up one of the tries that a browser has for its own code, which must be there. */
    async useOwnTry(tx: Executor, email: string, browser: string) {
      const [row] = await tx
        .update(signInCodes)
        .set({ tries: sql`${signInCodes.tries} + 1` })
        .where(isCode(email, browser))
        .returning({ codeHash: signInCodes.codeHash, tries: signInCodes.tries });
      return row ?? { codeHash: null, tries: 1 };
    },

    /** Uses up one of the tries that all callers without a browser share, whether or not a code was sent. */
    async useSharedTry(tx: Executor, email: string, at: Date, expiresAt: Date) {
      const shared = { email, browser: SHARED };
      await tx
        .delete(signInCodes)
        .where(and(isCode(email, SHARED), lte(signInCodes.expiresAt, at)));
      const [row] = await tx
        .insert(signInCodes)
        .values({ ...shared, codeHash: null, tries: 1, expiresAt })
        .onConflictDoUpdate({
          target: [signInCodes.email, signInCodes.browser],
          set: { tries: sql`${signInCodes.tries} + 1` },
        })
        .returning({ codeHash: signInCodes.codeHash, tries: signInCodes.tries });
      return row ?? { codeHash: null, tries: 1 };
    },

    /** Voids one code, wherever it stands; others of the same address stay. */
    async deleteCode(executor: Executor, email: string, codeHash: string): Promise<void> {
      await executor
        .delete(signInCodes)
        .where(and(eq(signInCodes.email, email), eq(signInCodes.codeHash, codeHash)));
    },

    /** Whether somebody has signed in to an address from a browser. */
    async isKnownBrowser(tx: Executor, email: string, browser: string): Promise<boolean> {
      const [row] = await tx
        .select({ userId: users.id })
        .from(knownBrowsers)
        .innerJoin(users, eq(users.id, knownBrowsers.userId))
        .where(and(eq(knownBrowsers.browser, browser), sql`lower(${users.email}) = ${email}`));
      return row !== undefined;
    },

    async knowBrowser(tx: Executor, userId: string, browser: string, at: Date): Promise<void> {
      await tx
        .insert(knownBrowsers)
        .values({ userId, browser, signedInAt: at })
        .onConflictDoUpdate({
          target: [knownBrowsers.userId, knownBrowsers.browser],
          set: { signedInAt: at },
        });
    },

    /** Forgets those of a person's browsers in which no session is left; of some, or of all. */
    async forgetBrowsers(tx: Executor, userId: string, some?: readonly string[]): Promise<void> {
      const inUse = tx
        .select({ browser: sessions.browser })
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isNotNull(sessions.browser)));
      await tx
        .delete(knownBrowsers)
        .where(
          and(
            eq(knownBrowsers.userId, userId),
            some && inArray(knownBrowsers.browser, [...some]),
            notInArray(knownBrowsers.browser, inUse),
          ),
        );
    },

    /** Voids whatever codes an address has, and forgets attempts that were counted for it. */
    async forgetAddress(
      tx: Executor,
      email: string,
      attemptKeys: readonly string[],
    ): Promise<void> {
      await tx.delete(signInCodes).where(eq(signInCodes.email, email));
      await tx.delete(attempts).where(inArray(attempts.key, [...attemptKeys]));
    },

    /** Deletes what has expired. */
    async deleteExpired(at: Date): Promise<void> {
      const ago = (ms: number): Date => new Date(at.getTime() - ms);
      await db.delete(signInCodes).where(lte(signInCodes.expiresAt, at));
      await db.delete(attempts).where(lte(attempts.at, ago(DAY_MS)));
      await db
        .delete(knownBrowsers)
        .where(lte(knownBrowsers.signedInAt, ago(BROWSER_DAYS * DAY_MS)));
    },
  };
}

export type AuthRepository = ReturnType<typeof createAuthRepository>;
