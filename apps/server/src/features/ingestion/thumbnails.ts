import { Readable } from 'node:stream';
import { typesOfKind } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import { originalKey, thumbnailKey } from '../../platform/files/keys.ts';
import { ChildCrash, ChildTaskError } from '../../platform/processes/task-process.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { RecognitionLane } from './recognition-lane.ts';

/** Longest side of the video frame from which a thumbnail is created, in pixels. */
const STILL_SIZE = 640;

const PICTURE_TYPES = typesOfKind('pdf', 'image');
const VIDEO_TYPES = typesOfKind('video');

/** Creates thumbnails of pictures and PDFs, and of videos if ffmpeg is available. */
export function createThumbnails({ storage, providers, log }: Core, lane: RecognitionLane) {
  const { artifactsRepository, filePasswords, files } = storage;
  const { ffmpeg } = providers;

  const createThumbnail = async (
    artifact: ArtifactRow,
    signal: AbortSignal,
  ): Promise<Uint8Array | null> => {
    const { userId, id, fileName, fileType: type } = artifact;
    const task = { group: userId, logFields: { artifactId: id, type }, signal };
    const passwords = await filePasswords.of(artifact);
    return files.withLocalFiles([originalKey(userId, id)], async ([filePath = '']) => {
      if (!VIDEO_TYPES.has(type)) {
        return lane.run('thumbnail', task, { filePath, fileName, type, passwords });
      }
      const still = await ffmpeg.still(filePath, { size: STILL_SIZE, signal });
      return still && lane.run('thumbnailOfStill', task, null, still);
    });
  };

  return {
    /** Whether a file has no thumbnail and may get one. */
    mayHave: ({ fileType, thumbnail }: ArtifactRow): boolean =>
      !thumbnail &&
      (PICTURE_TYPES.has(fileType) || (VIDEO_TYPES.has(fileType) && ffmpeg.describe().on)),

    /** Creates and stores the thumbnail. A failure is logged and changes nothing. */
    async create(artifact: ArtifactRow, signal: AbortSignal): Promise<void> {
      const { userId, id } = artifact;
      const picture = await createThumbnail(artifact, signal).catch((err: unknown) => {
        signal.throwIfAborted();
        log.info({ err, artifactId: id }, 'a thumbnail could not be created');
        return null;
      });
      if (!picture) return;
      await files.write(thumbnailKey(userId, id), Readable.from([picture]));
      await artifactsRepository.setThumbnails([id], true);
    },
  };
}

export type Thumbnails = ReturnType<typeof createThumbnails>;

/**
 * Converts profile photos to small square JPEGs, in a child process because a hostile picture may
 * crash it. Returns null if the photo cannot be decoded within the limits of time and memory.
 */
export const createPhotoRenderer =
  (lane: RecognitionLane, log: Core['log']) =>
  async (userId: string, picture: Uint8Array): Promise<Buffer | null> => {
    const { signal } = new AbortController();
    const logFields = { purpose: 'a profile photo' };
    try {
      return Buffer.from(
        await lane.run('photo', { group: userId, logFields, signal }, null, picture),
      );
    } catch (error) {
      if (!(error instanceof ChildTaskError || error instanceof ChildCrash)) throw error;
      log.info({ err: error }, 'a profile photo cannot be decoded');
      return null;
    }
  };
