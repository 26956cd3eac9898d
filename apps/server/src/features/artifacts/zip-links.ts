import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import {
  createSignedLinks,
  type LinkHolder,
  type SignedLinksOptions,
} from '../../platform/http/signed-links.ts';
import { linkExpired, zipNotFound } from './artifacts.errors.ts';
import { zipLinks } from './artifacts.tables.ts';

/** Links stored for each user. The largest takes 80 kB. */
const LINKS_KEPT = 20;

export interface ZipLink {
  holder: LinkHolder;
  artifactIds: string[];
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Links to several files as one zip. The list of files is in the database. */
export function createZipLinks(
  database: Pick<Database, 'db' | 'transaction'>,
  options: SignedLinksOptions,
) {
  const { db } = database;
  const { now } = options;
  const links = createSignedLinks(options, 'zips', z.string());

  return {
    async make(holder: LinkHolder, artifactIds: string[]) {
      const { userId } = holder;
      const id = randomBytes(16).toString('base64url');
      const { token, expiresAt } = links.sign(holder, id);
      await database.transaction(async (tx) => {
        const row = { tokenHash: hashOf(id), userId, artifactIds, expiresAt };
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

    /** @throws HttpError 404, 410 */
    async find(token: string): Promise<ZipLink> {
      const link = await links.open(token);
      if (link === 'expired') throw linkExpired();
      const [row] = link
        ? await db
            .select()
            .from(zipLinks)
            .where(eq(zipLinks.tokenHash, hashOf(link.opened)))
        : [];
      if (!link || !row) throw zipNotFound();
      return { holder: link.holder, artifactIds: row.artifactIds };
    },

    /** Deletes expired links. */
    async cleanUp(): Promise<void> {
      await db.delete(zipLinks).where(lte(zipLinks.expiresAt, now()));
    },
  };
}

export type ZipLinks = ReturnType<typeof createZipLinks>;
