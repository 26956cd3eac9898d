import type { FileType } from '@engram/extraction';
import { analyze } from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../platform/database/database.ts';
import type { IndexRow, SearchIndex } from '../../platform/index/search-index.ts';
import { READING_SHARE } from '../artifacts/artifacts.presenter.ts';
import type { ArtifactsRepository } from '../artifacts/artifacts.repository.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ReadDocument } from './extraction-pool.ts';

export interface RecorderDependencies {
  database: Database;
  artifacts: ArtifactsRepository;
  index: SearchIndex;
  log: FastifyBaseLogger;
  now: () => Date;
  libraryChanged: (userId: string) => void;
}

/** Characters of the text that lists show. */
const PREVIEW_LENGTH = 50;

const NO_TEXT = 'There is no text in this file. It is found by its name and keywords.';

const kinds: Partial<Record<FileType, string>> = {
  jpeg: 'Images',
  png: 'Images',
  bmp: 'Images',
  gif: 'Images',
  wav: 'Recordings',
  mp3: 'Recordings',
  mp4: 'Videos',
  avi: 'Videos',
  mov: 'Videos',
  mkv: 'Videos',
  zip: 'Archives',
  ppt: 'Presentations in the old .ppt format',
};

const notReadYet = (type: FileType): string =>
  `${kinds[type] ?? 'Files of this type'} are kept, but their content is not read yet. The file is found by its name and keywords.`;

/** Writes down how a reading goes and what came of it: state, text, places, index rows. */
export function createReadingRecorder(deps: RecorderDependencies) {
  const { database, artifacts, index, log, now } = deps;

  /** One row that makes a file without text findable by its name and keywords. */
  const nameRow = (artifact: ArtifactRow): IndexRow => ({
    artifactId: artifact.id,
    ordinal: 0,
    start: 0,
    end: 0,
    text: '',
    terms: analyze([artifact.fileName, ...artifact.keywords].join(' '), 'en').join(' '),
    location: { line: 1 },
    places: [],
    headings: [],
  });

  return {
    begin: (artifact: ArtifactRow): Promise<boolean> =>
      artifacts.setReading(database.db, artifact, { status: 'PROCESSING', progress: 1 }, now()),

    /** Takes 0 to 100; what is missed is made good by the next step. */
    progress(artifact: ArtifactRow, percent: number): void {
      const state = { progress: Math.round((percent * READING_SHARE) / 100) };
      artifacts.setReading(database.db, artifact, state, now()).catch((error: unknown) => {
        log.warn({ err: error }, 'progress was not stored');
      });
    },

    async finish(artifact: ArtifactRow, prepared: ReadDocument | null) {
      const rows = prepared && prepared.rows.length > 0 ? prepared.rows : [nameRow(artifact)];
      await index.replace(artifact.userId, [{ artifactId: artifact.id, rows }]);
      const readable = prepared !== null && prepared.rows.length > 0;
      const notes = prepared ? prepared.notes : [notReadYet(artifact.fileType)];
      const reason = prepared && !readable ? [...notes, NO_TEXT] : notes;
      const kept = await database.transaction(async (tx) => {
        const current = await artifacts.setReading(
          tx,
          artifact,
          {
            status: 'SUCCESS',
            statusReason: reason.length > 0 ? reason.join(' ') : null,
            progress: 100,
            indexed: readable,
            title: prepared?.title ?? null,
            language: prepared?.language ?? null,
            preview: prepared?.text.trim().slice(0, PREVIEW_LENGTH).toWellFormed() || null,
          },
          now(),
        );
        if (current && prepared) await artifacts.saveText(tx, artifact.id, prepared);
        return current;
      });
      // Deleted while it was being read: what was just indexed must not outlive it.
      if (!kept && !(await artifacts.find(artifact.userId, artifact.id))) {
        await index.remove(artifact.userId, [artifact.id]);
      }
      deps.libraryChanged(artifact.userId);
    },

    async giveUp(
      { artifactId, userId, revision }: { artifactId: string; userId: string; revision: number },
      reason: string,
    ) {
      const state = {
        status: 'FAILED',
        statusReason: reason,
        progress: 0,
        indexed: false,
      } as const;
      const current = { id: artifactId, revision };
      if (!(await artifacts.setReading(database.db, current, state, now()))) return;
      // Its name and keywords still find it.
      const artifact = await artifacts.find(userId, artifactId);
      if (artifact) await index.replace(userId, [{ artifactId, rows: [nameRow(artifact)] }]);
      // Deleted meanwhile: what was just indexed must not outlive it.
      if (!(await artifacts.find(userId, artifactId))) await index.remove(userId, [artifactId]);
      deps.libraryChanged(userId);
    },
  };
}
