import { and, desc, eq, gt, inArray, isNotNull, lte, ne, notInArray, sql } from 'drizzle-orm';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  attempts,
  knownBrowsers,
  sessions,
  signInCodes,
  signInLinks,
  users,
} from './auth.tables.ts';
import { BROWSER_DAYS } from './cookies.ts';

/** What attempts are counted in, in milliseconds. */
export const QUARTER_MS = 15 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

/** The row of the newest code of an address, which callers without a code of their own enter. */
export const SHARED = '';

export interface AttemptLimit {
  key: string;
  /** Attempts allowed within the window. */
  limit: number;
  windowMs: typeof QUARTER_MS | typeof DAY_MS;
}

const isCode = (email: string, holder: string) =>
  and(eq(signInCodes.email, email), eq(signInCodes.browser, holder));

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

    /** Stores a code for each of these holders in place of their last one, with all its tries. */
    async saveCode(
      tx: Executor,
      email: string,
      holders: readonly string[],
      codeHash: string,
      expiresAt: Date,
    ): Promise<void> {
      await tx
        .insert(signInCodes)
        .values(holders.map((browser) => ({ email, browser, codeHash, expiresAt })))
        .onConflictDoUpdate({
          target: [signInCodes.email, signInCodes.browser],
          set: { codeHash, expiresAt, tries: 0 },
        });
    },

    /** Whether a browser has a code of its own for an address that has not expired. */
    async hasOwnCode(tx: Executor, email: string, browser: string, at: Date): Promise<boolean> {
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

    /**
     * Uses up one of the tries that a network has for the newest code of an address, whether or not
     * a code was sent. A newer code starts with all its tries.
     */
    async useSharedTry(tx: Executor, email: string, network: string, at: Date, expiresAt: Date) {
      const [newest] = await tx
        .select({ codeHash: signInCodes.codeHash })
        .from(signInCodes)
        .where(and(isCode(email, SHARED), gt(signInCodes.expiresAt, at)));
      const codeHash = newest?.codeHash ?? null;
      const isSame = sql`${signInCodes.codeHash} IS NOT DISTINCT FROM excluded.code_hash
        AND ${signInCodes.expiresAt} > ${at.toISOString()}`;
      const [row] = await tx
        .insert(signInCodes)
        .values({ email, browser: network, codeHash, tries: 1, expiresAt })
        .onConflictDoUpdate({
          target: [signInCodes.email, signInCodes.browser],
          set: {
            codeHash,
            tries: sql`CASE WHEN ${isSame} THEN ${signInCodes.tries} + 1 ELSE 1 END`,
            expiresAt: sql`CASE WHEN ${isSame} THEN ${signInCodes.expiresAt} ELSE excluded.expires_at END`,
          },
        })
        .returning({ tries: signInCodes.tries });
      return { codeHash, tries: row?.tries ?? 1 };
    },

    /** Removes the code that a browser has of its own, so that it enters the newest one. */
    async deleteOwnCode(tx: Executor, email: string, browser: string): Promise<void> {
      await tx.delete(signInCodes).where(isCode(email, browser));
    },

    async saveLink(tx: Executor, link: typeof signInLinks.$inferInsert): Promise<void> {
      await tx.insert(signInLinks).values(link);
    },

    /** Whether a mail to an address carries a link that is still valid. */
    async hasLink(tx: Executor, email: string, at: Date): Promise<boolean> {
      const rows = await tx
        .select({ email: signInLinks.email })
        .from(signInLinks)
        .where(and(eq(signInLinks.email, email), gt(signInLinks.expiresAt, at)))
        .limit(1);
      return rows.length > 0;
    },

    /** The hash of the code that a valid link was mailed with; null where there is no such link. */
    async findLink(tx: Executor, email: string, linkHash: string, at: Date) {
      const [row] = await tx
        .select({ codeHash: signInLinks.codeHash })
        .from(signInLinks)
        .where(
          and(
            eq(signInLinks.linkHash, linkHash),
            eq(signInLinks.email, email),
            gt(signInLinks.expiresAt, at),
          ),
        );
      return row?.codeHash ?? null;
    },

    /** Voids the code and the link of one mail; those of other mails to the address stay. */
    async deleteCode(executor: Executor, email: string, codeHash: string): Promise<void> {
      for (const table of [signInCodes, signInLinks]) {
        await executor
          .delete(table)
          .where(and(eq(table.email, email), eq(table.codeHash, codeHash)));
      }
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

    /**
     * Removes those of a user's known browsers in which no session is left: of some, or of all.
     * `except` stays known.
     */
    async forgetBrowsers(
      tx: Executor,
      userId: string,
      { some, except = '' }: { some?: readonly string[]; except?: string },
    ): Promise<void> {
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
            ne(knownBrowsers.browser, except),
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
      await tx.delete(signInLinks).where(eq(signInLinks.email, email));
      await tx.delete(attempts).where(inArray(attempts.key, [...attemptKeys]));
    },

    /** Deletes what has expired. */
    async deleteExpired(at: Date): Promise<void> {
      const ago = (ms: number): Date => new Date(at.getTime() - ms);
      await db.delete(signInCodes).where(lte(signInCodes.expiresAt, at));
      await db.delete(signInLinks).where(lte(signInLinks.expiresAt, at));
      await db.delete(attempts).where(lte(attempts.at, ago(DAY_MS)));
      await db
        .delete(knownBrowsers)
        .where(lte(knownBrowsers.signedInAt, ago(BROWSER_DAYS * DAY_MS)));
    },
  };
}

export type AuthRepository = ReturnType<typeof createAuthRepository>;
