import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ImportResult } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import { type DiskRoom, isDiskFull } from '../../platform/files/disk-room.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { createInbox, type SaveFile } from '../../platform/http/one-file.ts';
import type { ExportedEntry } from './export-format.ts';
import type { PortableServices } from './export.service.ts';
import { openArchive } from './import-archive.ts';
import { createFilesImport, type RunningImport, plausibleDate } from './import-files.ts';
import { createRefusals, readExport, type ReadExport } from './import-reading.ts';
import { refusal } from './portability.errors.ts';

/** The limits of one transaction. */
const BATCH_ENTRIES = 50;
const BATCH_SIZE = 500_000;

/** The tolerated difference between the clocks of two servers, in milliseconds. */
const CLOCK_SKEW_MS = 86_400_000;

const YIELD_MS = 25;

/** The approximate length of an entry in characters. */
const sizeOf = ({ question, answer, citations, nearest, found, related }: ExportedEntry): number =>
  JSON.stringify([question, answer, citations, nearest, found, related]).length;

const counted = (count: number, noun: string): string =>
  count === 1 ? `One ${noun}` : `${count.toLocaleString('en-US')} ${noun}s`;

const importTooLarge = (limitMb: number): HttpError =>
  new HttpError(413, 'import_too_large', `An export can have at most ${limitMb} MB.`);

const formRefusals = {
  notMultipart: () => refusal('not_multipart'),
  notOne: () => refusal('one_export'),
  tooLarge: importTooLarge,
  broken: () => refusal('broken_upload'),
};

const rethrowNoRoom = (error: unknown): never => {
  throw isDiskFull(error) ? refusal('no_room') : error;
};

/** Imports exports. Data that already exists is not imported again. */
export async function createImportService(
  { config, storage, now }: Core,
  services: PortableServices,
) {
  const { files, history, keywords, profile, subscription, arriving } = services;
  const { room, backgroundYield } = storage;
  const limitMb = config.importLimitMb;
  const importFiles = createFilesImport(services, now);
  const running = new Map<string, Promise<unknown>>();
  const closing = new AbortController();
  const withFile = await createInbox(path.join(config.dataDir, 'imports'));

  const toPortableEntry = ({ date, saved, ...entry }: ExportedEntry) => ({
    ...entry,
    bookmarked: saved,
    createdAt: new Date(date),
  });

  const importHistory = async (
    { userId, signal, refusals }: RunningImport,
    exported: ReadExport,
    hashes: ReadonlyMap<string, string>,
  ) => {
    const { add, result } = await history.startImport(userId);
    let batch: ExportedEntry[] = [];
    let size = 0;

    const flush = async (): Promise<void> => {
      if (batch.length === 0) return;
      signal.throwIfAborted();
      await backgroundYield.yieldToRequests(YIELD_MS);
      await add(batch.map(toPortableEntry), size, async (ids) => {
        const known = [...ids].flatMap((id) => hashes.get(id) ?? []);
        const present = await files.existing(userId, known);
        return (id) => present.get(hashes.get(id) ?? '');
      });
      batch = [];
      size = 0;
    };

    for await (const entry of exported.history()) {
      const time = new Date(entry.date).getTime();
      if (time > now().getTime() + CLOCK_SKEW_MS) {
        refusals.add({ name: entry.question, message: 'Its date is in the future.' });
      } else if (time <= 0) {
        refusals.add({ name: entry.question, message: 'Its date is invalid.' });
      } else {
        batch.push(entry);
        size += sizeOf(entry);
      }
      if (batch.length >= BATCH_ENTRIES || size >= BATCH_SIZE) await flush();
    }
    await flush();
    const { refused, refusal: message, ...imported } = result;
    if (refused > 0) refusals.add({ name: counted(refused, 'question'), message });
    return imported;
  };

  const importAll = async (importing: RunningImport): Promise<ImportResult> => {
    const { userId, archive, signal, refusals } = importing;
    const exported = await readExport(archive, signal, refusals);
    const { refused, ...importedKeywords } = await keywords.importAll(
      userId,
      exported.keywords.map(({ keyword, active, createdDate }) => ({
        keyword,
        isActive: active,
        createdAt: plausibleDate(createdDate, now()),
      })),
    );
    if (refused > 0) refusals.add({ name: counted(refused, 'keyword'), message: keywords.refusal });
    const { hashes, ...importedFiles } = await importFiles(importing, exported.files());
    const importedHistory = await importHistory(importing, exported, hashes);
    signal.throwIfAborted();
    const filledProfile = exported.profile
      ? await profile.fill(userId, exported.profile)
      : { filled: false, rejected: [] };
    for (const refusal of filledProfile.rejected) refusals.add(refusal);
    return {
      files: importedFiles,
      history: importedHistory,
      keywords: importedKeywords,
      profile: filledProfile.filled,
      rejected: refusals.list(),
    };
  };

  const assertRoom = async (bytes: number): Promise<void> => {
    if (bytes > limitMb * 1_048_576 + 65_536) throw importTooLarge(limitMb);
    await room.assertFor(bytes).catch(rethrowNoRoom);
  };

  const run = (userId: string, save: SaveFile, signal: AbortSignal): Promise<ImportResult> =>
    withFile(async (filePath) => {
      const id = randomUUID();
      arriving.begin(userId, id);
      const countedRoom: Pick<DiskRoom, 'bounded'> = {
        async *bounded(content) {
          for await (const part of room.bounded(content)) {
            await arriving.count(id, part.length);
            yield part;
          }
        },
      };
      try {
        const options = { limitMb, room: countedRoom, refusals: formRefusals, signal };
        await save(filePath, options).catch(rethrowNoRoom);
        const archive = await openArchive(filePath);
        try {
          return await importAll({ id, userId, archive, refusals: createRefusals(), signal });
        } finally {
          archive.close();
        }
      } finally {
        arriving.end(id);
      }
    });

  return {
    /**
     * Imports the export that `save` writes to a file. Data imported before a failure stays, and the same
     * export can be sent again.
     * @param bytes the declared size, or 0 if it is not declared
     * @param disconnected cancels the import
     * @throws the reason of `disconnected`; HttpError 400 if the export is damaged, 402 if the plan has
     * expired, 409 during another import, 413 if it is too large, 415 if it is not an export
     */
    async import(
      userId: string,
      bytes: number,
      save: SaveFile,
      disconnected: AbortSignal,
    ): Promise<ImportResult> {
      if (running.has(userId)) throw refusal('import_under_way');
      const importing = (async () => {
        await subscription.assertMayUpload(userId, 0);
        await assertRoom(bytes);
        return run(userId, save, AbortSignal.any([closing.signal, disconnected]));
      })();
      running.set(
        userId,
        importing.catch(() => undefined),
      );
      try {
        return await importing;
      } finally {
        running.delete(userId);
      }
    },

    /** Cancels running imports and waits for their current step. */
    async close(): Promise<void> {
      closing.abort(refusal('server_stops'));
      await Promise.all(running.values());
    },
  };
}

export type ImportService = Awaited<ReturnType<typeof createImportService>>;
