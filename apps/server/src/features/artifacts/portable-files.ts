import type { Readable } from 'node:stream';
import { and, asc, eq } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database } from '../../platform/database/database.ts';
import { idsOldestFirst } from '../../platform/database/oldest-first.ts';
import { type FileStore, ifThere } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { cleanFileName } from './file-name.ts';
import type { StoredFile, UploadIntake } from './upload-intake.ts';
import { type CarriedFiles, NO_FIELDS, type RecordUpload } from './upload-recording.ts';

export interface PortableFilesDependencies {
  database: Pick<Database, 'db'>;
  files: FileStore;
  intake: UploadIntake;
  record: RecordUpload;
}

/** A typed note of so many bytes may have as many words as one can be typed with. */
const NOTE_BYTES = 400_000;

const columns = {
  id: artifacts.id,
  fileName: artifacts.fileName,
  mediaType: artifacts.mediaType,
  size: artifacts.size,
  sha256: artifacts.sha256,
  source: artifacts.source,
  device: artifacts.device,
  keywords: artifacts.keywords,
  archived: artifacts.archived,
  path: artifacts.path,
  modifiedAt: artifacts.modifiedAt,
  createdAt: artifacts.createdAt,
  updatedAt: artifacts.updatedAt,
};

/** What goes along with a file's bytes. */
export type PortableFile = Pick<ArtifactRow, keyof typeof columns>;

/** A person's files with all that goes along with them when they are taken elsewhere. */
export function createPortableFiles(deps: PortableFilesDependencies) {
  const { files, intake, record } = deps;
  const { db } = deps.database;

  const holds = async (userId: string, id: string): Promise<boolean> =>
    (await ifThere(files.stat(originalKey(userId, id)))) !== null;

  return {
    /** Ids of all files, the oldest first. */
    ids: (userId: string): Promise<string[]> => idsOldestFirst(db, artifacts, userId),

    /** The given files without those that are gone, the oldest first. */
    some: (userId: string, ids: readonly string[]): Promise<PortableFile[]> =>
      db
        .select(columns)
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isAnyOf(artifacts.id, ids)))
        .orderBy(asc(artifacts.createdAt), asc(artifacts.id)),

    /** The bytes of a file; null where they are gone. */
    open: (userId: string, id: string): Promise<Readable | null> =>
      ifThere(files.read(originalKey(userId, id))),

    /** Of some bytes, by their SHA-256, the files that hold them already. */
    async present(userId: string, hashes: readonly string[]): Promise<Map<string, string>> {
      const rows = await db
        .select({ id: artifacts.id, sha256: artifacts.sha256 })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isAnyOf(artifacts.sha256, hashes)));
      const known = new Map<string, string>();
      // One that has lost its bytes gets them back.
      for (const { id, sha256 } of rows) if (await holds(userId, id)) known.set(sha256, id);
      return known;
    },

    /**
     * Takes in the bytes of one file, as an upload would.
     * @throws HttpError when this file cannot be taken.
     */
    store(
      userId: string,
      { fileName, size, source }: Pick<PortableFile, 'fileName' | 'size' | 'source'>,
      content: AsyncIterable<Buffer>,
    ): Promise<StoredFile> {
      const typed = source === 'Text' && size <= NOTE_BYTES;
      return intake.take(userId, { fileName: cleanFileName(fileName), content, typed });
    },

    /** Makes artifacts of stored files; answers of each whether it is new. */
    async keep(userId: string, carried: CarriedFiles): Promise<boolean[]> {
      const { results } = await record(userId, [...carried.of.keys()], NO_FIELDS, carried);
      return results.map(({ created }) => created);
    },

    /** Forgets the bytes of a file that has no artifact. */
    discard: intake.discard,
  };
}

export type PortableFiles = ReturnType<typeof createPortableFiles>;
