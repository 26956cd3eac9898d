import { Readable } from 'node:stream';
import type { Artifact, UploadResult } from '@engram/contract';
import { countWords, SEGMENTS_REACH, TEXT_WORD_LIMIT } from '@engram/contract';
import type { Database } from '../../platform/database/database.ts';
import { type FileStore, ifThere } from '../../platform/files/files.ts';
import { originalKey, thumbnailKey } from '../../platform/files/keys.ts';
import { HttpError } from '../../platform/http/errors.ts';
import {
  artifactNotFound,
  linkExpired,
  deletedByPerson,
  emptyNote,
  notANote,
  notFailed,
  nothingUploaded,
  tooManyWords,
} from './artifacts.errors.ts';
import { presentArtifact } from './artifacts.presenter.ts';
import type { ArtifactsRepository } from './artifacts.repository.ts';
import type { ArtifactRow } from './artifacts.tables.ts';
import { cleanFileName, nameOfText, nameOfTitle, renamed } from './file-name.ts';
import type { Owner } from './artifacts.presenter.ts';
import { createListing } from './listing.ts';
import type { IndexAgain } from './rereading.ts';
import type { LinkHolder } from '../../platform/http/signed-links.ts';
import type { FileLinks } from './file-links.ts';
import type { StoredFile, UploadIntake } from './upload-intake.ts';
import {
  DeletedMeanwhile,
  NO_FIELDS,
  type Recorded,
  type RecordingDependencies,
  type RecordUpload,
  type UploadFields,
} from './upload-recording.ts';

export interface ArtifactsDependencies extends Omit<RecordingDependencies, 'readAgain'> {
  database: Database;
  repository: ArtifactsRepository;
  files: FileStore;
  links: FileLinks;
  intake: UploadIntake;
  indexAgain: IndexAgain;
  record: RecordUpload;
}

/** What may be done with a file's bytes by whoever got hold of them. */
export interface OpenFile {
  fileName: string;
  mediaType: string;
  size: number;
  read: (range: { start: number; end: number }) => Promise<Readable>;
}

/** A file of an upload that is not taken. */
interface Refused {
  fileName: string;
  error: HttpError;
}

/** A text that a program keeps. */
export interface TitledText {
  title: string;
  text: string;
  keywords: string[];
}

const noop = (): void => {};

/** PostgreSQL knows no NUL in texts, and no half of a character. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** What was looked for. @throws HttpError 404 when it is not there, or gone since its row was read. */
function there<T>(found: T | null | undefined): T {
  if (found === undefined || found === null) throw artifactNotFound();
  return found;
}

/** What an upload is told of one of its files. */
const uploaded = ({ file, id, created }: Recorded) => ({
  artifactId: id,
  fileName: file.fileName,
  duplicate: !created,
});

/** Uploading, listing, opening and changing files. */
export function createArtifactsService(deps: ArtifactsDependencies) {
  const { database, repository, files, intake, links, record, now } = deps;

  const owned = async (userId: string, id: string): Promise<ArtifactRow> =>
    there(await repository.find(userId, id));

  const openRow = (row: ArtifactRow): OpenFile => ({
    fileName: row.fileName,
    mediaType: row.mediaType,
    size: row.size,
    read: async (range) => there(await ifThere(files.read(originalKey(row.userId, row.id), range))),
  });

  const openThumbnail = async (row: ArtifactRow): Promise<OpenFile> => {
    const key = thumbnailKey(row.userId, row.id);
    return {
      fileName: `${row.fileName}.webp`,
      mediaType: 'image/webp',
      size: there(await ifThere(files.stat(key))).size,
      read: async (range) => there(await ifThere(files.read(key, range))),
    };
  };

  /** Forgets the bytes of files without rows: also a commit may fail that the database has made. */
  const discardStrays = async (userId: string, stored: readonly StoredFile[]): Promise<void> => {
    const known = await repository.known(stored.map(({ artifactId }) => artifactId));
    for (const file of stored) {
      if (!known.has(file.artifactId)) await intake.discard(userId, file);
    }
  };

  const discardAll = async (owner: Owner, stored: readonly StoredFile[]): Promise<void> => {
    intake.recorded(stored);
    await discardStrays(owner.userId, stored).catch(noop);
  };

  /** Leaves out of a device's upload what the person deleted. */
  const withoutDeleted = async (
    userId: string,
    stored: readonly StoredFile[],
    { deviceId }: UploadFields,
  ) => {
    if (deviceId === undefined) return { kept: stored, refused: [] };
    const hashes = stored.map(({ sha256 }) => sha256);
    const deleted = await deps.deletion.deletedContents.among(userId, hashes);
    const gone = stored.filter(({ sha256 }) => deleted.has(sha256));
    for (const file of gone) await intake.discard(userId, file);
    return {
      kept: stored.filter(({ sha256 }) => !deleted.has(sha256)),
      refused: gone.map(({ fileName }) => ({ fileName, error: deletedByPerson(fileName) })),
    };
  };

  /** Records what the person wants of an upload; adds to `rejected` what they do not. */
  const recordWanted = async (
    userId: string,
    { stored, rejected }: { stored: readonly StoredFile[]; rejected: Refused[] },
    fields: UploadFields,
  ): ReturnType<typeof record> => {
    const { kept, refused } = await withoutDeleted(userId, stored, fields);
    rejected.push(...refused);
    if (kept.length === 0) throw rejected[0]?.error ?? nothingUploaded();
    try {
      return await record(userId, kept, fields);
    } catch (error) {
      if (!(error instanceof DeletedMeanwhile)) throw error;
      // Now it is known of which.
      return recordWanted(userId, { stored: kept, rejected }, fields);
    }
  };

  /** Keeps a text as a file of its own; its bytes go again where it cannot be recorded. */
  const keepText = async (
    owner: Owner,
    fileName: string,
    text: string,
    fields: Partial<UploadFields>,
  ) => {
    const bytes = Buffer.from(text, 'utf8');
    await deps.assertMayUpload(owner.userId, bytes.length);
    const note = { fileName, content: Readable.from([bytes]), typed: true };
    const stored = [await intake.take(owner.userId, note)];
    try {
      const { results } = await record(owner.userId, stored, { ...NO_FIELDS, ...fields });
      return results.map(uploaded);
    } catch (error) {
      await discardAll(owner, stored);
      throw error;
    }
  };

  const listing = createListing(deps);

  return {
    /**
     * Takes in one file of an upload; its artifact is made by {@link finishUpload}.
     * @throws HttpError when this file cannot be taken.
     */
    storeFile: (owner: Owner, givenName: string | undefined, content: AsyncIterable<Buffer>) =>
      intake.take(owner.userId, { fileName: cleanFileName(givenName), content }),

    /**
     * Forgets the bytes of an upload that did not come to its end; those that have rows stay. Never
     * rejects, since the caller is to hear what ended the upload: the sweep takes what is left.
     */
    discard: discardAll,

    /**
     * Says whether the plan allows so many more bytes, before they are taken in.
     * @throws HttpError 402 when it does not.
     */
    assertMayUpload: (userId: string, bytes: number): Promise<void> =>
      deps.assertMayUpload(userId, bytes),

    /**
     * Makes artifacts of the stored files and the typed text, and queues their reading.
     * @throws HttpError 400 when there is nothing to keep or the text is too long; the refusal of
     * the first rejected file when no file could be taken.
     */
    async finishUpload(
      owner: Owner,
      stored: StoredFile[],
      rejected: Refused[],
      fields: UploadFields,
    ): Promise<UploadResult> {
      const text = storable(fields.artifactText);
      if (countWords(text) > TEXT_WORD_LIMIT) throw tooManyWords(TEXT_WORD_LIMIT);
      if (text.trim() !== '') {
        const content = Readable.from([Buffer.from(text, 'utf8')]);
        const note = { fileName: nameOfText(text), content, typed: true };
        stored.push(await intake.take(owner.userId, note));
      }
      const { groupId, results } = await recordWanted(owner.userId, { stored, rejected }, fields);
      return {
        artifactGroupId: groupId,
        artifacts: results.map(uploaded),
        rejected: rejected.map(({ fileName, error }) => ({
          fileName,
          message: error.message,
          code: error.code,
        })),
      };
    },

    /**
     * Keeps a text under a title as a file of its own, and queues its reading.
     * @throws HttpError 402 when the plan does not store it, 400 when there is nothing in it.
     */
    addText: (owner: Owner, { title, text, keywords }: TitledText) =>
      keepText(owner, nameOfTitle(title), storable(text), { keywords, source: 'API' }),

    /**
     * Puts another text in the place of a note's: as an artifact of its own, so that no quote of the
     * old one points into the new one. The old one answers until the new one is read.
     * @throws HttpError 400 when the text is empty or too long, 402 when the plan does not store it,
     * 404 when there is no such file, 409 when it is no note or was changed meanwhile.
     */
    async editNote(owner: Owner, id: string, given: string) {
      const text = storable(given);
      if (countWords(text) > TEXT_WORD_LIMIT) throw tooManyWords(TEXT_WORD_LIMIT);
      if (text.trim() === '') throw emptyNote();
      const note = await owned(owner.userId, id);
      if (note.source !== 'Text') throw notANote();
      const fields = { device: note.device ?? undefined, editedNote: id };
      const [edited] = await keepText(owner, nameOfText(text), text, fields);
      return there(edited);
    },

    list: listing.list,

    some: listing.some,

    searchReady: async (userId: string): Promise<boolean> => !(await repository.unfinished(userId)),

    /** The extracted text. */
    text: async (userId: string, id: string): Promise<string> =>
      there(await repository.text(userId, id)),

    /** Where the words recognised on a scanned page, or in a picture, stand on it. */
    words: async (
      userId: string,
      id: string,
      { page, path = '' }: { page: number; path?: string | undefined },
    ) => there(await repository.words(userId, id, { page, path })),

    /** Where a stretch of the text stands in the file, at most {@link SEGMENTS_REACH} of it. */
    async segments(userId: string, id: string, stretch: { from: number; to?: number | undefined }) {
      const { from } = stretch;
      const to = Math.min(stretch.to ?? Infinity, from + SEGMENTS_REACH);
      return there(await repository.segments(userId, id, { from, to }));
    },

    open: async (userId: string, id: string): Promise<OpenFile> => openRow(await owned(userId, id)),

    async sign(holder: LinkHolder, id: string) {
      const row = await owned(holder.userId, id);
      const { path, expiresAt } = links.sign(holder, id);
      return {
        presignedUrl: path,
        expiresAt: expiresAt.toISOString(),
        fileName: row.fileName,
        fileType: row.mediaType,
        size: row.size,
        thumbnailUrl: row.thumbnail ? links.sign(holder, id, 'thumbnail').path : null,
      };
    },

    async openSigned(token: string): Promise<OpenFile> {
      const link = await links.open(token);
      if (link === 'expired') throw linkExpired();
      if (!link) throw artifactNotFound();
      const [artifactId, part] = link.opened;
      const row = await owned(link.holder.userId, artifactId);
      return part === 'thumbnail' ? openThumbnail(row) : openRow(row);
    },

    async get(owner: Owner, id: string): Promise<Artifact> {
      return presentArtifact(await owned(owner.userId, id), owner, links);
    },

    /**
     * Gives a file another name, and brings its words into the index. Where it stands in a folder
     * stays: that is the folder's, and a device renames the file again when it is renamed there.
     */
    async rename(owner: Owner, id: string, given: string): Promise<Artifact> {
      const row = await database.transaction(async (tx) => {
        const before = there(await repository.lock(tx, owner.userId, id));
        const fileName = renamed(before.fileName, given);
        if (fileName === before.fileName) return before;
        const changes = { fileName, updatedAt: now() };
        const after = there(await repository.update(owner.userId, id, changes, tx));
        await deps.indexAgain(after, tx);
        await deps.libraryChanged(tx, owner.userId);
        return after;
      });
      return presentArtifact(row, owner, links);
    },

    async setArchived(owner: Owner, id: string, archived: boolean): Promise<Artifact> {
      const changes = { archived, updatedAt: now() };
      const row = await database.transaction(async (tx) => {
        const changed = there(await repository.update(owner.userId, id, changes, tx));
        await deps.libraryChanged(tx, owner.userId);
        return changed;
      });
      return presentArtifact(row, owner, links);
    },

    /** Reads a file again that failed, or of which something could not be read. */
    async retry(owner: Owner, id: string): Promise<Artifact> {
      await owned(owner.userId, id);
      const row = await database.transaction(async (tx) => {
        const restarted = await repository.restart(tx, owner.userId, [id], now());
        await deps.readingQueue.enqueue(tx, restarted);
        return restarted[0];
      });
      if (!row) throw notFailed();
      return presentArtifact(row, owner, links);
    },

    /** Replaces a file's keywords; those that the person did not have are new ones of theirs. */
    async setKeywords(owner: Owner, id: string, given: readonly string[]): Promise<Artifact> {
      const row = await database.transaction(async (tx) => {
        const keywords = await deps.ensureKeywords(tx, owner.userId, given);
        const changes = { keywords, updatedAt: now() };
        const changed = there(await repository.update(owner.userId, id, changes, tx));
        await deps.indexAgain(changed, tx);
        await deps.libraryChanged(tx, owner.userId);
        return changed;
      });
      return presentArtifact(row, owner, links);
    },
  };
}

export type ArtifactsService = ReturnType<typeof createArtifactsService>;
