import type { Readable } from 'node:stream';
import { and, eq } from 'drizzle-orm';
import { isAnyOf, orderedIds } from '../../platform/database/sql.ts';
import type { Storage } from '../../composition/storage.ts';
import { orNotFound } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { cleanFileName } from './file-name.ts';
import type { StoredFile, UploadIntake } from './upload-intake.ts';
import { type FileProperties, NO_FIELDS, type RecordUpload } from './upload-recording.ts';

const NOTE_BYTES = 400_000;

export function createPortableFiles(
  { database: { db }, files, artifactsRepository }: Storage,
  intake: UploadIntake,
  record: RecordUpload,
) {
  return {
    ids: (userId: string): Promise<string[]> =>
      orderedIds(db, artifacts, eq(artifacts.userId, userId), 'oldest'),

    findMany: artifactsRepository.findMany,

    open: (userId: string, id: string): Promise<Readable | null> =>
      orNotFound(files.read(originalKey(userId, id))),

    /** Ids of existing files by SHA-256, without files whose bytes are lost. */
    async existing(userId: string, hashes: readonly string[]): Promise<Map<string, string>> {
      const rows = await db
        .select({ id: artifacts.id, sha256: artifacts.sha256 })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isAnyOf(artifacts.sha256, hashes)));
      const existing = new Map<string, string>();
      for (const { id, sha256 } of rows) {
        if (await orNotFound(files.stat(originalKey(userId, id)))) existing.set(sha256, id);
      }
      return existing;
    },

    /** Stores one file, as an upload does. @throws HttpError if it is rejected */
    store(
      userId: string,
      { fileName, size, source }: Pick<ArtifactRow, 'fileName' | 'size' | 'source'>,
      content: AsyncIterable<Buffer>,
    ): Promise<StoredFile> {
      const typed = source === 'Text' && size <= NOTE_BYTES;
      return intake.take(userId, { fileName: cleanFileName(fileName), content, typed });
    },

    async record(
      userId: string,
      groupId: string,
      properties: ReadonlyMap<StoredFile, FileProperties>,
    ): Promise<boolean[]> {
      const fields = { ...NO_FIELDS, groupId, properties };
      const { results } = await record(userId, [...properties.keys()], fields);
      return results.map(({ created }) => created);
    },

    discard: intake.discard,
  };
}

export type PortableFiles = ReturnType<typeof createPortableFiles>;
