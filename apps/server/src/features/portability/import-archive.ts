import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { notAnExport, tooManyMembers, unpacksToTooMuch } from './portability.errors.ts';

/** Members of an export that are looked at. */
const MOST_MEMBERS = 200_000;

/** An archive that unpacks to more than this may unpack to so many times its own size at most. */
const BOMB_BYTES = 100_000_000;
const MOST_TIMES = 200;

export interface Archive {
  /** In bytes, as the archive declares it; undefined where there is no such member. */
  size(path: string): number | undefined;
  /** Bytes that a member takes in the archive. */
  packed(path: string): number;
  /** A member's bytes: never more or others than it declares, which is an error of the stream. */
  read(path: string): Promise<Readable>;
  close(): void;
}

const NOTHING = Buffer.alloc(0);

/** What is not read of an entry any more: 200,000 of them would hold 100 MB. */
const NO_BUFFERS = {
  fileNameRaw: NOTHING,
  extraFieldRaw: NOTHING,
  fileCommentRaw: NOTHING,
  extraFields: [],
} satisfies Partial<Entry>;

const isLink = ({ externalFileAttributes, versionMadeBy }: Entry): boolean =>
  externalFileAttributes >>> 28 === 0xa && versionMadeBy >> 8 === 3;

const isReadable = (entry: Entry): boolean =>
  !entry.isEncrypted() && (entry.compressionMethod === 0 || entry.compressionMethod === 8);

/** What the reader of the archive says in its own words, as a refusal. */
function explain(error: unknown): Error {
  const { message, code } = error as Error & { code?: string };
  if (code !== undefined && /^E[A-Z]+$/u.test(code)) return error as Error;
  return /path|characters in fileName/u.test(message)
    ? notAnExport('a path in it leads out of it')
    : notAnExport();
}

async function listMembers(zip: ZipFile, bytes: number): Promise<Map<string, Entry>> {
  const members = new Map<string, Entry>();
  let packed = 0;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (fileName.endsWith('/')) continue;
    if (members.size >= MOST_MEMBERS) throw tooManyMembers();
    if (members.has(fileName)) throw notAnExport('two of its members have the same path');
    if (isLink(entry)) throw notAnExport('it holds a link');
    if (!isReadable(entry)) throw notAnExport('it is encrypted, or packed in a way of its own');
    packed += entry.compressedSize;
    unpacked += entry.uncompressedSize;
    members.set(fileName, Object.assign(entry, NO_BUFFERS));
  }
  // Members that lie on top of each other take more than there is.
  const bomb = unpacked > BOMB_BYTES && unpacked > bytes * MOST_TIMES;
  if (bomb || packed > bytes) throw unpacksToTooMuch();
  return members;
}

/**
 * Opens a zip that came from outside; nothing of it is unpacked to a place that it names itself.
 * @throws HttpError 415 when it cannot be an export, 413 when it would unpack to too much.
 */
export async function openArchive(filePath: string): Promise<Archive> {
  let zip: ZipFile | undefined;
  try {
    const { size } = await stat(filePath);
    zip = await openPromise(filePath, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
      validateEntrySizes: true,
    });
    const opened = zip;
    const members = await listMembers(opened, size);
    return {
      size: (path) => members.get(path)?.uncompressedSize,
      packed: (path) => members.get(path)?.compressedSize ?? 0,
      read(path) {
        const entry = members.get(path);
        if (!entry) throw new Error('There is no such member.');
        return opened.openReadStreamPromise(entry);
      },
      close: () => opened.close(),
    };
  } catch (error) {
    zip?.close();
    throw (error as Error).name === 'HttpError' ? error : explain(error);
  }
}
