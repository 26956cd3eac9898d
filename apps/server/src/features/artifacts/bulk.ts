import type { ArtifactChanges, ArtifactVerb, FileFilter } from '@engram/contract';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { HttpError } from '../../platform/http/errors.ts';
import { artifactNotFound, notFailed, tooManyKeywords } from './artifacts.errors.ts';
import type { ArtifactsRepository } from './artifacts.repository.ts';
import { createBulkRepository } from './bulk.repository.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import { timesOf } from './listing.ts';
import type { IndexAgain } from './rereading.ts';
import type { RecordingDependencies } from './upload-recording.ts';

/** Which files are meant: some by their ids, or all that match. */
export interface Chosen {
  ids?: readonly string[] | undefined;
  filter?: FileFilter | undefined;
  /** Files that match and are left out. */
  except?: readonly string[] | undefined;
}

export interface Change extends Chosen {
  verb: ArtifactVerb;
  keywords?: readonly string[] | undefined;
}

export interface BulkDependencies extends Pick<
  RecordingDependencies,
  'readingQueue' | 'ensureKeywords' | 'libraryChanged' | 'now'
> {
  database: Database;
  repository: Pick<ArtifactsRepository, 'restart'>;
  deletion: Pick<ArtifactDeletion, 'deleteByUser'>;
  indexAgain: IndexAgain;
}

/** Files that are changed in one transaction: few enough that others' statements soon come in between. */
const FILES_PER_TRANSACTION = 250;

/** What became of some files: all but the refused ones are as they were wanted. */
interface Outcome {
  there: readonly string[];
  refused?: { ids: readonly string[]; error: HttpError };
}

/** Changes of several files at once. */
export function createBulk(deps: BulkDependencies) {
  const { database, now } = deps;
  const repository = createBulkRepository(database);

  const reindex = async (tx: Executor, userId: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await deps.indexAgain({ id, userId }, tx);
  };

  const changeEach = async (
    tx: Executor,
    userId: string,
    ids: readonly string[],
    { verb, keywords = [] }: Change,
  ): Promise<Outcome> => {
    const known = verb === 'tag' ? await deps.ensureKeywords(tx, userId, keywords) : keywords;
    const there = await repository.hold(tx, { userId, ids });
    const those = { userId, ids: there, updatedAt: now() };
    if (verb === 'tag') {
      const { changed, full } = await repository.tag(tx, those, known);
      await reindex(tx, userId, changed);
      return { there, refused: { ids: full, error: tooManyKeywords() } };
    }
    if (verb === 'untag') {
      await reindex(tx, userId, await repository.untag(tx, those, known));
      return { there };
    }
    if (verb === 'retry') {
      const restarted = await deps.repository.restart(tx, userId, there, those.updatedAt);
      await deps.readingQueue.enqueue(tx, restarted);
      const begun = new Set(restarted.map(({ id }) => id));
      const others = there.filter((id) => !begun.has(id));
      return { there, refused: { ids: others, error: notFailed() } };
    }
    await repository.setArchived(tx, those, verb === 'archive');
    return { there };
  };

  const changeSome = async (
    userId: string,
    ids: readonly string[],
    change: Change,
  ): Promise<Outcome> => {
    if (change.verb === 'delete') {
      return { there: await deps.deletion.deleteByUser(userId, ids) };
    }
    // A keyword that no file gets is not made.
    if ((await repository.named(userId, ids)).length === 0) return { there: [] };
    return database.transaction(async (tx) => {
      const outcome = await changeEach(tx, userId, ids, change);
      await deps.libraryChanged(tx, userId);
      return outcome;
    });
  };

  /** The ids of what is chosen, each once; by a filter those that match now. */
  const chosenIds = async (userId: string, { ids, filter, except = [] }: Chosen) => {
    if (!filter) return [...new Set(ids)];
    const { since, until, ...narrowed } = filter;
    const found = await repository.idsMatching({
      ...narrowed,
      ...timesOf({ since, until }),
      userId,
    });
    const leftOut = new Set(except);
    return found.filter((id) => !leftOut.has(id));
  };

  return {
    chosenIds,

    named: repository.named,

    /**
     * Changes all files that are chosen; answers of each whether it is as it was wanted.
     * @throws HttpError 404 where none of the given files is there.
     */
    async change(userId: string, change: Change): Promise<ArtifactChanges> {
      const ids = await chosenIds(userId, change);
      const done: string[] = [];
      const refused = new Map<string, { code: string; message: string; ids: string[] }>();
      const refuse = ({ code, message }: HttpError, those: readonly string[]): void => {
        if (those.length === 0) return;
        const before = refused.get(code)?.ids ?? [];
        refused.set(code, { code, message, ids: [...before, ...those] });
      };
      for (let at = 0; at < ids.length; at += FILES_PER_TRANSACTION) {
        const slice = ids.slice(at, at + FILES_PER_TRANSACTION);
        const { there, refused: some } = await changeSome(userId, slice, change);
        const known = new Set(there);
        const not = new Set(some?.ids);
        done.push(...slice.filter((id) => known.has(id) && !not.has(id)));
        refuse(
          artifactNotFound(),
          slice.filter((id) => !known.has(id)),
        );
        if (some) refuse(some.error, some.ids);
      }
      const missing = refused.get(artifactNotFound().code)?.ids.length ?? 0;
      if (ids.length > 0 && missing === ids.length && change.ids) throw artifactNotFound();
      return { done, refused: [...refused.values()] };
    },
  };
}

export type Bulk = ReturnType<typeof createBulk>;
