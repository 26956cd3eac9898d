import type { Readable } from 'node:stream';
import { ZIP_BYTE_LIMIT, ZIP_FILE_LIMIT } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { type FileStore, ifThere } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { createMemberPaths } from '../../platform/files/member-names.ts';
import { createZipRuns } from '../../platform/files/zip-runs.ts';
import type { ZipWriter } from '../../platform/files/zip-writer.ts';
import type { LinkHolder, SignedLinksOptions } from '../../platform/http/signed-links.ts';
import { artifactNotFound, tooManyZips, zipTooLarge } from './artifacts.errors.ts';
import type { Bulk, Chosen } from './bulk.ts';
import type { ZipLink, ZipLinks } from './zip-links.ts';

export interface ZipsDependencies {
  bulk: Pick<Bulk, 'chosenIds' | 'named'>;
  files: Pick<FileStore, 'read'>;
  links: Pick<ZipLinks, 'make' | 'find'>;
  log: Pick<FastifyBaseLogger, 'error'>;
  isAlive: SignedLinksOptions['isAlive'];
  now: () => Date;
}

/** Zips of one person that a server makes at the same time. */
const ZIPS_AT_ONCE = 3;

/** Rows that are read at once: a file that is renamed or goes meanwhile is met as it is then. */
const ROWS_AT_ONCE = 50;

/** Several files as one zip, written while it is read. */
export function createZips({ bulk, files, links, log, isAlive, now }: ZipsDependencies) {
  const runs = createZipRuns({
    isAlive,
    atOnce: ZIPS_AT_ONCE,
    refuse: tooManyZips,
    broke: 'a zip broke off',
    log,
  });

  const write = async (zip: ZipWriter, { holder, artifactIds }: ZipLink): Promise<void> => {
    const { userId } = holder;
    const pathOf = createMemberPaths();
    for (let start = 0; start < artifactIds.length; start += ROWS_AT_ONCE) {
      const some = artifactIds.slice(start, start + ROWS_AT_ONCE);
      for (const row of await bulk.named(userId, some)) {
        const content = await ifThere(files.read(originalKey(userId, row.id)));
        // Deleted since its row was read.
        if (!content) continue;
        await zip.add({ path: pathOf(row), content, at: row.createdAt, compress: false });
      }
    }
  };

  return {
    /**
     * A link to the files as one zip.
     * @throws HttpError 404 when none of them is there, 413 when they are too many or too large.
     */
    async sign(holder: LinkHolder, chosen: Chosen) {
      const { userId } = holder;
      const ids = await bulk.chosenIds(userId, chosen);
      if (ids.length > ZIP_FILE_LIMIT) throw zipTooLarge();
      const rows = await bulk.named(userId, ids);
      if (rows.length === 0) throw artifactNotFound();
      const bytes = rows.reduce((sum, { size }) => sum + size, 0);
      if (bytes > ZIP_BYTE_LIMIT) throw zipTooLarge();
      const { token, expiresAt } = await links.make(
        holder,
        rows.map(({ id }) => id),
      );
      return {
        url: `/v1/zips/${token}`,
        expiresAt: expiresAt.toISOString(),
        files: rows.length,
        bytes,
      };
    },

    /** What a link leads to. @throws HttpError 404 and 410 where it leads nowhere */
    find: links.find,

    /**
     * Begins the zip behind a link; it ends where it is not read to its end.
     * @throws HttpError 429 where several are being made
     */
    async start(link: ZipLink): Promise<{ fileName: string; content: Readable }> {
      const content = await runs.start(link.holder, async () => (zip) => write(zip, link));
      return { fileName: `engram-files-${now().toISOString().slice(0, 10)}.zip`, content };
    },

    close: runs.close,
  };
}

export type Zips = ReturnType<typeof createZips>;
