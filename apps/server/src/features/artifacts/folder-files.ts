import {
  type CheckedFile,
  type FileMeta,
  fileTypeEntry,
  hasForeignEnding,
  typeOfName,
} from '@engram/contract';
import { and, asc, eq } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database } from '../../platform/database/database.ts';
import { artifactNotFound, fileEmpty, fileTooLarge, typeNotSupported } from './artifacts.errors.ts';
import type { ArtifactsRepository } from './artifacts.repository.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import { cleanFileName } from './file-name.ts';
import { findPredecessors, isOf, isSentBy, linkVersions } from './replacement.ts';
import type { IndexAgain } from './rereading.ts';
import type { IntakeLimits } from './upload-intake.ts';
import type { LibraryChanged } from './library-versions.ts';

/** A file of a folder, before its bytes are sent. */
export interface AskedFile {
  sha256: string;
  size: number;
  path: string;
}

/** Where a file stands in a device's folder now. */
export type Placing = FileMeta & { path: string; deviceId: string };

export interface FolderFilesDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  repository: Pick<ArtifactsRepository, 'lock'>;
  deletion: ArtifactDeletion;
  indexAgain: IndexAgain;
  limits: IntakeLimits;
  libraryChanged: LibraryChanged;
  now: () => Date;
}

const sentFile = {
  id: artifacts.id,
  path: artifacts.path,
  sha256: artifacts.sha256,
  size: artifacts.size,
  modifiedAt: artifacts.modifiedAt,
  deviceId: artifacts.deviceId,
};

/** A file that a device sent, or one that has ended. */
export type SentFile = Pick<ArtifactRow, keyof typeof sentFile>;

/** The name of a file by its path, as files are named. */
const nameOf = (path: string): string => cleanFileName(path.slice(path.lastIndexOf('/') + 1));

/**
 * What a file is from its place on. One that a person uploaded by hand keeps its name, and one that
 * another device sent its place too.
 */
function moved(row: ArtifactRow, { path, modifiedAt, deviceId }: Placing) {
  const { fileName } = row;
  const isOwn = isOf(row, deviceId);
  if (!isOwn && row.path !== null) return { fileName };
  const place = { path, modifiedAt: modifiedAt ? new Date(modifiedAt) : row.modifiedAt };
  return isOwn ? { ...place, fileName: nameOf(path), deviceId } : { ...place, fileName };
}

/** Files as the folders of a device see them. */
export function createFolderFiles(deps: FolderFilesDependencies) {
  const { database, repository, deletion, limits } = deps;

  const known = async (userId: string, hashes: readonly string[]) => {
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

  /** Why a file would not be taken, as far as its name and size tell; null where they do not. */
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
    /** Says of some files, in their order, whether their bytes are there, wanted, or neither. */
    async check(userId: string, files: readonly AskedFile[]): Promise<CheckedFile[]> {
      const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
      const there = await known(userId, hashes);
      const missing = hashes.filter((sha256) => !there.has(sha256));
      const deleted = await deletion.deletedContents.among(userId, missing);
      return files.map((file): CheckedFile => {
        const { sha256 } = file;
        const row = there.get(sha256);
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

    /** The files that a device may rename and replace, the oldest first. */
    sentBy: (userId: string, deviceId: string): Promise<SentFile[]> =>
      database.db
        .select(sentFile)
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isSentBy(deviceId)))
        .orderBy(asc(artifacts.createdAt)),

    /**
     * Keeps where a file stands now: without sending its bytes it is renamed, or takes the place of
     * what stood there. What that was called by keywords passes on to it.
     * @throws HttpError 404 when there is no such file.
     */
    async place(userId: string, id: string, placing: Placing): Promise<void> {
      const { replaces, deviceId } = placing;
      const successors = await database.transaction(async (tx) => {
        await deletion.lockReplacements(tx, userId);
        const row = await repository.lock(tx, userId, id);
        if (!row) throw artifactNotFound();
        const ids = replaces && replaces !== id ? [replaces] : [];
        const own = await findPredecessors(tx, userId, { deviceId, ids });
        const passed = [...own.values()].flatMap(({ keywords }) => keywords);
        const keywords = [...new Set([...row.keywords, ...passed])];
        const now = moved(row, placing);
        await tx
          .update(artifacts)
          .set({ ...now, keywords, updatedAt: deps.now() })
          .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)));
        // It is found by its name, its folders and its keywords.
        const isMoved = now.fileName !== row.fileName || ('path' in now && now.path !== row.path);
        if (isMoved || keywords.length > row.keywords.length) {
          await deps.indexAgain(row, tx);
        }
        const successions = [...own.keys()].map((replaced) => ({ id, replaces: replaced }));
        await linkVersions(tx, userId, { current: [id], successions });
        await deps.libraryChanged(tx, userId);
        return successions.map((one) => one.id);
      });
      if (successors.length > 0) await deletion.deleteReplaced(userId, successors);
    },
  };
}

export type FolderFiles = ReturnType<typeof createFolderFiles>;
