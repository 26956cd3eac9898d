import { deleteFilePassword, listFilePasswords, unlockArtifact } from '@engram/contract';
import { and, desc, eq, inArray, ne } from 'drizzle-orm';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { assertUserWithin } from '../../platform/http/networks.ts';
import type { Core } from '../../composition/core.ts';
import { isAnyOf } from '../../platform/database/sql.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { ChildCrash } from '../../platform/processes/task-process.ts';
import { artifactNotFound } from './artifacts.errors.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { restartChanges } from './extractions.repository.ts';
import type { RecognitionLane } from '../ingestion/recognition-lane.ts';

/** Wrong passwords per user: one every thirty seconds, in bursts of up to ten. */
const RATE = { perSecond: 1 / 30, burst: 10 };
/** The number of the user's other files on which a password is tried, and the time for it. */
const MAX_OTHER_FILES = 100;
const OTHER_FILES_MS = 10_000;

const noPasswordNeeded = (): HttpError =>
  new HttpError(409, 'no_password_needed', 'This file does not wait for a password.');

const wrongPassword = (): HttpError =>
  new HttpError(422, 'wrong_password', 'This password does not open the file.');

/** Opens files with the passwords that users enter. */
export function createFilePasswordsService(
  { storage, limits, now }: Core,
  lane: Pick<RecognitionLane, 'run'>,
) {
  const { database, files, filePasswords, artifactsRepository, libraryChanged, extractionQueue } =
    storage;
  const limit = limits.limitOf('wrong file passwords', RATE);

  const isLocked = (userId: string) =>
    and(
      eq(artifacts.userId, userId),
      eq(artifacts.needsPassword, true),
      inArray(artifacts.status, ['FAILED', 'SUCCESS']),
    );

  const opens = async (
    { id, userId, fileName, fileType: type }: ArtifactRow,
    password: string,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const passwords = await filePasswords.of({ id, userId });
    const task = { group: userId, logFields: { artifactId: id, type }, signal };
    const check = ([filePath = '']: readonly string[]) =>
      lane.run('opens', task, { filePath, fileName, type, passwords }, password);
    try {
      return (await files.withLocalFiles([originalKey(userId, id)], check)).opens;
    } catch (error) {
      if (error instanceof ChildCrash) return false;
      throw error;
    }
  };

  /** The user's other locked files that a password opens, as far as they can be tried in time. */
  const openOthers = async (
    { id, userId }: ArtifactRow,
    password: string,
    signal: AbortSignal,
  ): Promise<ArtifactRow[]> => {
    const rows = await database.db
      .select()
      .from(artifacts)
      .where(and(isLocked(userId), ne(artifacts.id, id)))
      .orderBy(desc(artifacts.createdAt))
      .limit(MAX_OTHER_FILES);
    const opened: ArtifactRow[] = [];
    const end = now().getTime() + OTHER_FILES_MS;
    for (const row of rows) {
      if (now().getTime() > end) break;
      if (await opens(row, password, signal)) opened.push(row);
    }
    return opened;
  };

  /** Extracts files again with their password. Returns those that were still locked. */
  const extractWith = (
    userId: string,
    ids: readonly string[],
    password: string,
    saved: { fileName: string } | null,
  ): Promise<string[]> =>
    database.transaction(async (tx) => {
      if (saved) {
        const { fileName } = saved;
        await filePasswords.save(tx, userId, { password, fileName, createdAt: now() });
      }
      // Rows are locked in the same order as in uploads, which prevents deadlocks.
      const locked = await tx
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(isLocked(userId), isAnyOf(artifacts.id, ids)))
        .orderBy(artifacts.sha256)
        .for('update');
      const opened = locked.map((row) => row.id);
      const restarted = await tx
        .update(artifacts)
        .set(restartChanges(now()))
        .where(isAnyOf(artifacts.id, opened))
        .returning();
      await filePasswords.setForExtraction(tx, userId, opened, password);
      await extractionQueue.enqueue(tx, restarted);
      await libraryChanged(tx, userId);
      return opened;
    });

  return {
    routes(mount: Mount): void {
      mount(unlockArtifact, async ({ caller: { userId }, params, body, reply }) => {
        const { password, remember } = body;
        const signal = disconnectSignal(reply);
        const artifact = await artifactsRepository.find(userId, params.artifactId);
        if (!artifact) throw artifactNotFound();
        if (!artifact.needsPassword || !['FAILED', 'SUCCESS'].includes(artifact.status)) {
          throw noPasswordNeeded();
        }
        await assertUserWithin(limit, userId, 'Too many wrong passwords. Please wait a moment.');
        if (!(await opens(artifact, password, signal))) throw wrongPassword();
        limit.giveBack(userId);
        const others = await openOthers(artifact, password, signal);
        const ids = [artifact.id, ...others.map((other) => other.id)];
        return {
          data: { opened: await extractWith(userId, ids, password, remember ? artifact : null) },
        };
      });
      mount(listFilePasswords, async ({ caller }) => {
        const rows = await filePasswords.list(caller.userId);
        return { data: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) };
      });
      mount(deleteFilePassword, async ({ caller, params }) => {
        if (await filePasswords.remove(caller.userId, params.id)) return { data: null };
        throw new HttpError(404, 'password_not_found', 'There is no such password.');
      });
    },
  };
}
