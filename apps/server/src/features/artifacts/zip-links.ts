import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, lte } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { linkExpired, zipNotFound } from './artifacts.errors.ts';
import { zipLinks, type ZipLinkRow } from './artifacts.tables.ts';

/** How long a link works, in milliseconds. A download that has begun goes on. */
const LINK_TTL_MS = 15 * 60_000;

/** How long a link is known that does not work any more, in milliseconds. */
const EXPIRED_KEPT_MS = 86_400_000;

/** Links of one person that are kept, the newest; one with most files takes 80 kB. */
const LINKS_KEPT = 20;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Links to several files as one zip; whoever has one needs no sign-in. */
export function createZipLinks(database: Pick<Database, 'db' | 'transaction'>, now: () => Date) {
  const { db } = database;

  return {
    /** Makes a link to a person's files. */
    async make(userId: string, artifactIds: string[]): Promise<{ token: string; expiresAt: Date }> {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(now().getTime() + LINK_TTL_MS);
      await database.transaction(async (tx) => {
        const row = { tokenHash: hashOf(token), userId, artifactIds, expiresAt };
        await tx.insert(zipLinks).values(row);
        const older = tx
          .select({ tokenHash: zipLinks.tokenHash })
          .from(zipLinks)
          .where(eq(zipLinks.userId, userId))
          .orderBy(desc(zipLinks.expiresAt))
          .offset(LINKS_KEPT);
        await tx
          .delete(zipLinks)
          .where(and(eq(zipLinks.userId, userId), inArray(zipLinks.tokenHash, older)));
      });
      return { token, expiresAt };
    },

    /** Where a link leads. @throws HttpError 404, 410 */
    async find(token: string): Promise<ZipLinkRow> {
      const [row] = await db
        .select()
        .from(zipLinks)
        .where(eq(zipLinks.tokenHash, hashOf(token)));
      if (!row) throw zipNotFound();
      if (row.expiresAt < now()) throw linkExpired();
      return row;
    },

    /** Forgets links that have expired for long. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - EXPIRED_KEPT_MS);
      await db.delete(zipLinks).where(lte(zipLinks.expiresAt, before));
    },
  };
}

export type ZipLinks = ReturnType<typeof createZipLinks>;
