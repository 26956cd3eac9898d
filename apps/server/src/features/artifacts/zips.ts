import type { Readable } from 'node:stream';
import { ZIP_BYTE_LIMIT, ZIP_FILE_LIMIT } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { Storage } from '../../composition/storage.ts';
import { ifThere } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { createMemberPaths } from '../../platform/files/member-names.ts';
import { createZipRuns } from '../../platform/files/zip-runs.ts';
import type { ZipWriter } from '../../platform/files/zip-writer.ts';
import type { LinkHolder } from '../../platform/http/signed-links.ts';
import { artifactNotFound, tooManyZips, zipTooLarge } from './artifacts.errors.ts';
import type { Bulk, Chosen } from './bulk.ts';
import type { ZipLink, ZipLinks } from './zip-links.ts';

/** Zips of one user at the same time on one server. */
const ZIPS_AT_ONCE = 3;

/** Rows in one query. A file that is renamed or deleted in the meantime is read as it is then. */
const ROWS_AT_ONCE = 50;

/** Several files as one zip, written while it is read. */
export function createZips(
  {
    storage,
    log,
    now,
  }: Pick<Core, 'log' | 'now'> & { storage: Pick<Storage, 'files' | 'signing'> },
  bulk: Bulk,
  links: ZipLinks,
) {
  const runs = createZipRuns({
    isAlive: storage.signing.isAlive,
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
        // The file may have been deleted since its row was read.
        const content = await ifThere(storage.files.read(originalKey(userId, row.id)));
        if (!content) continue;
        await zip.add({ path: pathOf(row), content, at: row.createdAt, compress: false });
      }
    }
  };

  return {
    /**
     * A link to the files as one zip.
     * @throws HttpError 404 if none of them exists, 413 if they are too many or too large
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

    /** @throws HttpError 404 for an unknown link, 410 for an expired one */
    find: links.find,

    /** Starts writing the zip of a link. @throws HttpError 429 if the user has too many */
    async start(link: ZipLink): Promise<{ fileName: string; content: Readable }> {
      const content = await runs.start(link.holder, async () => (zip) => write(zip, link));
      return { fileName: `engram-files-${now().toISOString().slice(0, 10)}.zip`, content };
    },

    close: runs.close,
  };
}

export type Zips = ReturnType<typeof createZips>;
