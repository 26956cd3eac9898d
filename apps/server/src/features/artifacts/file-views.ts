import { Readable } from 'node:stream';
import { type DataOf, type getArtifactView, type QueryOf, typesOfKind } from '@engram/contract';
import { ExtractionError } from '@engram/extraction/light';
import { LRUCache } from 'lru-cache';
import type { Storage } from '../../composition/storage.ts';
import { originalKey } from '../../platform/files/keys.ts';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';
import type { FileReply } from '../../platform/http/file-reply.ts';
import { ChildCrash } from '../../platform/processes/task-process.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { SourceFile } from '../ingestion/recognition-child.ts';
import type { RecognitionLane, RecognitionTask } from '../ingestion/recognition-lane.ts';
import { artifactNotFound } from './artifacts.errors.ts';
import type { ArtifactRow } from './artifacts.tables.ts';

const MAX_WINDOW = 500_000;
/** The size of a rendered picture, which can be enlarged in the viewer. */
const PICTURE_PIXELS = 4_000_000;
const PICTURES = typesOfKind('image');
const PNG_FIRST_BYTE = 0x89;

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

/** Renders files in a child process, which a hostile file may crash. Nothing is stored. */
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

  /** @throws HttpError 422 if the file cannot be rendered, 429 if too many views are queued */
  const render = async <View>(
    { userId, id, fileName, fileType: type }: ArtifactRow,
    part: unknown,
    signal: AbortSignal,
    run: (task: RecognitionTask, file: SourceFile) => Promise<View>,
  ): Promise<View> => {
    const task = { group: userId, logFields: { artifactId: id, type }, signal };
    const key = JSON.stringify([id, part]);
    try {
      return await limiter.run(userId, signal, async () => {
        if (crashed.has(key)) throw notRendered(TOO_EXPENSIVE);
        const passwords = await filePasswords.of({ userId, id });
        return files.withLocalFiles([originalKey(userId, id)], ([filePath = '']) =>
          run(task, { filePath, fileName, type, passwords }),
        );
      });
    } catch (error) {
      if (error instanceof ExtractionError) throw notRendered(error.message);
      if (!(error instanceof ChildCrash)) throw error;
      crashed.set(key, true);
      throw notRendered(TOO_EXPENSIVE);
    }
  };

  const find = async (userId: string, id: string): Promise<ArtifactRow> => {
    const artifact = await artifactsRepository.find(userId, id);
    if (!artifact) throw artifactNotFound();
    return artifact;
  };

  return {
    /** A file as HTML. @throws HttpError 404, 422, 429 */
    async html(
      userId: string,
      artifactId: string,
      { from, to = Infinity, path }: QueryOf<typeof getArtifactView>,
      signal: AbortSignal,
    ): Promise<DataOf<typeof getArtifactView>> {
      const options = { window: { from, to: Math.min(to, from + MAX_WINDOW) }, path };
      return render(await find(userId, artifactId), options, signal, (task, file) =>
        lane.run('view', task, file, options),
      );
    },

    /** A page of a picture as JPEG or PNG. @throws HttpError 404, 422, 429 */
    async picture(
      userId: string,
      artifactId: string,
      page: number,
      signal: AbortSignal,
    ): Promise<FileReply> {
      const artifact = await find(userId, artifactId);
      if (!PICTURES.has(artifact.fileType)) throw notRendered('This file is not a picture.');
      const picture = await render(artifact, page, signal, (task, file) =>
        lane.run('picture', task, file, { page }, PICTURE_PIXELS),
      );
      const isPng = picture[0] === PNG_FIRST_BYTE;
      return {
        fileName: `${artifact.fileName}.${isPng ? 'png' : 'jpg'}`,
        mediaType: isPng ? 'image/png' : 'image/jpeg',
        size: picture.length,
        read: async ({ start, end }) => Readable.from([picture.subarray(start, end + 1)]),
      };
    },
  };
}

export type FileViews = ReturnType<typeof createFileViews>;
