import type { FastifyBaseLogger } from 'fastify';
import { ChildCrash, ChildTaskError } from '../../platform/processes/child-pool.ts';
import type { RecognitionLane } from './recognition-lane.ts';

export interface PhotoDependencies {
  lane: Pick<RecognitionLane, 'photo'>;
  log: Pick<FastifyBaseLogger, 'info'>;
}

/**
 * Draws the photos that people send of themselves, in a process that a hostile picture may end.
 *
 * @returns a small square JPEG; null where the bytes are no picture, or none that can be drawn
 * within the bounds on time and memory
 */
export function createPhotoDrawing({ lane, log }: PhotoDependencies) {
  return async (userId: string, picture: Uint8Array): Promise<Buffer | null> => {
    // Bounded by time: nobody needs to stop it.
    const { signal } = new AbortController();
    const about = { what: 'a photo of a person' };
    try {
      return Buffer.from(await lane.photo(picture, { group: userId, about, signal }));
    } catch (error) {
      if (!(error instanceof ChildTaskError || error instanceof ChildCrash)) throw error;
      log.info({ err: error }, 'a photo cannot be drawn');
      return null;
    }
  };
}
