import type { ImportResult } from '@engram/contract';
import { type DiskRoom, isDiskFull } from '../../platform/files/disk-room.ts';
import { createInbox, type SaveFile } from '../../platform/http/one-file.ts';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import type { PortableHistory } from '../history/portable-history.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { ExportedEntry, ExportedProfile } from './export-format.ts';
import { type Archive, openArchive } from './import-archive.ts';
import { createFilesImport, sensibleDate } from './import-files.ts';
import { readExport, type ReadExport } from './import-reading.ts';
import * as errors from './portability.errors.ts';

export interface ImportDependencies {
  files: PortableFiles;
  history: Pick<PortableHistory, 'takeIn'>;
  keywords: Pick<KeywordsService, 'takeIn'>;
  /** Fills what is empty of a profile; answers whether anything was, and what could not be. */
  fillProfile: (
    userId: string,
    profile: ExportedProfile,
  ) => Promise<{ filled: boolean; rejected: ImportResult['rejected'] }>;
  /** Throws where the plan does not allow so many more bytes. */
  assertMayUpload: (userId: string, bytes: number) => Promise<void>;
  /** Where exports lie while they are taken in; what lies there at the start is removed. */
  folder: string;
  /** What the disk has left. */
  room: DiskRoom;
  /** Megabytes (2^20 bytes) of an export. */
  limitMb: number;
  now: () => Date;
  stepBack: (patienceMs: number) => Promise<void>;
}

/** Entries that are taken in at once, and the characters of them: others come in between. */
const ENTRIES_AT_ONCE = 50;
const SIZE_AT_ONCE = 500_000;

/** Characters of a citation or a file's mention beside what they quote. */
const MENTION_SIZE = 200;

/** Refusals that are told one by one. */
const MOST_REFUSALS = 1000;

/** How far the clock of another server may be ahead of this one's, in milliseconds. */
const AHEAD_MS = 86_400_000;

const PATIENCE_MS = 25;

/** What came of some entries of a list: those that can be taken, and why others cannot. */
function sorted<T>(list: readonly ({ entry: T } | { name: string; message: string })[]) {
  return {
    entries: list.flatMap((read) => ('entry' in read ? [read.entry] : [])),
    rejected: list.flatMap((read) => ('entry' in read ? [] : [read])),
  };
}

/** About how many characters an entry has. */
const sizeOf = ({ answer, citations, nearest, related }: ExportedEntry): number => {
  const quoted = [...citations, ...nearest];
  return (
    answer.length +
    quoted.reduce((sum, { quote }) => sum + quote.length, 0) +
    (quoted.length + related.length) * MENTION_SIZE
  );
};

function told(rejected: ImportResult['rejected']): ImportResult['rejected'] {
  if (rejected.length <= MOST_REFUSALS) return rejected;
  const more = rejected.length - MOST_REFUSALS;
  return [
    ...rejected.slice(0, MOST_REFUSALS),
    { name: `${more} more`, message: 'They could not be taken either.' },
  ];
}

const refusals = {
  notMultipart: errors.notMultipart,
  notOne: errors.oneExport,
  tooLarge: errors.importTooLarge,
  broken: errors.brokenImport,
};

const tellNoRoom = (error: unknown): never => {
  throw isDiskFull(error) ? errors.noRoom() : error;
};

/** Takes in what an export of Engram holds, and nothing twice. */
export async function createImportService(deps: ImportDependencies) {
  const { files, history, keywords, assertMayUpload, folder, room, limitMb, now } = deps;
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

  const takeHistory = async (userId: string, given: ReadExport) => {
    const result = { added: 0, present: 0, rejected: [] as ImportResult['rejected'] };
    const hashes = new Map(
      sorted(given.files).entries.map(({ id, sha256 }) => [id, sha256] as const),
    );
    const known = new Map<string, string>();
    let some: ExportedEntry[] = [];
    let size = 0;

    const flush = async (): Promise<void> => {
      if (some.length === 0) return;
      if (closing.signal.aborted) throw errors.serverStops();
      await deps.stepBack(PATIENCE_MS);
      const mentioned = some.flatMap(({ citations, nearest, related, recommendations }) =>
        [...citations, ...nearest, ...related, ...recommendations].flatMap(
          ({ artifactId }) => hashes.get(artifactId) ?? [],
        ),
      );
      const here = await files.present(userId, [...new Set(mentioned)]);
      const fileOf = (id: string): string | undefined => here.get(hashes.get(id) ?? '');
      const taken = await history.takeIn(userId, some.map(portable), fileOf, known);
      for (const [before, id] of taken.ids) known.set(before, id);
      result.added += taken.added;
      result.present += taken.present;
      some = [];
      size = 0;
    };

    for await (const read of given.history()) {
      if (!('entry' in read)) result.rejected.push(read);
      else if (new Date(read.entry.date).getTime() > now().getTime() + AHEAD_MS) {
        result.rejected.push({ name: read.entry.question, message: 'Its date is still to come.' });
      } else if (new Date(read.entry.date).getTime() <= 0) {
        result.rejected.push({ name: read.entry.question, message: 'Its date cannot be.' });
      } else {
        some.push(read.entry);
        size += sizeOf(read.entry);
      }
      if (some.length >= ENTRIES_AT_ONCE || size >= SIZE_AT_ONCE) await flush();
    }
    await flush();
    return result;
  };

  const takeIn = async (userId: string, archive: Archive): Promise<ImportResult> => {
    const given = await readExport(archive);
    const words = sorted(given.keywords);
    const listed = sorted(given.files);
    const takenWords = await keywords.takeIn(
      userId,
      words.entries.map(({ keyword, active, createdDate }) => ({
        keyword,
        isActive: active,
        createdAt: sensibleDate(createdDate, now()),
      })),
    );
    const takenFiles = await takeFiles(userId, archive, listed.entries, closing.signal);
    const takenHistory = await takeHistory(userId, given);
    const profile = given.profile
      ? await deps.fillProfile(userId, given.profile)
      : { filled: false, rejected: [] };
    return {
      files: { added: takenFiles.added, present: takenFiles.present },
      history: { added: takenHistory.added, present: takenHistory.present },
      keywords: takenWords,
      profile: profile.filled,
      rejected: told([
        ...listed.rejected,
        ...takenFiles.rejected,
        ...words.rejected,
        ...takenHistory.rejected,
        ...profile.rejected,
      ]),
    };
  };

  const assertRoom = async (bytes: number): Promise<void> => {
    if (bytes > limitMb * 1_048_576 + 65_536) throw errors.importTooLarge(limitMb);
    await room.assertFor(bytes).catch(tellNoRoom);
  };

  const run = (userId: string, save: SaveFile): Promise<ImportResult> =>
    withFile(async (filePath) => {
      await save(filePath, { limitMb, room, refusals }).catch(tellNoRoom);
      const archive = await openArchive(filePath);
      try {
        return await takeIn(userId, archive);
      } finally {
        archive.close();
      }
    });

  return {
    /**
     * Takes in the export that `save` writes to a file. What was taken in before a failure stays;
     * the same export can be sent again.
     *
     * @param bytes how much is said to come; 0 where nothing is
     * @throws HttpError 400 when it is damaged, 402 when the plan has expired, 409 while another one
     * is taken in, 413 when it is too large, 415 when it is no export
     */
    async import(userId: string, bytes: number, save: SaveFile): Promise<ImportResult> {
      if (underWay.has(userId)) throw errors.importUnderWay();
      const importing = (async () => {
        await assertMayUpload(userId, 0);
        await assertRoom(bytes);
        return run(userId, save);
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
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

export type ImportService = Awaited<ReturnType<typeof createImportService>>;
