import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Artifact, UploadResult } from '@engram/contract';
import { countWords, SEGMENTS_REACH, TEXT_WORD_LIMIT } from '@engram/contract';
import type { Database, Executor } from '../../platform/database/database.ts';
import { FileNotFoundError, type FileStore } from '../../platform/files/files.ts';
import { originalKey, thumbnailKey } from '../../platform/files/keys.ts';
import { HttpError } from '../../platform/http/errors.ts';
import {
  artifactNotFound,
  linkExpired,
  notFailed,
  nothingUploaded,
  tooManyWords,
} from './artifacts.errors.ts';
import { presentArtifact } from './artifacts.presenter.ts';
import type { ArtifactsRepository, ListFilter, SortKey } from './artifacts.repository.ts';
import type { ArtifactSets } from './artifacts.sets.ts';
import type { ArtifactRow, NewArtifact } from './artifacts.tables.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Deletion } from './deletion.ts';
import { cleanFileName, nameOfText } from './file-name.ts';
import type { KeywordTerms } from './keyword-terms.ts';
import type { Reread } from './rereading.ts';
import type { SignedLinks } from './signed-links.ts';
import type { StoredFile, UploadIntake } from './upload-intake.ts';

export interface ArtifactsDependencies {
  database: Database;
  repository: ArtifactsRepository;
  files: FileStore;
  links: SignedLinks;
  intake: UploadIntake;
  now: () => Date;
  /** Queues the reading of a person's files, in their order, within the transaction that made them. */
  enqueueReadings: (
    tx: Executor,
    artifacts: readonly { id: string; userId: string; revision: number }[],
  ) => Promise<void>;
  sets: Pick<ArtifactSets, 'setKeywords'>;
  readAgain: Reread;
  deletion: Deletion;
  keywordTerms: KeywordTerms;
  /** Throws where the plan does not allow another upload. */
  assertMayUpload: (userId: string, bytes: number) => Promise<void>;
  /** Adds keywords that the person does not have yet; answers all of them as the list spells them. */
  ensureKeywords: (tx: Executor, userId: string, given: readonly string[]) => Promise<string[]>;
  /** The library of a user is another one from now on. */
  libraryChanged: (userId: string) => void;
}

export interface Owner {
  userId: string;
  email: string;
}

export interface UploadFields {
  filesKeywords: Record<string, string[]>;
  artifactText: string;
  keywords: string[];
  source?: 'Web' | 'API' | 'Connector' | 'Share' | undefined;
  device?: string | undefined;
}

export interface ListRequest extends Omit<ListFilter, 'userId'> {
  limit?: number | undefined;
  cursor?: string | undefined;
  sort?: SortKey | `-${SortKey}` | undefined;
}

/** What may be done with a file's bytes by whoever got hold of them. */
export interface OpenFile {
  fileName: string;
  mediaType: string;
  size: number;
  read: (range: { start: number; end: number }) => Promise<Readable>;
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

const noop = (): void => {};

/** The rules of keeping files: taking them in, listing, opening, archiving and deleting them. */
export function createArtifactsService(deps: ArtifactsDependencies) {
  const { database, repository, files, intake, links, now } = deps;

  const owned = async (userId: string, id: string): Promise<ArtifactRow> => {
    const row = await repository.find(userId, id);
    if (!row) throw artifactNotFound();
    return row;
  };

  const openRow = (row: ArtifactRow): OpenFile => ({
    fileName: row.fileName,
    mediaType: row.mediaType,
    size: row.size,
    read: (range) =>
      files.read(originalKey(row.userId, row.id), range).catch((error: unknown) => {
        // Deleted since its row was read.
        throw error instanceof FileNotFoundError ? artifactNotFound() : error;
      }),
  });

  const openThumbnail = async (row: ArtifactRow): Promise<OpenFile> => {
    const key = thumbnailKey(row.userId, row.id);
    const missing = (error: unknown): never => {
      throw error instanceof FileNotFoundError ? artifactNotFound() : error;
    };
    return {
      fileName: `${row.fileName}.webp`,
      mediaType: 'image/webp',
      size: await files.size(key).catch(missing),
      read: (range) => files.read(key, range).catch(missing),
    };
  };

  /** The keywords of each file of an upload, as the person's list spells them. */
  const keywordsOf = async (
    tx: Executor,
    userId: string,
    stored: readonly StoredFile[],
    fields: UploadFields,
  ): Promise<Map<StoredFile, string[]>> => {
    const given = keywordsByFile(fields.filesKeywords);
    const everywhere = await deps.ensureKeywords(tx, userId, fields.keywords);
    // Most files of an upload have the same keywords.
    const ensured = new Map<string, string[]>();
    const result = new Map<StoredFile, string[]>();
    for (const file of stored) {
      const wanted = given.get(file.fileName) ?? [];
      const list = JSON.stringify(wanted);
      const own = ensured.get(list) ?? (await deps.ensureKeywords(tx, userId, wanted));
      ensured.set(list, own);
      result.set(file, [...new Set([...everywhere, ...own])]);
    }
    return result;
  };

  /** Forgets the bytes of a duplicate, or gives them to a file that has lost its own. */
  const mergeTwin = async (
    file: StoredFile,
    kept: Pick<ArtifactRow, 'userId' | 'id' | 'revision'>,
  ): Promise<void> => {
    const lost = await intake.merge(kept.userId, file, kept.id);
    if (lost) await deps.readAgain([kept]);
  };

  /** Forgets the bytes of files without rows: also a commit may fail that the database has made. */
  const discardStrays = async (userId: string, stored: readonly StoredFile[]): Promise<void> => {
    const known = await repository.known(stored.map(({ artifactId }) => artifactId));
    for (const file of stored) {
      if (!known.has(file.artifactId)) await intake.discard(userId, file);
    }
  };

  /** One transaction for the whole upload: either every stored file has its row and job, or none. */
  const record = async (owner: Owner, stored: readonly StoredFile[], fields: UploadFields) => {
    const { userId } = owner;
    const groupId = randomUUID();
    const at = now();
    const results = await database.transaction(async (tx) => {
      const keywords = await keywordsOf(tx, userId, stored, fields);
      const rows = new Map<string, NewArtifact>();
      for (const file of stored) {
        const { artifactId, typed, ...columns } = file;
        const twin = rows.get(file.sha256);
        const own = keywords.get(file) ?? [];
        if (twin) twin.keywords = [...new Set([...twin.keywords, ...own])];
        else {
          rows.set(file.sha256, {
            ...columns,
            id: artifactId,
            userId,
            groupId,
            source: typed ? 'Text' : (fields.source ?? 'Web'),
            device: fields.device ?? null,
            keywords: own,
            status: 'PENDING',
            createdAt: at,
            updatedAt: at,
          });
        }
      }
      const kept = await repository.insertOrMerge(tx, [...rows.values()]);
      // Queues after rows, in every upload: none can wait for another that waits for it.
      const toRead = kept.filter((row) => row.toRead);
      await deps.enqueueReadings(
        tx,
        toRead.map(({ id, revision }) => ({ id, userId, revision })),
      );
      const bySha = new Map([...rows.keys()].map((sha256, index) => [sha256, kept[index]]));
      return stored.flatMap((file) => {
        const row = bySha.get(file.sha256);
        return row
          ? [{ file, id: row.id, revision: row.revision, created: row.id === file.artifactId }]
          : [];
      });
    });
    // The bytes of duplicates are the only ones without a row of their own. From here on the upload
    // stands, whatever happens: the sweep takes what cannot be removed now, and has bytes read that
    // came back and were not.
    intake.recorded(stored);
    for (const { file, id, revision, created } of results) {
      if (!created) await mergeTwin(file, { userId, id, revision }).catch(noop);
    }
    deps.libraryChanged(owner.userId);
    return { groupId, results };
  };

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
    async discard(owner: Owner, stored: readonly StoredFile[]): Promise<void> {
      intake.recorded(stored);
      await discardStrays(owner.userId, stored).catch(noop);
    },

    assertMayUpload: deps.assertMayUpload,

    /**
     * Makes artifacts of the stored files and the typed text, and queues their reading.
     * @throws HttpError 400 when there is nothing to keep or the text is too long; the refusal of
     * the first rejected file when no file could be taken.
     */
    async finishUpload(
      owner: Owner,
      stored: StoredFile[],
      rejected: { fileName: string; error: HttpError }[],
      fields: UploadFields,
    ): Promise<UploadResult> {
      const text = fields.artifactText.replaceAll('\0', '').toWellFormed();
      if (countWords(text) > TEXT_WORD_LIMIT) throw tooManyWords(TEXT_WORD_LIMIT);
      if (text.trim() !== '') {
        const content = Readable.from([Buffer.from(text, 'utf8')]);
        const note = { fileName: nameOfText(text), content, typed: true };
        stored.push(await intake.take(owner.userId, note));
      }
      if (stored.length === 0) throw rejected[0]?.error ?? nothingUploaded();
      // What an upload without a length brings is known only now.
      const bytes = stored.reduce((sum, { size }) => sum + size, 0);
      await deps.assertMayUpload(owner.userId, bytes);
      const { groupId, results } = await record(owner, stored, fields);
      return {
        artifactGroupId: groupId,
        artifacts: results.map(({ file, id, created }) => ({
          artifactId: id,
          fileName: file.fileName,
          duplicate: !created,
        })),
        rejected: rejected.map(({ fileName, error }) => ({
          fileName,
          message: error.message,
          code: error.code,
        })),
      };
    },

    async list(owner: Owner, request: ListRequest) {
      const { limit, cursor, sort = '-created', ...filter } = request;
      const key = sort.replace('-', '') as SortKey;
      const page = {
        sort: key,
        descending: sort.startsWith('-'),
        after: decodeCursor(cursor, key),
      };
      const scope = { ...filter, userId: owner.userId };
      // One row more than asked for tells whether there is another page.
      const rows = await repository.list(scope, {
        ...page,
        limit: limit === undefined ? undefined : limit + 1,
      });
      const shown = limit === undefined ? rows : rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        data: shown.map((row) => presentArtifact(row, owner.email, links)),
        nextCursor: rows.length > shown.length && last ? encodeCursor(last, key) : null,
        total:
          limit === undefined && cursor === undefined ? rows.length : await repository.count(scope),
      };
    },

    searchReady: async (userId: string): Promise<boolean> => !(await repository.unfinished(userId)),

    /** The extracted text. */
    async text(userId: string, id: string): Promise<string> {
      const text = await repository.text(userId, id);
      if (text === undefined) throw artifactNotFound();
      return text;
    },

    /** Where the words recognised on a scanned page, or in a picture, stand on it. */
    async words(
      userId: string,
      id: string,
      { page, path = '' }: { page: number; path?: string | undefined },
    ) {
      const words = await repository.words(userId, id, { page, path });
      if (!words) throw artifactNotFound();
      return words;
    },

    /** Where a stretch of the text stands in the file, at most {@link SEGMENTS_REACH} of it. */
    async segments(userId: string, id: string, stretch: { from: number; to?: number | undefined }) {
      const { from } = stretch;
      const to = Math.min(stretch.to ?? Infinity, from + SEGMENTS_REACH);
      const segments = await repository.segments(userId, id, { from, to });
      if (!segments) throw artifactNotFound();
      return segments;
    },

    open: async (userId: string, id: string): Promise<OpenFile> => openRow(await owned(userId, id)),

    async sign(userId: string, id: string) {
      const row = await owned(userId, id);
      const { path, expiresAt } = links.sign(userId, id);
      return {
        presignedUrl: path,
        expiresAt: expiresAt.toISOString(),
        fileName: row.fileName,
        fileType: row.mediaType,
        size: row.size,
      };
    },

    async openSigned(token: string): Promise<OpenFile> {
      const claims = links.open(token);
      if (claims === 'expired') throw linkExpired();
      if (!claims) throw artifactNotFound();
      const row = await owned(claims.userId, claims.artifactId);
      return claims.part === 'thumbnail' ? openThumbnail(row) : openRow(row);
    },

    async setArchived(owner: Owner, id: string, archived: boolean): Promise<Artifact> {
      const row = await repository.setArchived(owner.userId, id, archived, now());
      if (!row) throw artifactNotFound();
      deps.libraryChanged(owner.userId);
      return presentArtifact(row, owner.email, links);
    },

    /** Reads a file again that failed, or of which something could not be read. */
    async retry(owner: Owner, id: string): Promise<Artifact> {
      await owned(owner.userId, id);
      const row = await database.transaction(async (tx) => {
        const restarted = await repository.restart(tx, owner.userId, id, now());
        if (restarted) await deps.enqueueReadings(tx, [restarted]);
        return restarted;
      });
      if (!row) throw notFailed();
      return presentArtifact(row, owner.email, links);
    },

    /** Replaces a file's keywords; those that the person did not have are new ones of theirs. */
    async setKeywords(owner: Owner, id: string, given: readonly string[]): Promise<Artifact> {
      const row = await database.transaction(async (tx) => {
        const keywords = await deps.ensureKeywords(tx, owner.userId, given);
        const changed = await deps.sets.setKeywords(
          tx,
          { userId: owner.userId, id },
          keywords,
          now(),
        );
        if (!changed) throw artifactNotFound();
        await deps.keywordTerms.enqueue(tx, changed);
        return changed;
      });
      deps.libraryChanged(owner.userId);
      return presentArtifact(row, owner.email, links);
    },

    /** Deletes a file: from here on no answer uses it; bytes and index rows follow at once by a job. */
    async delete(userId: string, id: string): Promise<void> {
      const gone = await deps.deletion.deleteFiles(userId, [id]);
      if (gone.length === 0) throw artifactNotFound();
    },

    /** Deletes several files; answers those that were there. */
    deleteMany: deps.deletion.deleteFiles,

    deleteAll: deps.deletion.deleteAll,
  };
}

export type ArtifactsService = ReturnType<typeof createArtifactsService>;
