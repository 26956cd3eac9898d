import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ZIP_BYTE_LIMIT, ZIP_FILE_LIMIT } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type FileStore, ifThere } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { createMemberPaths } from '../../platform/files/member-names.ts';
import { createZipRuns } from '../../platform/files/zip-runs.ts';
import type { ZipWriter } from '../../platform/files/zip-writer.ts';
import {
  artifactNotFound,
  linkExpired,
  tooManyZips,
  zipNotFound,
  zipTooLarge,
} from './artifacts.errors.ts';
import type { Bulk, Chosen } from './bulk.ts';

export interface ZipsDependencies {
  bulk: Pick<Bulk, 'chosenIds' | 'named'>;
  files: Pick<FileStore, 'read'>;
  log: Pick<FastifyBaseLogger, 'error'>;
  now: () => Date;
}

/** Whose files a link leads to. It is kept by this process alone: after a restart there is another. */
interface Ticket {
  userId: string;
  ids: string[];
  expiresAt: number;
}

/** How long a link works, in milliseconds. A download that has begun goes on. */
const LINK_TTL_MS = 15 * 60_000;

/** Ids of files in all links together; each takes about 100 bytes. */
const REMEMBERED_IDS = 200_000;

/** Zips of one person at the same time. */
const ZIPS_AT_ONCE = 3;

/** Rows that are read at once: a file that is renamed or goes meanwhile is met as it is then. */
const ROWS_AT_ONCE = 50;

/** Several files as one zip, written while it is read. */
export function createZips({ bulk, files, log, now }: ZipsDependencies) {
  const tickets = new LRUCache<string, Ticket>({
    maxSize: REMEMBERED_IDS,
    sizeCalculation: ({ ids }) => ids.length + 1,
  });
  const runs = createZipRuns({
    atOnce: ZIPS_AT_ONCE,
    refuse: tooManyZips,
    broke: 'a zip broke off',
    log,
  });

  const write = async (zip: ZipWriter, { userId, ids }: Ticket): Promise<void> => {
    const pathOf = createMemberPaths();
    for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
      for (const row of await bulk.named(userId, ids.slice(start, start + ROWS_AT_ONCE))) {
        const content = await ifThere(files.read(originalKey(userId, row.id)));
        // Deleted since its row was read.
        if (!content) continue;
        await zip.add({ path: pathOf(row), content, at: row.createdAt, compress: false });
      }
    }
  };

  const ticketOf = (token: string): Ticket => {
    const ticket = tickets.get(token);
    if (!ticket) throw zipNotFound();
    if (ticket.expiresAt < now().getTime()) throw linkExpired();
    return ticket;
  };

  return {
    /**
     * A link to the files as one zip.
     * @throws HttpError 404 when none of them is there, 413 when they are too many or too large.
     */
    async sign(userId: string, chosen: Chosen) {
      const ids = await bulk.chosenIds(userId, chosen);
      if (ids.length > ZIP_FILE_LIMIT) throw zipTooLarge();
      const rows = await bulk.named(userId, ids);
      if (rows.length === 0) throw artifactNotFound();
      const bytes = rows.reduce((sum, { size }) => sum + size, 0);
      if (bytes > ZIP_BYTE_LIMIT) throw zipTooLarge();
      const token = randomBytes(32).toString('base64url');
      const expiresAt = now().getTime() + LINK_TTL_MS;
      tickets.set(token, { userId, ids: rows.map(({ id }) => id), expiresAt });
      return {
        url: `/v1/zips/${token}`,
        expiresAt: new Date(expiresAt).toISOString(),
        files: rows.length,
        bytes,
      };
    },

    /** Refuses a link that leads nowhere. @throws HttpError 404, 410 */
    check: (token: string): void => void ticketOf(token),

    /**
     * Begins the zip behind a link; it ends where it is not read to its end.
     * @throws HttpError 404 and 410 where the link leads nowhere, 429 where several are being made.
     */
    async start(token: string): Promise<{ fileName: string; content: Readable }> {
      const ticket = ticketOf(token);
      const content = await runs.start(ticket.userId, async () => (zip) => write(zip, ticket));
      return { fileName: `engram-files-${now().toISOString().slice(0, 10)}.zip`, content };
    },

    close: runs.close,
  };
}

export type Zips = ReturnType<typeof createZips>;
