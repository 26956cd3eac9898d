import {
  type BodyOf,
  checkArtifacts,
  type CheckedFile,
  hasForeignEnding,
  placeArtifact,
  typeOfName,
} from '@engram/contract';
import { and, asc, eq } from 'drizzle-orm';
import type { Mount } from '../../platform/http/mount.ts';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Core } from '../../composition/core.ts';
import { artifactNotFound, fileEmpty, fileTooLarge, typeNotSupported } from './artifacts.errors.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { cleanFileName } from './file-name.ts';
import { findPredecessors, isSentBy, linkVersions, whereSentBy } from './replacement.ts';
import { limitMbOf } from './upload-intake.ts';
import type { FileServices } from './upload-recording.ts';

type LocalFile = BodyOf<typeof checkArtifacts>['files'][number];

type Placement = BodyOf<typeof placeArtifact>;

const sentFile = {
  id: artifacts.id,
  path: artifacts.path,
  sha256: artifacts.sha256,
  size: artifacts.size,
  modifiedAt: artifacts.modifiedAt,
  deviceId: artifacts.deviceId,
};

/** A file uploaded by a device, or by one that was removed since. */
export type SentFile = Pick<ArtifactRow, keyof typeof sentFile>;

const nameOf = (path: string): string => cleanFileName(path.slice(path.lastIndexOf('/') + 1));

/**
 * The new name and path of a file that a device reports. A file that the user uploaded keeps its name,
 * and a file of another device keeps its name and path.
 */
function reportedChanges(row: ArtifactRow, { path, modifiedAt, deviceId }: Placement) {
  const { fileName } = row;
  const isSent = isSentBy(row, deviceId);
  if (!isSent && row.path !== null) return { fileName };
  const location = { path, modifiedAt: modifiedAt ? new Date(modifiedAt) : row.modifiedAt };
  return isSent ? { ...location, fileName: nameOf(path), deviceId } : { ...location, fileName };
}

export function createFolderFiles(
  { config: limits, storage, now }: Core,
  { deletion, ingestion, devices }: FileServices,
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

  /** Why an upload would be rejected because of the file's name or size; null if it would not. */
  function rejectionOf({ path, size }: LocalFile): string | null {
    const name = nameOf(path);
    if (size === 0) return fileEmpty(name).message;
    if (hasForeignEnding(name)) return typeNotSupported(name).message;
    const limitMb = limitMbOf(typeOfName(name), limits);
    return size > limitMb * 1_048_576 ? fileTooLarge(name, limitMb).message : null;
  }

  async function check(userId: string, files: readonly LocalFile[]): Promise<CheckedFile[]> {
    const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
    const existing = await findAll(userId, hashes);
    const missing = hashes.filter((sha256) => !existing.has(sha256));
    const deleted = await deletion.deletedContents.find(userId, missing);
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
      const reason = rejectionOf(file);
      return { sha256, state: reason === null ? 'new' : 'refused', artifactId: null, reason };
    });
  }

  /**
   * Stores the current path of a file, which inherits the keywords of the file that it replaces.
   * @throws HttpError 404
   */
  async function place(userId: string, id: string, placement: Placement): Promise<void> {
    const { replaces, deviceId } = placement;
    const successors = await database.transaction(async (tx) => {
      await deletion.lockReplacements(tx, userId);
      const row = await artifactsRepository.lock(tx, userId, id);
      if (!row) throw artifactNotFound();
      const ids = replaces && replaces !== id ? [replaces] : [];
      const older = await findPredecessors(tx, userId, deviceId, ids);
      const inherited = [...older.values()].flatMap(({ keywords }) => keywords);
      const keywords = [...new Set([...row.keywords, ...inherited])];
      const changes = reportedChanges(row, placement);
      await tx
        .update(artifacts)
        .set({ ...changes, keywords, updatedAt: now() })
        .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)));
      // Names, folders and keywords are indexed.
      const isMoved =
        changes.fileName !== row.fileName || ('path' in changes && changes.path !== row.path);
      if (isMoved || keywords.length > row.keywords.length) {
        await ingestion.indexing.enqueue(row, tx);
      }
      const successions = [...older.keys()].map((replaced) => ({ id, replaces: replaced }));
      await linkVersions(tx, userId, { current: [id], successions });
      await libraryChanged(tx, userId);
      return successions.map((succession) => succession.id);
    });
    if (successors.length > 0) await deletion.deleteReplaced(userId, successors);
  }

  return {
    check,
    place,
    sentBy: (userId: string, deviceId: string): Promise<SentFile[]> =>
      database.db
        .select(sentFile)
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), whereSentBy(deviceId)))
        .orderBy(asc(artifacts.createdAt)),

    routes(mount: Mount): void {
      mount(checkArtifacts, async ({ caller, body }) => ({
        data: await check(caller.userId, body.files),
      }));
      mount(placeArtifact, async ({ caller, params, body }) => {
        await devices.findOwn(caller, body.deviceId);
        await place(caller.userId, params.artifactId, body);
        return { data: null };
      });
    },
  };
}

export type FolderFiles = ReturnType<typeof createFolderFiles>;
