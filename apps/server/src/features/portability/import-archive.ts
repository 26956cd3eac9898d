import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { notAnExport, refusal } from './portability.errors.ts';

const MAX_MEMBERS = 200_000;

/** Archives that unpack to more bytes must not exceed the maximum compression ratio. */
const BOMB_BYTES = 100_000_000;
const MAX_RATIO = 200;

const EMPTY = Buffer.alloc(0);

/** Replaces unused buffers of entries, which would take 100 MB for 200,000 entries. */
const NO_BUFFERS = {
  fileNameRaw: EMPTY,
  extraFieldRaw: EMPTY,
  fileCommentRaw: EMPTY,
  extraFields: [],
} satisfies Partial<Entry>;

const isLink = ({ externalFileAttributes, versionMadeBy }: Entry): boolean =>
  externalFileAttributes >>> 28 === 0xa && versionMadeBy >> 8 === 3;

const isReadable = (entry: Entry): boolean =>
  !entry.isEncrypted() && (entry.compressionMethod === 0 || entry.compressionMethod === 8);

/** Translates errors of the zip reader. */
function toRefusal(error: unknown): Error {
  const { message, code } = error as Error & { code?: string };
  if (code !== undefined && /^E[A-Z]+$/u.test(code)) return error as Error;
  return /path|characters in fileName/u.test(message)
    ? notAnExport('one of its paths leads outside the archive')
    : notAnExport();
}

async function listMembers(zip: ZipFile, bytes: number): Promise<Map<string, Entry>> {
  const members = new Map<string, Entry>();
  let packed = 0;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (fileName.endsWith('/')) continue;
    if (members.size >= MAX_MEMBERS) throw refusal('too_many_members');
    if (members.has(fileName)) throw notAnExport('two of its members have the same path');
    if (isLink(entry)) throw notAnExport('it contains a link');
    if (!isReadable(entry)) throw notAnExport('it is encrypted or uses an unknown compression');
    packed += entry.compressedSize;
    unpacked += entry.uncompressedSize;
    members.set(fileName, Object.assign(entry, NO_BUFFERS));
  }
  // If members overlap, their sizes add up to more than the archive.
  const isBomb = unpacked > BOMB_BYTES && unpacked > bytes * MAX_RATIO;
  if (isBomb || packed > bytes) throw refusal('unpacks_to_too_much');
  return members;
}

/**
 * Opens an untrusted zip. Its paths are never used as paths on the disk.
 * @throws HttpError 415 if it cannot be an export, 413 if it would unpack to too many bytes
 */
export async function openArchive(filePath: string) {
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
      /** The declared size in bytes, or undefined if the member does not exist. */
      size: (path: string) => members.get(path)?.uncompressedSize,
      packed: (path: string) => members.get(path)?.compressedSize ?? 0,
      /** The bytes of a member. If they do not match the declared size, the stream fails. */
      read(path: string): Promise<Readable> {
        const entry = members.get(path);
        if (!entry) throw new Error('The member does not exist.');
        return opened.openReadStreamPromise(entry);
      },
      close: () => opened.close(),
    };
  } catch (error) {
    zip?.close();
    throw (error as Error).name === 'HttpError' ? error : toRefusal(error);
  }
}

export type Archive = Awaited<ReturnType<typeof openArchive>>;
