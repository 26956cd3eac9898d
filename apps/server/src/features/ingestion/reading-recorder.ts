import { fileTypeEntry, READING_SHARE } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { IndexRow } from '../../platform/index/search-index.ts';
import type { Reading } from '../artifacts/artifacts.repository.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ReadDocument } from './extraction-pool.ts';
import { nameRow } from './index-rows.ts';

/** Longer texts, in UTF-16 units, are stored during the indexing instead of after it. */
const LONG_TEXT = 200_000;

const YIELD_MS = 100;

/** A shorter reading, in milliseconds, is never shown as running. */
const BEGIN_AFTER_MS = 300;

const PREVIEW_LENGTH = 50;

const noText = ({ fileType }: ArtifactRow): string =>
  `${fileTypeEntry(fileType).kind === 'image' ? 'No text was found in this picture.' : 'There is no text in this file.'} It is found by its name and keywords.`;

/** Stores the progress and the results of readings. */
export function createReadingRecorder({ storage, log, now }: Core) {
  const { index, readings, backgroundYield } = storage;

  const rowOfName = ({ id: artifactId, ...artifact }: ArtifactRow): IndexRow =>
    nameRow({ artifactId, ...artifact });

  /** Timers of readings that are not shown as running yet. */
  const timers = new Map<string, NodeJS.Timeout>();

  function clearTimer(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
  }

  function storeProgress(reading: Reading, progress: number): void {
    readings.setProgress(reading, progress, now()).catch((error: unknown) => {
      log.warn({ err: error }, 'progress was not stored');
    });
  }

  const indexRows = ({ id, userId }: ArtifactRow, rows: IndexRow[]): Promise<void> =>
    index.replace(userId, [{ artifactId: id, rows }]);

  /** Removes the index rows of a file that was deleted while it was read. */
  async function cleanUpIfDeleted({ id, userId }: ArtifactRow): Promise<void> {
    if (!(await readings.find(id))) await index.remove(userId, [id]);
  }

  return {
    /** Shows a reading as running after a moment, because most readings end before. */
    begin({ id, revision }: Reading): void {
      clearTimer(id);
      const store = () => {
        timers.delete(id);
        storeProgress({ id, revision }, 1);
      };
      timers.set(id, setTimeout(store, BEGIN_AFTER_MS).unref());
    },

    /** Stores a progress of 0 to 100. A failure is ignored, because the next step follows soon. */
    progress({ id, revision }: Reading, percent: number): void {
      clearTimer(id);
      storeProgress({ id, revision }, Math.round((percent * READING_SHARE) / 100));
    },

    /** Stores the result of a reading. Returns false if there is a newer reading. */
    async finish(artifact: ArtifactRow, document: ReadDocument): Promise<boolean> {
      const { rows, notes } = document;
      await backgroundYield.yieldToRequests(YIELD_MS);
      const readable = rows.length > 0;
      const ahead = document.text.length > LONG_TEXT;
      await Promise.all([
        indexRows(artifact, readable ? rows : [rowOfName(artifact)]),
        ahead && readings.saveText(artifact, document),
      ]);
      clearTimer(artifact.id);
      const reason = readable ? notes : [...notes, noText(artifact)];
      const finished = await readings.finish(
        {
          ...document,
          id: artifact.id,
          revision: artifact.revision,
          statusReason: reason.length > 0 ? reason.join(' ') : null,
          indexed: readable,
          preview: document.text.trim().slice(0, PREVIEW_LENGTH).toWellFormed() || null,
          document: ahead ? null : document,
        },
        now(),
      );
      if (!finished) await cleanUpIfDeleted(artifact);
      return finished;
    },

    /**
     * Marks a file as failed. It is still found by its name and keywords. A reading that has ended is
     * left alone unless `evenIfEnded` is set.
     */
    async giveUp(
      { artifactId, revision }: { artifactId: string; revision: number },
      statusReason: string,
      { evenIfEnded = false }: { evenIfEnded?: boolean } = {},
    ) {
      clearTimer(artifactId);
      const failure = { statusReason, evenIfEnded };
      if (!(await readings.setFailed({ id: artifactId, revision }, failure, now()))) return;
      const artifact = await readings.find(artifactId);
      if (artifact) {
        await indexRows(artifact, [rowOfName(artifact)]);
        await cleanUpIfDeleted(artifact);
      }
    },
  };
}
