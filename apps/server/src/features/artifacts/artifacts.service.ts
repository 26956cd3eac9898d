import {
  type Artifact,
  countWords,
  editNote,
  getArtifact,
  getArtifactSegments,
  getArtifactText,
  getArtifactWords,
  listArtifacts,
  renameArtifact,
  retryArtifact,
  searchReady,
  SEGMENTS_REACH,
  setArtifactArchived,
  setArtifactKeywords,
  TEXT_WORD_LIMIT,
  uploadArtifacts,
  type UploadResult,
} from '@engram/contract';
import { type Mount, parseInput } from '../../platform/http/mount.ts';
import { artifactNotFound, notANote, notFailed, tooManyWords } from './artifacts.errors.ts';
import { type ReadForm, readUploadForm } from './upload-form.ts';
import {
  type FileProperties,
  type FileServices,
  fromMeta,
  NO_FIELDS,
  type Recorded,
  type RecordUpload,
  type UploadFields,
} from './upload-recording.ts';

import { Readable } from 'node:stream';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { type Owner, presentArtifact } from './artifacts.presenter.ts';
import type { ArtifactRow } from './artifacts.tables.ts';
import type { Bulk } from './bulk.ts';
import { cleanFileName, nameOfText, nameOfTitle, withExtensionOf } from './file-name.ts';
import { createListing } from './listing.ts';
import type { StoredFile, Upload, UploadIntake } from './upload-intake.ts';

interface WebFile {
  title: string;
  /** The file extension, such as '.html'; '' if the title includes one. */
  extension: string;
  content: AsyncIterable<Buffer>;
  address: string;
  keywords: string[];
  source: 'Web' | 'API';
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** @throws HttpError 404 */
function assertFound<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw artifactNotFound();
  return value;
}

const nothingUploaded = (): HttpError =>
  new HttpError(
    400,
    'nothing_uploaded',
    'Please upload at least one file or provide artifact text.',
  );

const deletedByUser = (fileName: string): HttpError =>
  new HttpError(
    409,
    'deleted_by_person',
    `This file was deleted in Engram, and folders can't upload it again: ${fileName}`,
  );

const presentUpload = ({ file, id, created }: Recorded) => ({
  artifactId: id,
  fileName: file.fileName,
  duplicate: !created,
});

export function createArtifactsService(
  { config, storage, now }: Core,
  { ingestion, keywords, subscription, devices }: FileServices,
  {
    intake,
    record,
    bulk,
  }: {
    intake: UploadIntake;
    record: RecordUpload;
    bulk: Bulk;
  },
) {
  const { database, links, texts, libraryChanged } = storage;
  const repository = storage.artifactsRepository;
  const listing = createListing(database, links);
  const { assertMayUpload } = subscription;
  const reindex = ingestion.indexing.enqueue;

  const findOwned = async (userId: string, id: string): Promise<ArtifactRow> =>
    assertFound(await repository.find(userId, id));

  const get = async (owner: Owner, id: string): Promise<Artifact> =>
    presentArtifact(await findOwned(owner.userId, id), owner, links);

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

  /** Stores one file, as an upload does. @throws HttpError 409 if devices may not upload its bytes again */
  const storeOne = async (
    owner: Owner,
    upload: Upload,
    {
      propertiesOf,
      ...fields
    }: Partial<UploadFields> & {
      propertiesOf?: (fileName: string) => FileProperties;
    },
  ) => {
    const file = await intake.take(owner.userId, upload);
    try {
      const properties = propertiesOf && new Map([[file, propertiesOf(file.fileName)]]);
      const all = { ...NO_FIELDS, ...fields, properties };
      const { results, deleted } = await record(owner.userId, [file], all);
      if (deleted.length > 0) throw deletedByUser(file.fileName);
      return assertFound(results.map(presentUpload)[0]);
    } catch (error) {
      await discardAll(owner, [file]);
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

  /**
   * Creates artifacts for the stored files and the typed text, and queues their extraction.
   * @throws HttpError 400 if there is nothing to store or the text is too long, or the first file's
   * error if all files were rejected
   */
  async function finishUpload(
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
    for (const { fileName } of deleted) rejected.push({ fileName, error: deletedByUser(fileName) });
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
  }

  /**
   * Replaces a note by a new artifact, so that quotes of the old text stay valid. The old one is
   * searchable until the new one is ready.
   * @throws HttpError 400 if the text is empty or too long, 402 if the plan does not allow it, 404 if
   * the note does not exist, 409 if it is not a note or was changed in the meantime
   */
  async function replaceNote(owner: Owner, id: string, content: string) {
    const text = storable(content);
    if (countWords(text) > TEXT_WORD_LIMIT) throw tooManyWords(TEXT_WORD_LIMIT);
    if (text.trim() === '') {
      throw new HttpError(400, 'empty_note', "A note can't be empty. You can delete it instead.");
    }
    const note = await findOwned(owner.userId, id);
    if (note.source !== 'Text') throw notANote();
    const fields = { device: note.device ?? undefined, editedNote: id };
    return storeText(owner, nameOfText(text), text, fields);
  }

  const storeFile = (owner: Owner, name: string | undefined, content: AsyncIterable<Buffer>) =>
    intake.take(owner.userId, { fileName: cleanFileName(name), content });

  const text = async (userId: string, id: string): Promise<string> => {
    await findOwned(userId, id);
    return texts.text(id);
  };

  return {
    storeFile,
    finishUpload,
    /** Stores one file of a mailbox or folder. @throws HttpError if it is rejected */
    storeSynced: (
      owner: Owner,
      { fileName, content }: Pick<Upload, 'fileName' | 'content'>,
      fields: Parameters<typeof storeOne>[2],
    ) => storeOne(owner, { fileName: cleanFileName(fileName), content }, fields),
    /** @throws HttpError 402 if the plan does not allow that many more bytes */
    assertMayUpload,
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

    newest: listing.newest,
    text,
    routes(mount: Mount): void {
      mount(uploadArtifacts, async ({ caller, request }) => {
        await assertMayUpload(caller.userId, Number(request.headers['content-length'] ?? 0));
        const discard = (stored: readonly StoredFile[]) => discardAll(caller, stored);
        const { stored, positions, rejected, fields } = await readUploadForm(
          request,
          { files: config.uploadFiles },
          (name, content) => storeFile(caller, name, content),
          discard,
        );
        try {
          const parsed = parseInput(uploadArtifacts.body, fields);
          if (parsed.meta.length > positions.size + rejected.length) {
            throw new HttpError(
              400,
              'too_much_meta',
              'The field meta has more entries than files.',
            );
          }
          const sender = parsed.deviceId && (await devices.findOwn(caller, parsed.deviceId));
          // A client with an API key or access token cannot choose its source.
          const source = caller.sessionId === null ? 'API' : parsed.source;
          const upload = {
            ...parsed,
            source: sender ? ('Connector' as const) : source,
            ...(sender ? { device: sender.name } : {}),
            properties: new Map(
              [...positions].map(([file, i]) => [file, fromMeta(parsed.meta[i])]),
            ),
          };
          return { data: await finishUpload(caller, stored, rejected, upload) };
        } catch (error) {
          await discard(stored);
          throw error;
        }
      });

      mount(listArtifacts, ({ caller, query }) => listing.list(caller, query));
      mount(searchReady, async ({ caller }) => {
        const isReady = !(await repository.hasUnfinished(caller.userId));
        const message = isReady
          ? 'All files you uploaded are ready to search'
          : 'Some files you uploaded are not ready for search yet.';
        return { data: isReady, message };
      });
      mount(getArtifact, async ({ caller, params }) => ({
        data: await get(caller, params.artifactId),
      }));
      // The path in a folder stays the same, because the device reports it.
      mount(renameArtifact, async ({ caller, params: { artifactId: id }, body: { name } }) => {
        const row = await database.transaction(async (tx) => {
          const current = assertFound(await repository.lock(tx, caller.userId, id));
          const fileName = withExtensionOf(current.fileName, name);
          if (fileName === current.fileName) return current;
          return change(tx, caller, id, { fileName, updatedAt: now() });
        });
        return { data: presentArtifact(row, caller, links) };
      });
      mount(getArtifactText, async ({ caller, params, reply }) =>
        reply
          .headers({
            'content-type': 'text/plain; charset=utf-8',
            'content-security-policy': "sandbox; default-src 'none'",
            'cache-control': 'private, no-store',
          })
          .send(await text(caller.userId, params.artifactId)),
      );
      mount(getArtifactSegments, async ({ caller, params: { artifactId: id }, query }) => {
        const { from, to = Infinity } = query;
        await findOwned(caller.userId, id);
        return { data: await texts.segments(id, from, Math.min(to, from + SEGMENTS_REACH)) };
      });
      mount(getArtifactWords, async ({ caller, params: { artifactId: id }, query }) => {
        await findOwned(caller.userId, id);
        return { data: await texts.words(id, query.page, query.path ?? '') };
      });
      mount(retryArtifact, async ({ caller, params: { artifactId: id } }) => {
        const { refused } = await bulk.change(caller.userId, { verb: 'retry', ids: [id] });
        if (refused.length > 0) throw notFailed();
        return { data: await get(caller, id) };
      });
      mount(setArtifactArchived, async ({ caller, params: { artifactId: id, archived } }) => {
        await bulk.change(caller.userId, { verb: archived ? 'archive' : 'unarchive', ids: [id] });
        return { data: await get(caller, id) };
      });
      mount(setArtifactKeywords, async ({ caller, body: { artifactId: id, keywords: words } }) => {
        const row = await database.transaction(async (tx) => {
          const spellings = await keywords.ensure(tx, caller.userId, words);
          const changes = { keywords: [...new Set(spellings.values())], updatedAt: now() };
          return change(tx, caller, id, changes);
        });
        return { data: presentArtifact(row, caller, links) };
      });
      mount(editNote, async ({ caller, params, body }) => ({
        data: await replaceNote(caller, params.artifactId, body.text),
      }));
    },
  };
}

export type ArtifactsService = ReturnType<typeof createArtifactsService>;
