import type { DataOf, getArtifactView, QueryOf } from '@engram/contract';
import { ExtractionError } from '@engram/extraction/light';
import { LRUCache } from 'lru-cache';
import type { Storage } from '../../composition/storage.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';
import { ChildCrash } from '../../platform/processes/task-process.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { RecognitionLane } from '../ingestion/recognition-lane.ts';
import { artifactNotFound } from './artifacts.errors.ts';

const MAX_WINDOW = 500_000;

const LIMITS = {
  concurrency: 2,
  concurrencyPerGroup: 1,
  maxQueued: 200,
  maxQueuedPerGroup: 20,
  whenFull: () => tooManyRequests('Too many files are waiting to be shown.', 5),
};
/** Views that crashed their process are not retried for an hour. */
const CRASHED = { max: 10_000, ttl: 3_600_000 };

const TOO_EXPENSIVE = 'Showing this file takes too much time or memory.';
const notRendered = (message: string): HttpError => new HttpError(422, 'not_rendered', message);

/** Renders files as HTML in a child process, which a hostile file may crash. Nothing is stored. */
export function createFileViews(
  {
    artifactsRepository,
    filePasswords,
    files,
  }: Pick<Storage, 'artifactsRepository' | 'filePasswords' | 'files'>,
  lane: Pick<RecognitionLane, 'run'>,
) {
  const limiter = createFairLimiter(LIMITS);
  const crashed = new LRUCache<string, true>(CRASHED);

  /** @throws HttpError 404, 422 if the file cannot be rendered, 429 if too many views are queued */
  return async (
    userId: string,
    artifactId: string,
    { from, to = Infinity, path }: QueryOf<typeof getArtifactView>,
    signal: AbortSignal,
  ): Promise<DataOf<typeof getArtifactView>> => {
    const artifact = await artifactsRepository.find(userId, artifactId);
    if (!artifact) throw artifactNotFound();
    const { id, fileName, fileType: type } = artifact;
    const task = { group: userId, logFields: { artifactId: id, type }, signal };
    const window = { from, to: Math.min(to, from + MAX_WINDOW) };
    const key = JSON.stringify([id, window, path]);
    try {
      return await limiter.run(userId, signal, async () => {
        if (crashed.has(key)) throw notRendered(TOO_EXPENSIVE);
        const passwords = await filePasswords.of(artifact);
        return files.withLocalFiles([originalKey(userId, id)], ([filePath = '']) =>
          lane.run('view', task, { filePath, fileName, type, passwords }, { window, path }),
        );
      });
    } catch (error) {
      if (error instanceof ExtractionError) throw notRendered(error.message);
      if (!(error instanceof ChildCrash)) throw error;
      crashed.set(key, true);
      throw notRendered(TOO_EXPENSIVE);
    }
  };
}

export type FileViews = ReturnType<typeof createFileViews>;
