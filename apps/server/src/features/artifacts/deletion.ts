import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { artifactPrefix } from '../../platform/files/keys.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { ArtifactSets, Reading } from './artifacts.sets.ts';
import type { DeletedContents } from './deleted-contents.ts';
import type { LibraryChanged } from './library-versions.ts';

export interface DeletionDependencies {
  database: Pick<Database, 'transaction'>;
  sets: ArtifactSets;
  deletedContents: Pick<DeletedContents, 'remember'>;
  jobs: Jobs;
  files: FileStore;
  index: SearchIndex;
  log: FastifyBaseLogger;
  /** Ends the readings of files, waiting or under way. */
  cancelReadings: (readings: readonly Reading[]) => Promise<void>;
  /** Takes what deleted files said out of earlier answers; may be run again. */
  redactHistory: (userId: string, artifactIds: readonly string[]) => Promise<void>;
  /** The library of a user is another one from now on. */
  libraryChanged: LibraryChanged;
  now: () => Date;
}

interface RemovalJob {
  userId: string;
  readings: Reading[];
}

const REMOVE = 'remove-artifacts';

/** Files that go in one transaction: few enough that others' statements soon come in between. */
const FILES_PER_TRANSACTION = 250;

/** Files whose bytes are removed at the same time: fewer than the threads that file access has. */
const REMOVALS_AT_ONCE = 3;

/** How files are deleted: one, several, all. */
export function createDeletion(deps: DeletionDependencies) {
  const { database, sets, jobs, files, index, log, libraryChanged } = deps;

  const enqueueRemoval = (tx: Executor, job: RemovalJob): Promise<void> =>
    jobs.enqueue(REMOVE, job, { group: job.userId, tx });

  /** What the request left to do, and what it could not do when the process ended meanwhile. */
  const removeTraces = async ({ userId, readings }: RemovalJob): Promise<void> => {
    const ids = readings.map(({ id }) => id);
    await deps.cancelReadings(readings);
    await index.remove(userId, ids);
    const removeBytes = (id: string) => files.removePrefix(artifactPrefix(userId, id));
    await Readable.from(ids).forEach(removeBytes, { concurrency: REMOVALS_AT_ONCE });
    await deps.redactHistory(userId, ids);
  };

  /** Deletes in one transaction what `choose` names of a user's files. */
  const deleteOnce = (
    userId: string,
    choose: (tx: Executor) => Promise<readonly string[]>,
    { byPerson }: { byPerson: boolean },
  ): Promise<Reading[]> =>
    database.transaction(async (tx) => {
      const ids = await choose(tx);
      if (ids.length === 0) return [];
      const folderHashes = byPerson ? await sets.folderHashes(tx, userId, ids) : [];
      const deleted = await sets.delete(tx, userId, ids);
      await deps.deletedContents.remember(tx, userId, folderHashes, deps.now());
      if (deleted.length > 0) await enqueueRemoval(tx, { userId, readings: deleted });
      await libraryChanged(tx, userId);
      return deleted;
    });

  /** Deletes a user's files; unknown ids are passed over. Answers those that were deleted. */
  const deleteEach = async (
    userId: string,
    ids: readonly string[],
    options: { byPerson: boolean },
  ): Promise<string[]> => {
    const gone: string[] = [];
    const distinct = [...new Set(ids)];
    for (let at = 0; at < distinct.length; at += FILES_PER_TRANSACTION) {
      const slice = distinct.slice(at, at + FILES_PER_TRANSACTION);
      const readings = await deleteOnce(userId, async () => slice, options);
      gone.push(...readings.map(({ id }) => id));
    }
    if (gone.length > 0) await deps.redactHistory(userId, gone);
    return gone;
  };

  const deleteByPerson = (userId: string, ids: readonly string[]): Promise<string[]> =>
    deleteEach(userId, ids, { byPerson: true });

  return {
    /** Makes the queue of removals known. */
    async define(): Promise<void> {
      await jobs.define<RemovalJob>(REMOVE, {
        handler: ({ data }) => removeTraces(data),
        concurrency: 1,
        timeoutSeconds: 300,
        retryLimit: 10,
        retryDelaySeconds: 5,
        onFailed: async ({ userId }, error) => {
          log.error({ err: error, userId }, 'deleted files left traces');
        },
      });
    },

    /**
     * From the answer on nothing that a deleted file said is in any answer, new or earlier; its
     * bytes and index rows follow at once by a job.
     */
    deleteFiles: (userId: string, ids: readonly string[]): Promise<string[]> =>
      deleteEach(userId, ids, { byPerson: false }),

    /** The same for what `choose` names in the transaction that deletes it. */
    async deleteChosen(
      userId: string,
      choose: (tx: Executor) => Promise<readonly string[]>,
    ): Promise<void> {
      const readings = await deleteOnce(userId, choose, { byPerson: false });
      if (readings.length === 0) return;
      const gone = readings.map(({ id }) => id);
      await deps.redactHistory(userId, gone);
    },

    /** The same as `deleteFiles` where the person wants them gone: no device brings them back from a folder. */
    deleteByPerson,

    /** Deletes, for the person, the files that there are at this moment. */
    deleteAll: async (userId: string): Promise<string[]> =>
      deleteByPerson(userId, await sets.idsOf(userId)),
  };
}

export type Deletion = ReturnType<typeof createDeletion>;
