import {
  type DataOf,
  getArtifactView,
  openArtifact,
  type QueryOf,
  readSignedFile,
  signArtifact,
  typesOfKind,
} from '@engram/contract';
import { artifactNotFound, linkExpired } from './artifacts.errors.ts';
import { type FileReply, replyWithFile } from '../../platform/http/file-reply.ts';
import { type Mount } from '../../platform/http/mount.ts';

import { orNotFound } from '../../platform/files/files.ts';
import { originalKey, thumbnailKey } from '../../platform/files/keys.ts';
import { type LinkedPart } from './artifacts.presenter.ts';

import { Readable } from 'node:stream';
import { ExtractionError } from '@engram/extraction/light';
import { LRUCache } from 'lru-cache';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import type { Storage } from '../../composition/storage.ts';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';
import { ChildCrash } from '../../platform/processes/task-process.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { SourceFile } from '../ingestion/recognition-child.ts';
import type { RecognitionLane, RecognitionTask } from '../ingestion/recognition-lane.ts';
import type { ArtifactRow } from './artifacts.tables.ts';

/** Characters of a view per request. */
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
    links,
  }: Pick<Storage, 'artifactsRepository' | 'filePasswords' | 'files' | 'links'>,
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

  /** @throws HttpError 404 */
  const assertFound = <T>(value: T | null | undefined): T => {
    if (value === undefined || value === null) throw artifactNotFound();
    return value;
  };
  const find = async (userId: string, id: string): Promise<ArtifactRow> =>
    assertFound(await artifactsRepository.find(userId, id));

  const openRow = (row: ArtifactRow): FileReply => ({
    fileName: row.fileName,
    mediaType: row.mediaType,
    size: row.size,
    read: async (range) =>
      assertFound(await orNotFound(files.read(originalKey(row.userId, row.id), range))),
  });

  const openThumbnail = async (row: ArtifactRow): Promise<FileReply> => {
    const key = thumbnailKey(row.userId, row.id);
    return {
      fileName: `${row.fileName}.webp`,
      mediaType: 'image/webp',
      size: assertFound(await orNotFound(files.stat(key))).size,
      read: async (range) => assertFound(await orNotFound(files.read(key, range))),
    };
  };

  /** A file as HTML. @throws HttpError 404, 422, 429 */
  async function html(
    userId: string,
    artifactId: string,
    { from, to = Infinity, path }: QueryOf<typeof getArtifactView>,
    signal: AbortSignal,
  ): Promise<DataOf<typeof getArtifactView>> {
    const options = { window: { from, to: Math.min(to, from + MAX_WINDOW) }, path };
    return render(await find(userId, artifactId), options, signal, (task, file) =>
      lane.run('view', task, file, options),
    );
  }

  /** A page of a picture as JPEG or PNG. @throws HttpError 404, 422, 429 */
  async function picture(
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
  }

  const open = async (userId: string, id: string, part: LinkedPart): Promise<FileReply> => {
    const row = await find(userId, id);
    return part === 'thumbnail' ? openThumbnail(row) : openRow(row);
  };

  return {
    html,
    routes(mount: Mount): void {
      mount(getArtifactView, async ({ caller, params, query, reply }) => ({
        data: await html(caller.userId, params.artifactId, query, disconnectSignal(reply)),
      }));
      mount(signArtifact, async ({ caller, params: { artifactId: id } }) => {
        const row = await find(caller.userId, id);
        const { path, expiresAt } = links.sign(caller, id);
        return {
          data: {
            presignedUrl: path,
            expiresAt: expiresAt.toISOString(),
            fileName: row.fileName,
            fileType: row.mediaType,
            size: row.size,
            thumbnailUrl: row.thumbnail ? links.sign(caller, id, 'thumbnail').path : null,
          },
        };
      });
      mount(openArtifact, async ({ caller, params, request, reply }) => {
        if (params.userId !== caller.userId) throw artifactNotFound();
        const file = await open(caller.userId, params.artifactId, 'original');
        return replyWithFile(request, reply, file);
      });
      mount(readSignedFile, async ({ params, query, request, reply }) => {
        const link = await links.open(params.token);
        if (link === 'expired') throw linkExpired();
        if (!link) throw artifactNotFound();
        const { userId } = link.holder;
        const [artifactId, part] = link.opened;
        const file =
          query.picture === undefined || part === 'thumbnail'
            ? await open(userId, artifactId, part)
            : await picture(userId, artifactId, query.picture, disconnectSignal(reply));
        return replyWithFile(request, reply, file);
      });
    },
  };
}
