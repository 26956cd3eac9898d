import { randomUUID } from 'node:crypto';
import type { ImportResult } from '@engram/contract';
import { type DiskRoom, isDiskFull } from '../../platform/files/disk-room.ts';
import { createInbox, type SaveFile } from '../../platform/http/one-file.ts';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import type { RunningQuota } from '../artifacts/running-quota.ts';
import type { PortableHistory } from '../history/portable-history.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { ExportedEntry, ExportedProfile } from './export-format.ts';
import { type Archive, openArchive } from './import-archive.ts';
import { createFilesImport, sensibleDate } from './import-files.ts';
import { createRefusals, readExport, type ReadExport, type Refusals } from './import-reading.ts';
import * as errors from './portability.errors.ts';

export interface ImportDependencies {
  files: PortableFiles;
  history: Pick<PortableHistory, 'takeIn' | 'room' | 'refusal' | 'textRoom' | 'textRefusal'>;
  keywords: Pick<KeywordsService, 'takeIn' | 'refusal'>;
  /** Fills what is empty of a profile; answers whether anything was, and what could not be. */
  fillProfile: (
    userId: string,
    profile: ExportedProfile,
  ) => Promise<{ filled: boolean; rejected: ImportResult['rejected'] }>;
  /** Throws where the plan does not allow so many more bytes. */
  assertMayUpload: (userId: string, bytes: number) => Promise<void>;
  /** Counts an export against its owner's storage quota while it is imported. */
  arriving: RunningQuota;
  /** Where exports lie while they are taken in; what lies there at the start is removed. */
  folder: string;
  /** What the disk has left. */
  room: DiskRoom;
  /** Megabytes (2^20 bytes) of an export. */
  limitMb: number;
  now: () => Date;
  yieldToRequests: (patienceMs: number) => Promise<void>;
}

/** Entries that are taken in at once, and the characters of them: others come in between. */
const ENTRIES_AT_ONCE = 50;
const SIZE_AT_ONCE = 500_000;

/** Characters of a citation or a file's mention beside what they quote. */
const MENTION_SIZE = 200;

/** How far the clock of another server may be ahead of this one's, in milliseconds. */
const AHEAD_MS = 86_400_000;

const PATIENCE_MS = 25;

/** About how many characters an entry has. */
const sizeOf = ({
  question,
  answer,
  citations,
  nearest,
  found,
  related,
}: ExportedEntry): number => {
  const quoted = [...citations, ...nearest];
  return (
    question.length +
    answer.length +
    quoted.reduce((sum, { quote }) => sum + quote.length, 0) +
    found.reduce((sum, { text }) => sum + text.length, 0) +
    (quoted.length + found.length + related.length) * MENTION_SIZE
  );
};

const counted = (count: number, noun: string): string =>
  count === 1 ? `One ${noun}` : `${count.toLocaleString('en-US')} ${noun}s`;

const formRefusals = {
  notMultipart: errors.notMultipart,
  notOne: errors.oneExport,
  tooLarge: errors.importTooLarge,
  broken: errors.brokenImport,
};

const tellNoRoom = (error: unknown): never => {
  throw isDiskFull(error) ? errors.noRoom() : error;
};

/** One import while it runs. */
interface Importing {
  /** The name under which it counts in the storage quota. */
  id: string;
  userId: string;
  signal: AbortSignal;
  refusals: Refusals;
}

/** Takes in what an export of Engram holds, and nothing twice. */
export async function createImportService(deps: ImportDependencies) {
  const { files, history, keywords, assertMayUpload, arriving, folder, room, limitMb, now } = deps;
  const takeFiles = createFilesImport(deps);
  const underWay = new Map<string, Promise<unknown>>();
  const closing = new AbortController();
  const withFile = await createInbox(folder);

  /** Entries as the history keeps them. */
  const portable = ({ date, saved, ...entry }: ExportedEntry) => ({
    ...entry,
    bookmarked: saved,
    createdAt: new Date(date),
  });

  const takeHistory = async (
    { userId, signal, refusals }: Importing,
    given: ReadExport,
    hashes: ReadonlyMap<string, string>,
  ) => {
    const result = { added: 0, present: 0 };
    const known = new Map<string, string>();
    let room = await history.room(userId);
    let textRoom = await history.textRoom(userId);
    let refusal = history.refusal;
    let refused = 0;
    let some: ExportedEntry[] = [];
    let size = 0;

    const flush = async (): Promise<void> => {
      if (some.length === 0) return;
      signal.throwIfAborted();
      await deps.yieldToRequests(PATIENCE_MS);
      if (size > textRoom) [room, refusal] = [0, history.textRefusal];
      const mentioned = some.flatMap(({ citations, nearest, found, related, recommendations }) =>
        [...citations, ...nearest, ...found, ...related, ...recommendations].flatMap(
          ({ artifactId }) => hashes.get(artifactId) ?? [],
        ),
      );
      const here = await files.present(userId, [...new Set(mentioned)]);
      const fileOf = (id: string): string | undefined => here.get(hashes.get(id) ?? '');
      const taken = await history.takeIn(userId, some.map(portable), { fileOf, known, room });
      for (const [before, id] of taken.ids) known.set(before, id);
      room -= taken.added;
      if (taken.added > 0) textRoom -= size;
      refused += taken.refused;
      result.added += taken.added;
      result.present += taken.present;
      some = [];
      size = 0;
    };

    for await (const read of given.history()) {
      if (!('entry' in read)) refusals.add(read);
      else if (new Date(read.entry.date).getTime() > now().getTime() + AHEAD_MS) {
        refusals.add({ name: read.entry.question, message: 'Its date is still to come.' });
      } else if (new Date(read.entry.date).getTime() <= 0) {
        refusals.add({ name: read.entry.question, message: 'Its date cannot be.' });
      } else {
        some.push(read.entry);
        size += sizeOf(read.entry);
      }
      if (some.length >= ENTRIES_AT_ONCE || size >= SIZE_AT_ONCE) await flush();
    }
    await flush();
    if (refused > 0) refusals.add({ name: counted(refused, 'question'), message: refusal });
    return result;
  };

  const takeIn = async (importing: Importing, archive: Archive): Promise<ImportResult> => {
    const { userId, id, signal, refusals } = importing;
    const given = await readExport(archive, signal);
    const words = given.keywords.flatMap((read) => {
      if ('entry' in read) return [read.entry];
      refusals.add(read);
      return [];
    });
    const { refused, ...takenWords } = await keywords.takeIn(
      userId,
      words.map(({ keyword, active, createdDate }) => ({
        keyword,
        isActive: active,
        createdAt: sensibleDate(createdDate, now()),
      })),
    );
    if (refused > 0) refusals.add({ name: counted(refused, 'keyword'), message: keywords.refusal });
    const { hashes, ...takenFiles } = await takeFiles(
      { userId, archive, refusals, signal, onTaken: (bytes) => arriving.release(id, bytes) },
      given.files(),
    );
    const takenHistory = await takeHistory(importing, given, hashes);
    signal.throwIfAborted();
    const profile = given.profile
      ? await deps.fillProfile(userId, given.profile)
      : { filled: false, rejected: [] };
    for (const refusal of profile.rejected) refusals.add(refusal);
    return {
      files: takenFiles,
      history: takenHistory,
      keywords: takenWords,
      profile: profile.filled,
      rejected: refusals.list(),
    };
  };

  const assertRoom = async (bytes: number): Promise<void> => {
    if (bytes > limitMb * 1_048_576 + 65_536) throw errors.importTooLarge(limitMb);
    await room.assertFor(bytes).catch(tellNoRoom);
  };

  const run = (userId: string, save: SaveFile, signal: AbortSignal): Promise<ImportResult> =>
    withFile(async (filePath) => {
      const importing: Importing = { userId, id: randomUUID(), signal, refusals: createRefusals() };
      arriving.begin(userId, importing.id);
      const counting: Pick<DiskRoom, 'bounded'> = {
        async *bounded(content) {
          for await (const part of room.bounded(content)) {
            await arriving.count(importing.id, part.length);
            yield part;
          }
        },
      };
      try {
        const options = { limitMb, room: counting, refusals: formRefusals, signal };
        await save(filePath, options).catch(tellNoRoom);
        const archive = await openArchive(filePath);
        try {
          return await takeIn(importing, archive);
        } finally {
          archive.close();
        }
      } finally {
        arriving.end(importing.id);
      }
    });

  return {
    /**
     * Takes in the export that `save` writes to a file. What was taken in before a failure stays;
     * the same export can be sent again.
     *
     * @param bytes how much is said to come; 0 where nothing is
     * @param left cancels the import, because the client has left
     * @throws the reason of `left`; HttpError 400 when it is damaged, 402 when the plan has expired, 409 while another one
     * is taken in, 413 when it is too large, 415 when it is no export
     */
    async import(
      userId: string,
      bytes: number,
      save: SaveFile,
      left: AbortSignal,
    ): Promise<ImportResult> {
      if (underWay.has(userId)) throw errors.importUnderWay();
      const importing = (async () => {
        await assertMayUpload(userId, 0);
        await assertRoom(bytes);
        return run(userId, save, AbortSignal.any([closing.signal, left]));
      })();
      underWay.set(
        userId,
        importing.catch(() => undefined),
      );
      try {
        return await importing;
      } finally {
        underWay.delete(userId);
      }
    },

    /** Stops taking in; what is under way comes to the end of its step. */
    async close(): Promise<void> {
      closing.abort(errors.serverStops());
      await Promise.all(underWay.values());
    },
  };
}

export type ImportService = Awaited<ReturnType<typeof createImportService>>;
