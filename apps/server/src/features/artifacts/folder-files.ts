import {
  type BodyOf,
  type checkArtifacts,
  type CheckedFile,
  fileTypeEntry,
  hasForeignEnding,
  type placeArtifact,
  typeOfName,
} from '@engram/contract';
import { and, asc, eq } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Core } from '../../composition/core.ts';
import { artifactNotFound, fileEmpty, fileTooLarge, typeNotSupported } from './artifacts.errors.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { cleanFileName } from './file-name.ts';
import { findPredecessors, isOf, isSentBy, linkVersions } from './replacement.ts';
import type { FileServices } from './upload-recording.ts';

type AskedFile = BodyOf<typeof checkArtifacts>['files'][number];

type Placing = BodyOf<typeof placeArtifact>;

const sentFile = {
  id: artifacts.id,
  path: artifacts.path,
  sha256: artifacts.sha256,
  size: artifacts.size,
  modifiedAt: artifacts.modifiedAt,
  deviceId: artifacts.deviceId,
};

/** A file that a device uploaded, or a device that was removed. */
export type SentFile = Pick<ArtifactRow, keyof typeof sentFile>;

const nameOf = (path: string): string => cleanFileName(path.slice(path.lastIndexOf('/') + 1));

/**
 * The new name and path of a file that a device reports. A file that the user uploaded keeps its name,
 * and a file of another device keeps its name and path.
 */
function moved(row: ArtifactRow, { path, modifiedAt, deviceId }: Placing) {
  const { fileName } = row;
  const isOwn = isOf(row, deviceId);
  if (!isOwn && row.path !== null) return { fileName };
  const place = { path, modifiedAt: modifiedAt ? new Date(modifiedAt) : row.modifiedAt };
  return isOwn ? { ...place, fileName: nameOf(path), deviceId } : { ...place, fileName };
}

export function createFolderFiles(
  { config: limits, storage, now }: Core,
  { deletion, ingestion }: FileServices,
) {
  const { database, artifactsRepository, libraryChanged } = storage;

  const findAll = async (userId: string, hashes: readonly string[]) => {
    const rows = await database.db
      .select({
        id: artifacts.id,
        sha256: artifacts.sha256,
        status: artifacts.status,
        statusReason: artifacts.statusReason,
      })
      .from(artifacts)
      .where(and(eq(artifacts.userId, userId), isAnyOf(artifacts.sha256, hashes)));
    return new Map(rows.map((row) => [row.sha256, row]));
  };

  /** Why a file would be refused, judged by its name and size; null if it would not. */
  function refusal({ path, size }: AskedFile): string | null {
    const name = nameOf(path);
    if (size === 0) return fileEmpty(name).message;
    if (hasForeignEnding(name)) return typeNotSupported(name).message;
    const type = typeOfName(name);
    const isMedia = type !== null && fileTypeEntry(type).size === 'media';
    const limitMb = isMedia ? limits.mediaLimitMb : limits.uploadLimitMb;
    return size > limitMb * 1_048_576 ? fileTooLarge(name, limitMb).message : null;
  }

  return {
    /** Returns whether each file is known, new, refused or deleted, in the given order. */
    async check(userId: string, files: readonly AskedFile[]): Promise<CheckedFile[]> {
      const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
      const existing = await findAll(userId, hashes);
      const missing = hashes.filter((sha256) => !existing.has(sha256));
      const deleted = await deletion.deletedContents.among(userId, missing);
      return files.map((file): CheckedFile => {
        const { sha256 } = file;
        const row = existing.get(sha256);
        if (row) {
          const reason = row.status === 'FAILED' ? row.statusReason : null;
          const state = row.status === 'FAILED' ? 'refused' : 'known';
          return { sha256, state, artifactId: row.id, reason };
        }
        if (deleted.has(sha256)) {
          return { sha256, state: 'deleted', artifactId: null, reason: null };
        }
        const reason = refusal(file);
        return { sha256, state: reason === null ? 'new' : 'refused', artifactId: null, reason };
      });
    },

    /** The files that a device may rename and replace, oldest first. */
    sentBy: (userId: string, deviceId: string): Promise<SentFile[]> =>
      database.db
        .select(sentFile)
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isSentBy(deviceId)))
        .orderBy(asc(artifacts.createdAt)),

    /**
     * Stores the current path of a file without its bytes. A file that it replaces passes on its
     * keywords.
     * @throws HttpError 404 if the file does not exist
     */
    async place(userId: string, id: string, placing: Placing): Promise<void> {
      const { replaces, deviceId } = placing;
      const successors = await database.transaction(async (tx) => {
        await deletion.lockReplacements(tx, userId);
        const row = await artifactsRepository.lock(tx, userId, id);
        if (!row) throw artifactNotFound();
        const ids = replaces && replaces !== id ? [replaces] : [];
        const older = await findPredecessors(tx, userId, deviceId, ids);
        const passed = [...older.values()].flatMap(({ keywords }) => keywords);
        const keywords = [...new Set([...row.keywords, ...passed])];
        const place = moved(row, placing);
        await tx
          .update(artifacts)
          .set({ ...place, keywords, updatedAt: now() })
          .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)));
        // Names, folders and keywords are indexed.
        const isMoved =
          place.fileName !== row.fileName || ('path' in place && place.path !== row.path);
        if (isMoved || keywords.length > row.keywords.length) {
          await ingestion.indexing.enqueue(row, tx);
        }
        const successions = [...older.keys()].map((replaced) => ({ id, replaces: replaced }));
        await linkVersions(tx, userId, { current: [id], successions });
        await libraryChanged(tx, userId);
        return successions.map((one) => one.id);
      });
      if (successors.length > 0) await deletion.deleteReplaced(userId, successors);
    },
  };
}

export type FolderFiles = ReturnType<typeof createFolderFiles>;
