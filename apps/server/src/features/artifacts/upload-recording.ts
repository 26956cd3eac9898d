import { randomUUID } from 'node:crypto';
import type { FileMeta } from '@engram/contract';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { ArtifactsRepository } from './artifacts.repository.ts';
import type { ArtifactRow, NewArtifact } from './artifacts.tables.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import type { ReadingQueue } from '../ingestion/reading-queue.ts';
import { cleanFileName } from './file-name.ts';
import {
  findNote,
  findPredecessors,
  linkVersions,
  type Predecessor,
  type Succession,
} from './replacement.ts';
import type { Reread } from './rereading.ts';
import type { StoredFile, UploadIntake } from './upload-intake.ts';
import type { LibraryChanged } from './library-versions.ts';

export interface RecordingDependencies {
  database: Pick<Database, 'transaction'>;
  repository: Pick<ArtifactsRepository, 'insertOrMerge'>;
  intake: Pick<UploadIntake, 'merge' | 'recorded'>;
  now: () => Date;
  /** Throws where the plan does not allow another upload; in a transaction parallel ones wait for it. */
  assertMayUpload: (userId: string, bytes: number, tx?: Executor) => Promise<void>;
  readingQueue: ReadingQueue;
  readAgain: Reread;
  deletion: ArtifactDeletion;
  /** Adds keywords that the person does not have yet; answers all of them as the list spells them. */
  ensureKeywords: (tx: Executor, userId: string, given: readonly string[]) => Promise<string[]>;
  /** The library of a user is another one from now on. */
  libraryChanged: LibraryChanged;
}

export interface UploadFields {
  filesKeywords: Record<string, string[]>;
  artifactText: string;
  keywords: string[];
  source?: 'Web' | 'API' | 'Connector' | 'Share' | undefined;
  device?: string | undefined;
  /** The registered device that sends the files. */
  deviceId?: string | undefined;
  /** The note that the one stored text takes the place of. */
  editedNote?: string | undefined;
  /** What is said of the files, of some or of none. */
  told?: ReadonlyMap<StoredFile, FileMeta> | undefined;
}

/** Of an upload that says nothing beside its files. */
export const NO_FIELDS: UploadFields = { filesKeywords: {}, artifactText: '', keywords: [] };

/** What came of a stored file. */
export interface Recorded {
  file: StoredFile;
  /** Of the artifact that has its bytes. */
  id: string;
  revision: number;
  /** False where the same bytes were there already. */
  created: boolean;
}

/** What a file brings along that was kept before. */
export interface Carried {
  keywords: string[];
  source: ArtifactRow['source'];
  device: string | null;
  archived: boolean;
  path: string | null;
  modifiedAt: Date | null;
  createdAt: Date;
}

export interface CarriedFiles {
  /** One of them for all files that came in the same call. */
  groupId: string;
  of: ReadonlyMap<StoredFile, Carried>;
}

/** Keywords by the names under which files are kept, however the caller wrote those. */
function keywordsByFile(given: Record<string, string[]>): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, keywords] of Object.entries(given)) {
    const kept = cleanFileName(name);
    byName.set(kept, [...(byName.get(kept) ?? []), ...keywords]);
  }
  return byName;
}

/** The person deleted some of the bytes while a device sent them; nothing was recorded. */
export class DeletedMeanwhile extends Error {}

const dateOf = (time: string | null | undefined): Date | null => (time ? new Date(time) : null);

const noop = (): void => {};

/** Makes artifacts of what an upload has stored. */
export function createUploadRecording(deps: RecordingDependencies) {
  const { database, repository, intake, deletion, now } = deps;

  /** The keywords of each file of an upload, as the person's list spells them. */
  const keywordsOf = async (
    tx: Executor,
    userId: string,
    stored: readonly StoredFile[],
    fields: UploadFields,
    carried?: CarriedFiles,
  ): Promise<Map<StoredFile, string[]>> => {
    const given = keywordsByFile(fields.filesKeywords);
    const everywhere = await deps.ensureKeywords(tx, userId, fields.keywords);
    // Most files of an upload have the same keywords.
    const ensured = new Map<string, string[]>();
    const result = new Map<StoredFile, string[]>();
    for (const file of stored) {
      const wanted = carried?.of.get(file)?.keywords ?? given.get(file.fileName) ?? [];
      const list = JSON.stringify(wanted);
      const own = ensured.get(list) ?? (await deps.ensureKeywords(tx, userId, wanted));
      ensured.set(list, own);
      result.set(file, [...new Set([...everywhere, ...own])]);
    }
    return result;
  };

  /** What the files of a device take the place of. */
  const predecessorsOf = (
    tx: Executor,
    userId: string,
    { deviceId, editedNote, told = new Map<StoredFile, FileMeta>() }: UploadFields,
  ): Promise<Map<string, Predecessor>> => {
    if (editedNote !== undefined) return findNote(tx, userId, editedNote);
    const ids = [...told.values()].flatMap(({ replaces }) => replaces ?? []);
    if (deviceId === undefined) return Promise.resolve(new Map());
    return findPredecessors(tx, userId, { deviceId, ids });
  };

  const assertWanted = async (
    tx: Executor,
    userId: string,
    hashes: readonly string[],
  ): Promise<void> => {
    const deleted = await deletion.deletedContents.among(userId, hashes, tx);
    if (deleted.size > 0) throw new DeletedMeanwhile();
  };

  /** Forgets the bytes of a duplicate, or gives them to a file that has lost its own. */
  const mergeTwin = async (
    file: StoredFile,
    kept: Pick<ArtifactRow, 'userId' | 'id' | 'revision'>,
  ): Promise<void> => {
    const lost = await intake.merge(kept.userId, file, kept.id);
    if (lost) await deps.readAgain([kept]);
  };

  /** One transaction for the whole upload: either every stored file has its row and job, or none. */
  return async (
    userId: string,
    stored: readonly StoredFile[],
    fields: UploadFields,
    carried?: CarriedFiles,
  ) => {
    const groupId = carried?.groupId ?? randomUUID();
    const at = now();
    const isTheirs = fields.deviceId === undefined;
    const mayReplace = !isTheirs || fields.editedNote !== undefined;
    const replacedBy = (file: StoredFile): string =>
      fields.editedNote ?? fields.told?.get(file)?.replaces ?? '';
    // What an upload without a length brings is known only now.
    const bytes = stored.reduce((sum, { size }) => sum + size, 0);
    const { results, successors } = await database.transaction(async (tx) => {
      await deps.assertMayUpload(userId, bytes, tx);
      const keywords = await keywordsOf(tx, userId, stored, fields, carried);
      if (mayReplace) await deletion.lockReplacements(tx, userId);
      const predecessors = await predecessorsOf(tx, userId, fields);
      const rows = new Map<string, NewArtifact>();
      for (const file of stored) {
        const { artifactId, typed, ...columns } = file;
        const twin = rows.get(file.sha256);
        const told = fields.told?.get(file);
        const predecessor = predecessors.get(replacedBy(file));
        const own = [...new Set([...(keywords.get(file) ?? []), ...(predecessor?.keywords ?? [])])];
        if (twin) twin.keywords = [...new Set([...twin.keywords, ...own])];
        else {
          const before = carried?.of.get(file);
          rows.set(file.sha256, {
            ...columns,
            id: artifactId,
            userId,
            groupId,
            source: before?.source ?? (typed ? 'Text' : (fields.source ?? 'Web')),
            device: before?.device ?? fields.device ?? null,
            keywords: own,
            archived: before?.archived ?? predecessor?.archived ?? false,
            path: before?.path ?? told?.path ?? null,
            modifiedAt: before?.modifiedAt ?? dateOf(told?.modifiedAt),
            deviceId: fields.deviceId ?? null,
            status: 'PENDING',
            createdAt: before?.createdAt ?? at,
            updatedAt: at,
          });
        }
      }
      // What the person sends, and not a device for them, they want again.
      if (isTheirs) await deletion.deletedContents.forget(tx, userId, [...rows.keys()]);
      const kept = await repository.insertOrMerge(tx, [...rows.values()]);
      // A deletion that this one waited for is seen from here on.
      if (!isTheirs) await assertWanted(tx, userId, [...rows.keys()]);
      // Queues after rows, in every upload: none can wait for another that waits for it.
      const toRead = kept.filter((row) => row.toRead);
      await deps.readingQueue.enqueue(
        tx,
        toRead.map(({ id, revision }) => ({ id, userId, revision })),
      );
      const bySha = new Map([...rows.keys()].map((sha256, index) => [sha256, kept[index]]));
      const results = stored.flatMap((file): Recorded[] => {
        const row = bySha.get(file.sha256);
        return row
          ? [{ file, id: row.id, revision: row.revision, created: row.id === file.artifactId }]
          : [];
      });
      const successions = results.flatMap(({ file, id }): Succession[] => {
        const replaces = replacedBy(file);
        return predecessors.has(replaces) ? [{ id, replaces }] : [];
      });
      const current = results.map(({ id }) => id);
      if (mayReplace) await linkVersions(tx, userId, { current, successions });
      await deps.libraryChanged(tx, userId);
      return { results, successors: successions.map(({ id }) => id) };
    });
    // The bytes of duplicates are the only ones without a row of their own. From here on the upload
    // stands, whatever happens: the sweep takes what cannot be removed now, and has bytes read that
    // came back and were not.
    intake.recorded(stored);
    for (const { file, id, revision, created } of results) {
      if (!created) await mergeTwin(file, { userId, id, revision }).catch(noop);
    }
    // Some were there already, and read.
    if (successors.length > 0) await deletion.deleteReplaced(userId, successors);
    return { groupId, results };
  };
}

export type RecordUpload = ReturnType<typeof createUploadRecording>;
