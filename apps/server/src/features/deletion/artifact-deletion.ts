import { Readable } from 'node:stream';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { artifactPrefix } from '../../platform/files/keys.ts';
import type { ArtifactRevision } from '../artifacts/artifacts.repository.ts';
import type { HistoryService } from '../history/history.service.ts';
import { createDeletedContents } from './deleted-contents.ts';
import { createDeletionRepository } from './deletion.repository.ts';

interface RemovalJob {
  userId: string;
  readings: ArtifactRevision[];
}

const QUEUE = 'remove-artifacts';

/** Few, so that other statements can run between transactions. */
const ROWS_PER_TRANSACTION = 250;

/** Artifacts whose bytes are deleted concurrently: fewer than the threads for file access. */
const CONCURRENT_REMOVALS = 3;

/**
 * Deletes artifacts. A request deletes the rows and removes quotes from earlier answers. A job, enqueued
 * in the same transaction, deletes the other data.
 */
export function createArtifactDeletion(
  { config, storage, log, now }: Core,
  history: Pick<HistoryService, 'redact'>,
) {
  const { database, jobs, index, files, extractionQueue, libraryChanged } = storage;
  const repository = createDeletionRepository(database);
  const deletedContents = createDeletedContents(database, config.secret);

  /** Deletes the data of artifacts except their rows. Idempotent, because the job may run again. */
  async function deleteData({ userId, readings }: RemovalJob): Promise<void> {
    const ids = readings.map(({ id }) => id);
    await extractionQueue.cancel(readings);
    // The index purges the bytes of deleted entries seconds later.
    await index.remove(userId, ids);
    const removeBytes = (id: string) => files.removePrefix(artifactPrefix(userId, id));
    await Readable.from(ids).forEach(removeBytes, { concurrency: CONCURRENT_REMOVALS });
    await history.redact(userId, ids);
  }

  const deleteRows = (
    userId: string,
    chooseIds: (tx: Executor) => Promise<readonly string[]>,
    { byUser }: { byUser: boolean },
  ): Promise<string[]> =>
    database.transaction(async (tx) => {
      // An upload of the same files by a device waits for this lock, and then finds the hashes.
      if (byUser) await repository.lockReplacements(tx, userId);
      const ids = await chooseIds(tx);
      if (ids.length === 0) return [];
      const deleted = await repository.delete(tx, userId, ids);
      if (byUser) {
        const hashes = deleted.filter(({ path }) => path !== null).map(({ sha256 }) => sha256);
        await deletedContents.add(tx, userId, hashes, now());
      }
      if (deleted.length > 0) {
        const readings = deleted.map(({ id, revision }) => ({ id, revision }));
        await jobs.enqueue<RemovalJob>(QUEUE, { userId, readings }, { group: userId, tx });
      }
      await libraryChanged(tx, userId);
      return deleted.map(({ id }) => id);
    });

  const deleteInBatches = async (
    userId: string,
    ids: readonly string[],
    options: { byUser: boolean },
  ): Promise<string[]> => {
    const deleted: string[] = [];
    const distinct = [...new Set(ids)];
    for (let start = 0; start < distinct.length; start += ROWS_PER_TRANSACTION) {
      const slice = distinct.slice(start, start + ROWS_PER_TRANSACTION);
      deleted.push(...(await deleteRows(userId, async () => slice, options)));
    }
    if (deleted.length > 0) await history.redact(userId, deleted);
    return deleted;
  };

  const deleteByUser = (userId: string, ids: readonly string[]): Promise<string[]> =>
    deleteInBatches(userId, ids, { byUser: true });

  const deleteReplaced = async (userId: string, ids: readonly string[]): Promise<void> => {
    if ((await repository.replacedBy(database.db, userId, ids)).length === 0) return;
    const chooseIds = async (tx: Executor) => {
      await repository.lockReplacements(tx, userId);
      return repository.replacedBy(tx, userId, ids);
    };
    const deleted = await deleteRows(userId, chooseIds, { byUser: false });
    if (deleted.length > 0) await history.redact(userId, deleted);
  };

  jobs.define<RemovalJob>(QUEUE, {
    handler: ({ data }) => deleteData(data),
    concurrency: 1,
    timeoutSeconds: 300,
    retryLimit: 10,
    retryDelaySeconds: 5,
    onFailed: async ({ userId }, error) => {
      log.error({ err: error, userId }, 'data of deleted files was not removed');
    },
  });

  return {
    deletedContents,

    /**
     * Deletes artifacts for the user, so that devices do not upload the same bytes again. Returns the ids
     * of those that existed.
     */
    deleteByUser,

    deleteAll: async (userId: string): Promise<string[]> =>
      deleteByUser(userId, await repository.idsOf(userId)),

    deleteForPlan: (userId: string, ids: readonly string[]): Promise<string[]> =>
      deleteInBatches(userId, ids, { byUser: false }),

    lockReplacements: repository.lockReplacements,

    /** Deletes the versions that the given artifacts replace, once the artifacts are ready. */
    deleteReplaced,

    /** Does the same for all users, in case the server crashed before a version was deleted. */
    async deleteAllReplaced(): Promise<void> {
      for (const { userId, ids } of await repository.readySuccessors()) {
        for (const id of ids) await deleteReplaced(userId, [id]);
      }
    },

    newestBeyond: repository.newestBeyond,
  };
}

export type ArtifactDeletion = ReturnType<typeof createArtifactDeletion>;
