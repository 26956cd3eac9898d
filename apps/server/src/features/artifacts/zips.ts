import { createHash, randomBytes } from 'node:crypto';
import { readZip, ZIP_BYTE_LIMIT, ZIP_FILE_LIMIT, zipArtifacts } from '@engram/contract';
import { and, desc, eq, inArray, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Readable } from 'node:stream';
import { replyWithZip } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { Core } from '../../composition/core.ts';
import { orNotFound } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { createMemberPaths } from '../../platform/files/member-names.ts';
import { createZipRuns, type ZipWriter } from '../../platform/files/zip-writer.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { createSignedLinks, type LinkHolder } from '../../platform/http/signed-links.ts';
import { artifactNotFound, linkExpired } from './artifacts.errors.ts';
import { zipLinks } from './artifacts.tables.ts';
import type { Bulk } from './bulk.ts';

/** Links stored for each user. The largest takes 80 kB. */
const MAX_LINKS = 20;

/** Concurrent zips of a user on one server. */
const ZIPS_AT_ONCE = 3;

/** Few, so that renames and deletions during the download take effect. */
const ROWS_AT_ONCE = 50;

interface ZipLink {
  holder: LinkHolder;
  artifactIds: string[];
}

const zipNotFound = (): HttpError =>
  new HttpError(404, 'zip_not_found', 'There is no such download.');

function zipTooLarge(): HttpError {
  const files = ZIP_FILE_LIMIT.toLocaleString('en-US');
  const message = `A download can have at most ${files} files and ${ZIP_BYTE_LIMIT / 1e9} GB.`;
  return new HttpError(413, 'zip_too_large', message);
}

const tooManyZips = (): HttpError =>
  new HttpError(
    429,
    'too_many_zips',
    'Too many downloads are running. Please wait for one to finish.',
  );

const hashOf = (id: string): string => createHash('sha256').update(id).digest('base64url');

/**
 * Streams several files as one zip. A link contains a random ID. The database has the IDs of its files.
 */
export function createZips(
  { storage, log, now }: Pick<Core, 'storage' | 'log' | 'now'>,
  bulk: Bulk,
) {
  const { database, files, signing, artifactsRepository } = storage;
  const links = createSignedLinks(signing, 'zips', z.string());
  const runs = createZipRuns({
    isAlive: signing.isAlive,
    maxParallel: ZIPS_AT_ONCE,
    tooMany: tooManyZips,
    failureMessage: 'a zip was interrupted',
    log,
  });

  const write = async (zip: ZipWriter, { holder, artifactIds }: ZipLink): Promise<void> => {
    const { userId } = holder;
    const pathOf = createMemberPaths();
    for (let start = 0; start < artifactIds.length; start += ROWS_AT_ONCE) {
      const batch = artifactIds.slice(start, start + ROWS_AT_ONCE);
      for (const row of await artifactsRepository.findMany(userId, batch)) {
        // The file may have been deleted since its row was read.
        const content = await orNotFound(files.read(originalKey(userId, row.id)));
        if (!content) continue;
        await zip.add({ path: pathOf(row), content, at: row.createdAt, compress: false });
      }
    }
  };

  /** @throws HttpError 404 for an unknown link, 410 for an expired one */
  async function find(token: string): Promise<ZipLink> {
    const link = await links.open(token);
    if (link === 'expired') throw linkExpired();
    if (!link) throw zipNotFound();
    const isLink = eq(zipLinks.tokenHash, hashOf(link.opened));
    const [row] = await database.db.select().from(zipLinks).where(isLink);
    if (!row) throw zipNotFound();
    return { holder: link.holder, artifactIds: row.artifactIds };
  }

  /** @throws HttpError 429 if the user has too many running downloads */
  async function start(link: ZipLink): Promise<{ fileName: string; content: Readable }> {
    const content = await runs.start(link.holder, async () => (zip) => write(zip, link));
    return { fileName: `engram-files-${now().toISOString().slice(0, 10)}.zip`, content };
  }

  return {
    find,
    start,
    routes(mount: Mount): void {
      mount(zipArtifacts, async ({ caller: holder, body: selection }) => {
        const { userId } = holder;
        const selectedIds = await bulk.selectedIds(userId, selection);
        if (selectedIds.length > ZIP_FILE_LIMIT) throw zipTooLarge();
        const rows = await artifactsRepository.findMany(userId, selectedIds);
        if (rows.length === 0) throw artifactNotFound();
        const bytes = rows.reduce((sum, { size }) => sum + size, 0);
        if (bytes > ZIP_BYTE_LIMIT) throw zipTooLarge();
        const id = randomBytes(16).toString('base64url');
        const { token, expiresAt } = links.sign(holder, id);
        const artifactIds = rows.map((row) => row.id);
        await database.transaction(async (tx) => {
          await tx
            .insert(zipLinks)
            .values({ userId, tokenHash: hashOf(id), artifactIds, expiresAt });
          const older = tx
            .select({ tokenHash: zipLinks.tokenHash })
            .from(zipLinks)
            .where(eq(zipLinks.userId, userId))
            .orderBy(desc(zipLinks.expiresAt))
            .offset(MAX_LINKS);
          await tx
            .delete(zipLinks)
            .where(and(eq(zipLinks.userId, userId), inArray(zipLinks.tokenHash, older)));
        });
        return {
          data: {
            url: `/v1/zips/${token}`,
            expiresAt: expiresAt.toISOString(),
            files: rows.length,
            bytes,
          },
        };
      });
      mount(readZip, async ({ params, request, reply }) => {
        const link = await find(params.token);
        return replyWithZip(request, reply, () => start(link));
      });
    },
    async cleanUp(): Promise<void> {
      await database.db.delete(zipLinks).where(lte(zipLinks.expiresAt, now()));
    },

    close: runs.close,
  };
}

export type Zips = ReturnType<typeof createZips>;
