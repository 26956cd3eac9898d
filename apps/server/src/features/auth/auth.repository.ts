import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
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
import { DAY_MS } from './sign-in-limits.ts';

/** The row of the newest code of an address, for callers without a code of their own. */
export const SHARED = '';

const isCode = (email: string, holder: string) =>
  and(eq(signInCodes.email, email), eq(signInCodes.browser, holder));

export function createAuthRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** Stores a code for these holders in place of their last one, with all its tries. */
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

    async hasOwnCode(tx: Executor, email: string, browser: string, at: Date): Promise<boolean> {
      const isValid = and(isCode(email, browser), gt(signInCodes.expiresAt, at));
      return (await tx.$count(signInCodes, isValid)) > 0;
    },

    /** Counts a try of a browser's own code, which must exist. */
    async useOwnTry(tx: Executor, email: string, browser: string) {
      const [row] = await tx
        .update(signInCodes)
        .set({ tries: sql`${signInCodes.tries} + 1` })
        .where(isCode(email, browser))
        .returning({ codeHash: signInCodes.codeHash, tries: signInCodes.tries });
      return row ?? { codeHash: null, tries: 1 };
    },

    /** Counts a network's try of the newest code of an address, also if no code was sent. */
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

    /** Deletes a browser's own code, so that it enters the newest one. */
    async deleteOwnCode(tx: Executor, email: string, browser: string): Promise<void> {
      await tx.delete(signInCodes).where(isCode(email, browser));
    },

    async saveLink(tx: Executor, link: typeof signInLinks.$inferInsert): Promise<void> {
      await tx.insert(signInLinks).values(link);
    },

    async hasLink(tx: Executor, email: string, at: Date): Promise<boolean> {
      const isValid = and(eq(signInLinks.email, email), gt(signInLinks.expiresAt, at));
      return (await tx.$count(signInLinks, isValid)) > 0;
    },

    async findLink(tx: Executor, email: string, linkHash: string, at: Date) {
      const isLink = and(eq(signInLinks.linkHash, linkHash), eq(signInLinks.email, email));
      const [row] = await tx
        .select({ codeHash: signInLinks.codeHash })
        .from(signInLinks)
        .where(and(isLink, gt(signInLinks.expiresAt, at)));
      return row?.codeHash ?? null;
    },

    /** Deletes the code and the link of one mail. Those of other mails stay. */
    async deleteCode(executor: Executor, email: string, codeHash: string): Promise<void> {
      for (const table of [signInCodes, signInLinks]) {
        await executor
          .delete(table)
          .where(and(eq(table.email, email), eq(table.codeHash, codeHash)));
      }
    },

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

    /** Forgets browsers without a session: all, or `only` one. `except` stays known. */
    async forgetBrowsers(
      tx: Executor,
      userId: string,
      { only = null, except = '' }: { only?: string | null; except?: string },
    ): Promise<void> {
      await tx.execute(sql`
        DELETE FROM known_browsers
        WHERE user_id = ${userId} AND browser <> ${except} AND browser = coalesce(${only}, browser)
          AND browser NOT IN (
            SELECT browser FROM sessions WHERE user_id = ${userId} AND browser IS NOT NULL)`);
    },

    async forgetAddress(
      tx: Executor,
      email: string,
      attemptKeys: readonly string[],
    ): Promise<void> {
      await tx.delete(signInCodes).where(eq(signInCodes.email, email));
      await tx.delete(signInLinks).where(eq(signInLinks.email, email));
      await tx.delete(attempts).where(inArray(attempts.key, [...attemptKeys]));
    },

    async setProven(tx: Executor, sessionId: string, at: Date): Promise<void> {
      await tx.update(sessions).set({ provenAt: at }).where(eq(sessions.id, sessionId));
    },

    async deleteSessions(tx: Executor, userId: string): Promise<void> {
      await tx.delete(sessions).where(eq(sessions.userId, userId));
    },

    async deleteExpired(at: Date): Promise<void> {
      const ago = (ms: number): Date => new Date(at.getTime() - ms);
      for (const table of [signInCodes, signInLinks, sessions]) {
        await db.delete(table).where(lte(table.expiresAt, at));
      }
      await db.delete(attempts).where(lte(attempts.at, ago(DAY_MS)));
      await db
        .delete(knownBrowsers)
        .where(lte(knownBrowsers.signedInAt, ago(BROWSER_DAYS * DAY_MS)));
    },
  };
}

export type AuthRepository = ReturnType<typeof createAuthRepository>;
