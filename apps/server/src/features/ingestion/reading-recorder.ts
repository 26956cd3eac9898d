import { fileTypeEntry, READING_SHARE } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { IndexRow, SearchIndex } from '../../platform/index/search-index.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ReadingId, ReadingsRepository } from '../artifacts/readings.repository.ts';
import type { ReadDocument } from './extraction-pool.ts';
import { nameRow } from './index-rows.ts';

export interface RecorderDependencies {
  readings: ReadingsRepository;
  index: SearchIndex;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  yieldToRequests: (patienceMs: number) => Promise<void>;
}

/** A text of more UTF-16 units is stored beside the indexing, not after it. */
const LONG_TEXT = 200_000;

/** Many readings step back together, so that the wait is shared by all of them. */
const PATIENCE_MS = 100;

/** How long a reading takes until its state says that it is under way, in milliseconds. */
const BEGIN_AFTER_MS = 300;

/** Characters of the text that lists show. */
const PREVIEW_LENGTH = 50;

const noText = ({ fileType }: ArtifactRow): string =>
  `${fileTypeEntry(fileType).kind === 'image' ? 'No text was found in this picture.' : 'There is no text in this file.'} It is found by its name and keywords.`;

/** Writes down how a reading goes and what came of it: state, text, places, index rows. */
export function createReadingRecorder(deps: RecorderDependencies) {
  const { readings, index, log, now } = deps;

  const rowOfName = ({ id: artifactId, ...artifact }: ArtifactRow): IndexRow =>
    nameRow({ artifactId, ...artifact });

  /** When readings began whose state does not say so yet. */
  const beginnings = new Map<string, NodeJS.Timeout>();

  function forgetBeginning(id: string): void {
    clearTimeout(beginnings.get(id));
    beginnings.delete(id);
  }

  function storeProgress(reading: ReadingId, progress: number): void {
    readings.setProgress(reading, progress, now()).catch((error: unknown) => {
      log.warn({ err: error }, 'progress was not stored');
    });
  }

  const indexRows = ({ id, userId }: ArtifactRow, rows: IndexRow[]): Promise<void> =>
    index.replace(userId, [{ artifactId: id, rows }]);

  /** A file may be deleted while it is read: what was just indexed must not outlive it. */
  async function forgetIfDeleted({ id, userId }: ArtifactRow): Promise<void> {
    if (!(await readings.find(id))) await index.remove(userId, [id]);
  }

  return {
    /** The artifact of a reading; calls that come together ask the database once. */
    find: readings.find,

    /**
     * To be called when the reading of a file begins. Stored for a reading that takes a moment: most
     * have ended before somebody could see it.
     */
    begin({ id, revision }: ReadingId): void {
      forgetBeginning(id);
      const store = () => {
        beginnings.delete(id);
        storeProgress({ id, revision }, 1);
      };
      beginnings.set(id, setTimeout(store, BEGIN_AFTER_MS).unref());
    },

    /** Takes 0 to 100; what is missed is made good by the next step. */
    progress({ id, revision }: ReadingId, percent: number): void {
      forgetBeginning(id);
      storeProgress({ id, revision }, Math.round((percent * READING_SHARE) / 100));
    },

    /**
     * Stores what was read: the index rows and a long text, then the state with a short one. Returns
     * false if the reading is no longer the current one.
     */
    async finish(artifact: ArtifactRow, document: ReadDocument): Promise<boolean> {
      const { rows, notes } = document;
      await deps.yieldToRequests(PATIENCE_MS);
      const readable = rows.length > 0;
      const ahead = document.text.length > LONG_TEXT;
      await Promise.all([
        indexRows(artifact, readable ? rows : [rowOfName(artifact)]),
        ahead && readings.saveText(artifact, document),
      ]);
      forgetBeginning(artifact.id);
      const reason = readable ? notes : [...notes, noText(artifact)];
      const finished = await readings.finish(
        {
          id: artifact.id,
          revision: artifact.revision,
          statusReason: reason.length > 0 ? reason.join(' ') : null,
          indexed: readable,
          title: document.title,
          language: document.language,
          preview: document.text.trim().slice(0, PREVIEW_LENGTH).toWellFormed() || null,
          durationMs: document.durationMs,
          phrases: document.phrases,
          facts: document.facts,
          tables: document.tables,
          document: ahead ? null : document,
        },
        now(),
      );
      if (!finished) await forgetIfDeleted(artifact);
      return finished;
    },

    /**
     * Stores that a file cannot be read, and why; its name and keywords still find it. A reading that
     * has ended stays as it is, unless `evenIfEnded`.
     */
    async giveUp(
      { artifactId, revision }: { artifactId: string; revision: number },
      statusReason: string,
      { evenIfEnded = false }: { evenIfEnded?: boolean } = {},
    ) {
      forgetBeginning(artifactId);
      const failure = { statusReason, evenIfEnded };
      if (!(await readings.setFailed({ id: artifactId, revision }, failure, now()))) return;
      const artifact = await readings.find(artifactId);
      if (artifact) {
        await indexRows(artifact, [rowOfName(artifact)]);
        await forgetIfDeleted(artifact);
      }
    },
  };
}
