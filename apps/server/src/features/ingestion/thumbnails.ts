import { Readable } from 'node:stream';
import { typesOfKind } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { FileStore } from '../../platform/files/files.ts';
import { originalKey, thumbnailKey } from '../../platform/files/keys.ts';
import type { Ffmpeg } from '../../platform/media/ffmpeg.ts';
import type { ArtifactsRepository } from '../artifacts/artifacts.repository.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { RecognitionLane } from './recognition-lane.ts';

export interface ThumbnailDependencies {
  artifacts: Pick<ArtifactsRepository, 'setThumbnail'>;
  files: FileStore;
  lane: RecognitionLane;
  ffmpeg: Ffmpeg;
  log: FastifyBaseLogger;
}

/** Longest side of a still that a small picture is made of, in pixels. */
const STILL_SIZE = 640;

const PICTURED = typesOfKind('pdf', 'image');
const VIDEOS = typesOfKind('video');

/** Makes the small pictures of files that are ready: pictures, PDFs, and videos where ffmpeg is. */
export function createThumbnails({ artifacts, files, lane, ffmpeg, log }: ThumbnailDependencies) {
  const draw = async (artifact: ArtifactRow, signal: AbortSignal): Promise<Uint8Array | null> => {
    const { userId, id, fileName, fileType: type } = artifact;
    const task = { group: userId, about: { artifactId: id, type }, signal };
    return files.withLocalFiles([originalKey(userId, id)], async ([filePath = '']) => {
      if (!VIDEOS.has(type)) return lane.thumbnail({ filePath, fileName, type }, task);
      const still = await ffmpeg.still(filePath, { size: STILL_SIZE, signal });
      return still && lane.thumbnailOfStill(still, task);
    });
  };

  return {
    /** Whether a file has no small picture and may get one. */
    mayHave: ({ fileType, thumbnail }: ArtifactRow): boolean =>
      !thumbnail && (PICTURED.has(fileType) || (VIDEOS.has(fileType) && ffmpeg.describe().on)),

    /** Makes and stores the picture. A file of which none can be made is none the worse for it. */
    async make(artifact: ArtifactRow, signal: AbortSignal): Promise<void> {
      const { userId, id } = artifact;
      const picture = await draw(artifact, signal).catch((err: unknown) => {
        signal.throwIfAborted();
        log.info({ err, artifactId: id }, 'no small picture can be made of a file');
        return null;
      });
      if (!picture) return;
      await files.write(thumbnailKey(userId, id), Readable.from([picture]));
      await artifacts.setThumbnail(id);
    },
  };
}

export type Thumbnails = ReturnType<typeof createThumbnails>;
