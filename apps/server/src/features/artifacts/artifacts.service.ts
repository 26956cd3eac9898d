import { Readable } from 'node:stream';
import type {
  Artifact,
  getArtifactSegments,
  getArtifactWords,
  QueryOf,
  UploadResult,
} from '@engram/contract';
import { countWords, SEGMENTS_REACH, TEXT_WORD_LIMIT } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { orNotFound } from '../../platform/files/files.ts';
import { originalKey, thumbnailKey } from '../../platform/files/keys.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { FileReply } from '../../platform/http/file-reply.ts';
import type { LinkHolder } from '../../platform/http/signed-links.ts';
import {
  artifactNotFound,
  linkExpired,
  notANote,
  notFailed,
  tooManyWords,
} from './artifacts.errors.ts';
import { type LinkedPart, type Owner, presentArtifact } from './artifacts.presenter.ts';
import type { ArtifactRow } from './artifacts.tables.ts';
import type { Bulk } from './bulk.ts';
import { cleanFileName, nameOfText, nameOfTitle, withExtensionOf } from './file-name.ts';
import { createListing } from './listing.ts';
import type { ReadForm } from './upload-form.ts';
import type { StoredFile, Upload, UploadIntake } from './upload-intake.ts';
import {
  type FileServices,
  NO_FIELDS,
  type Recorded,
  type RecordUpload,
  type UploadFields,
} from './upload-recording.ts';

interface WebFile {
  title: string;
  /** The file extension, such as '.html'; '' if the title includes one. */
  extension: string;
  content: AsyncIterable<Buffer>;
  address: string;
  keywords: string[];
  source: 'Web' | 'API';
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** @throws HttpError 404 */
function assertFound<T>(found: T | null | undefined): T {
  if (found === undefined || found === null) throw artifactNotFound();
  return found;
}

const nothingUploaded = (): HttpError =>
  new HttpError(
    400,
    'nothing_uploaded',
    'Please upload at least one file or provide artifact text.',
  );

const presentUpload = ({ file, id, created }: Recorded) => ({
  artifactId: id,
  fileName: file.fileName,
  duplicate: !created,
});

export function createArtifactsService(
  { storage, now }: Core,
  { ingestion, keywords, subscription }: FileServices,
  { intake, record, bulk }: { intake: UploadIntake; record: RecordUpload; bulk: Bulk },
) {
  const { database, files, links, texts, libraryChanged } = storage;
  const repository = storage.artifactsRepository;
  const listing = createListing(database, links);
  const { assertMayUpload } = subscription;
  const reindex = ingestion.indexing.enqueue;

  const owned = async (userId: string, id: string): Promise<ArtifactRow> =>
    assertFound(await repository.find(userId, id));

  const get = async (owner: Owner, id: string): Promise<Artifact> =>
    presentArtifact(await owned(owner.userId, id), owner, links);

  /** Changes a file and queues its reindexing. @throws HttpError 404 */
  const change = async (
    tx: Executor,
    { userId }: Owner,
    id: string,
    changes: Parameters<typeof repository.update>[2],
  ): Promise<ArtifactRow> => {
    const row = assertFound(await repository.update(userId, id, changes, tx));
    await reindex(row, tx);
    await libraryChanged(tx, userId);
    return row;
  };

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

  /**
   * Deletes the bytes of a failed upload, except those of files with rows, because a commit may succeed
   * although the connection breaks. Never rejects. The consistency check removes leftovers.
   */
  const discardAll = async ({ userId }: Owner, stored: readonly StoredFile[]): Promise<void> => {
    intake.recorded(stored);
    try {
      const existing = await repository.existingIds(stored.map(({ artifactId }) => artifactId));
      for (const file of stored) {
        if (!existing.has(file.artifactId)) await intake.discard(userId, file);
      }
    } catch {
      // The caller reports why the upload failed.
    }
  };

  const textUpload = (fileName: string, text: string): Upload => ({
    fileName,
    content: Readable.from([Buffer.from(text)]),
    typed: true,
  });

  const storeOne = async (owner: Owner, upload: Upload, fields: Partial<UploadFields>) => {
    const stored = [await intake.take(owner.userId, upload)];
    try {
      const { results } = await record(owner.userId, stored, { ...NO_FIELDS, ...fields });
      return assertFound(results.map(presentUpload)[0]);
    } catch (error) {
      await discardAll(owner, stored);
      throw error;
    }
  };

  const storeText = async (
    owner: Owner,
    fileName: string,
    text: string,
    fields: Partial<UploadFields>,
  ) => {
    await assertMayUpload(owner.userId, Buffer.byteLength(text));
    return storeOne(owner, textUpload(fileName, text), fields);
  };

  return {
    /** Stores one file of an upload. @throws HttpError if it is refused */
    storeFile: (owner: Owner, name: string | undefined, content: AsyncIterable<Buffer>) =>
      intake.take(owner.userId, { fileName: cleanFileName(name), content }),

    discard: discardAll,

    /** @throws HttpError 402 if the plan does not allow that many more bytes */
    assertMayUpload,

    /**
     * Creates artifacts for the stored files and the typed text, and queues their extraction.
     * @throws HttpError 400 if there is nothing to store or the text is too long, or the first file's
     * error if all files were rejected
     */
    async finishUpload(
      owner: Owner,
      stored: StoredFile[],
      rejected: ReadForm['rejected'],
      fields: UploadFields,
    ): Promise<UploadResult> {
      const text = storable(fields.artifactText);
      if (countWords(text) > TEXT_WORD_LIMIT) throw tooManyWords(TEXT_WORD_LIMIT);
      if (text.trim() !== '') {
        stored.push(await intake.take(owner.userId, textUpload(nameOfText(text), text)));
      }
      if (stored.length === 0) throw rejected[0]?.error ?? nothingUploaded();
      const { groupId, results, deleted } = await record(owner.userId, stored, fields);
      for (const { fileName } of deleted) {
        const message = `This file was deleted in Engram, and folders can't upload it again: ${fileName}`;
        rejected.push({ fileName, error: new HttpError(409, 'deleted_by_person', message) });
      }
      if (results.length === 0 && rejected[0]) throw rejected[0].error;
      return {
        artifactGroupId: groupId,
        artifacts: results.map(presentUpload),
        rejected: rejected.map(({ fileName, error }) => ({
          fileName,
          message: error.message,
          code: error.code,
        })),
      };
    },

    /** @throws HttpError 402 if the plan does not allow it, 400 if it is empty */
    addText: (
      owner: Owner,
      { title, text, keywords }: { title: string; text: string; keywords: string[] },
    ) => storeText(owner, nameOfTitle(title), storable(text), { keywords, source: 'API' }),

    /**
     * Stores content from a web address, and replaces the file that was saved from it before.
     * @throws HttpError 400, 402, 413 or 415
     */
    storeWebFile: (owner: Owner, file: WebFile) =>
      storeOne(
        owner,
        { fileName: nameOfTitle(storable(file.title), file.extension), content: file.content },
        { keywords: file.keywords, source: file.source, webAddress: file.address },
      ),

    /**
     * Replaces a note by a new artifact, so that quotes of the old text stay valid. The old one is
     * searchable until the new one is ready.
     * @throws HttpError 400 if the text is empty or too long, 402 if the plan does not allow it, 404 if
     * the note does not exist, 409 if it is not a note or was changed in the meantime
     */
    async editNote(owner: Owner, id: string, content: string) {
      const text = storable(content);
      if (countWords(text) > TEXT_WORD_LIMIT) throw tooManyWords(TEXT_WORD_LIMIT);
      if (text.trim() === '') {
        throw new HttpError(400, 'empty_note', "A note can't be empty. You can delete it instead.");
      }
      const note = await owned(owner.userId, id);
      if (note.source !== 'Text') throw notANote();
      const fields = { device: note.device ?? undefined, editedNote: id };
      return storeText(owner, nameOfText(text), text, fields);
    },

    ...listing,

    searchReady: async (userId: string): Promise<boolean> =>
      !(await repository.hasUnfinished(userId)),

    async text(userId: string, id: string): Promise<string> {
      await owned(userId, id);
      return texts.text(id);
    },

    async words(userId: string, id: string, { page, path = '' }: QueryOf<typeof getArtifactWords>) {
      await owned(userId, id);
      return texts.words(id, page, path);
    },

    async segments(
      userId: string,
      id: string,
      { from, to = Infinity }: QueryOf<typeof getArtifactSegments>,
    ) {
      await owned(userId, id);
      return texts.segments(id, from, Math.min(to, from + SEGMENTS_REACH));
    },

    open: async (userId: string, id: string, part: LinkedPart): Promise<FileReply> => {
      const row = await owned(userId, id);
      return part === 'thumbnail' ? openThumbnail(row) : openRow(row);
    },

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

    /** @throws HttpError 404, 410 */
    async openLink(token: string) {
      const link = await links.open(token);
      if (link === 'expired') throw linkExpired();
      if (!link) throw artifactNotFound();
      const [artifactId, part] = link.opened;
      return { userId: link.holder.userId, artifactId, part };
    },

    get,

    /** Renames a file. Its path in a folder stays the same, because the device reports it. */
    async rename(owner: Owner, id: string, name: string): Promise<Artifact> {
      const row = await database.transaction(async (tx) => {
        const current = assertFound(await repository.lock(tx, owner.userId, id));
        const fileName = withExtensionOf(current.fileName, name);
        if (fileName === current.fileName) return current;
        return change(tx, owner, id, { fileName, updatedAt: now() });
      });
      return presentArtifact(row, owner, links);
    },

    async setArchived(owner: Owner, id: string, archived: boolean): Promise<Artifact> {
      await bulk.change(owner.userId, { verb: archived ? 'archive' : 'unarchive', ids: [id] });
      return get(owner, id);
    },

    async retry(owner: Owner, id: string): Promise<Artifact> {
      const { refused } = await bulk.change(owner.userId, { verb: 'retry', ids: [id] });
      if (refused.length > 0) throw notFailed();
      return get(owner, id);
    },

    async setKeywords(owner: Owner, id: string, words: readonly string[]): Promise<Artifact> {
      const row = await database.transaction(async (tx) => {
        const spellings = await keywords.ensure(tx, owner.userId, words);
        const changes = { keywords: [...new Set(spellings.values())], updatedAt: now() };
        return change(tx, owner, id, changes);
      });
      return presentArtifact(row, owner, links);
    },
  };
}

export type ArtifactsService = ReturnType<typeof createArtifactsService>;
