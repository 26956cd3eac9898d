import { typesSpokenOf, type RelatedFile } from '@engram/contract';
import type { QuestionFiles } from '@engram/retrieval';
import type { Database } from '../../platform/database/database.ts';
import { originalKey } from '../../platform/files/keys.ts';
import type { FileLinks, Owner } from './artifacts.presenter.ts';
import type { ArtifactsRepository } from './artifacts.repository.ts';
import type { ArtifactRow } from './artifacts.tables.ts';
import {
  createFilesCache,
  createLibraryCache,
  type SharedList,
  toSharedList,
} from './library-cache.ts';
import { createLibraryRepository } from './library.repository.ts';
import type { TextsRepository } from './texts.repository.ts';

/** The files that may answer a question: only these, or all but these. */
export type Scope = { only: ReadonlySet<string> } | { exclude: ReadonlySet<string> };

/** The files to which a user limits a question. If both lists are given, both apply. */
export interface Narrowing {
  /** Only files with one of these. Empty for all files. */
  keywords: readonly string[];
  /** Only these files. Empty for all files. */
  artifactIds: readonly string[];
}

interface RelatedScore {
  artifactId: string;
  score: number;
}

const CACHED_USERS = 10_000;
/** Ids of files in all cached scopes. Each takes about 100 bytes. */
const CACHED_IDS = 500_000;
const CACHE_BYTES = 32_000_000;
/** Files whose facts a question can use, newest first. */
const MAX_FACTS = 10_000;
const OPENING_LENGTH = 1000;

const sizeOf = (scope: Scope): number =>
  1 + ('only' in scope ? scope.only.size : scope.exclude.size);

export const isIn = (scope: Scope, id: string): boolean =>
  'only' in scope ? scope.only.has(id) : !scope.exclude.has(id);

/** Whether a question names the given file, or no file at all. */
const isReferredTo = ({ named }: QuestionFiles, id: string): boolean =>
  named.length === 0 || named.includes(id);

/**
 * A user's files for search and history. Results are cached until a file changes.
 * @param version returns a different number after each change to a user's files
 */
export function createLibrary(
  database: Pick<Database, 'db'>,
  texts: TextsRepository,
  repository: ArtifactsRepository,
  links: FileLinks,
  version: (userId: string) => Promise<number>,
) {
  const queries = createLibraryRepository(database);
  const languages = createLibraryCache<string[]>({ max: CACHED_USERS });
  const scopes = createLibraryCache<Scope>({ maxSize: CACHED_IDS, sizeCalculation: sizeOf });

  async function readScope(userId: string, { keywords, artifactIds }: Narrowing): Promise<Scope> {
    const [tagged, chosen] = await Promise.all([
      keywords.length > 0 ? repository.idsWithKeywords(userId, keywords) : null,
      artifactIds.length > 0 ? repository.findMany(userId, artifactIds) : null,
    ]);
    const chosenIds = chosen && new Set(chosen.filter((row) => !row.archived).map(({ id }) => id));
    const taggedIds = tagged && new Set(tagged);
    const only =
      chosenIds && taggedIds ? chosenIds.intersection(taggedIds) : (chosenIds ?? taggedIds);
    return only ? { only } : { exclude: new Set(await repository.archivedIds(userId)) };
  }

  const cachedList = (load: (userId: string) => Promise<string>) => {
    const { forget, get } = createFilesCache(CACHE_BYTES);
    const ofUser = async (userId: string): Promise<SharedList> =>
      get([userId, await version(userId)], async (key) => toSharedList(key, await load(userId)));
    return { of: ofUser, forget };
  };
  const names = cachedList(queries.names);
  const facts = cachedList((userId) => queries.facts(userId, MAX_FACTS));

  const uploadedIds = (userId: string, { uploaded, kinds }: QuestionFiles): Promise<string[]> =>
    repository.matchingIds(userId, uploaded, kinds.flatMap(typesSpokenOf));

  const findById = async (userId: string, ids: Iterable<string>) => {
    const rows = await repository.findMany(userId, [...new Set(ids)]);
    return new Map(rows.map((row) => [row.id, row]));
  };

  const presentFile = (row: ArtifactRow, owner: Owner, score: number): RelatedFile => ({
    artifactId: row.id,
    artifactGroupId: row.groupId,
    artifactArchived: row.archived,
    artifact_text: row.preview,
    createdBy: owner.email,
    createdDate: row.createdAt.toISOString(),
    fileName: row.fileName,
    path: row.path,
    filePathS3: originalKey(row.userId, row.id),
    fileType: row.mediaType,
    presignedUrl: links.sign(owner, row.id).path,
    score,
    size: row.size,
    status: row.status,
    userId: row.userId,
  });

  const presentAll = (
    owner: Owner,
    files: ReadonlyMap<string, ArtifactRow>,
    related: readonly RelatedScore[],
  ): RelatedFile[] =>
    related.flatMap(({ artifactId, score }) => {
      const row = files.get(artifactId);
      return row ? [presentFile(row, owner, score)] : [];
    });

  return {
    /** The files that a question is limited to. The same sets are returned until a file changes. */
    async scope(userId: string, narrowing: Narrowing): Promise<Scope> {
      const { keywords, artifactIds } = narrowing;
      const key = [userId, await version(userId), keywords, artifactIds] as const;
      return scopes.get(key, () => readScope(userId, narrowing));
    },

    async narrow(userId: string, scope: Scope, files: QuestionFiles): Promise<Scope | null> {
      const { uploaded, kinds, named } = files;
      const isFiltered = uploaded.length > 0 || kinds.length > 0;
      if (!isFiltered && named.length === 0) return null;
      const ids = isFiltered ? await uploadedIds(userId, files) : named;
      return { only: new Set(ids.filter((id) => isReferredTo(files, id) && isIn(scope, id))) };
    },

    /** The files in a scope that match a question's upload times, kinds and names, newest first. */
    async matchingIds(userId: string, scope: Scope, files: QuestionFiles): Promise<string[]> {
      const ids = await uploadedIds(userId, files);
      return ids.filter((id) => isReferredTo(files, id) && isIn(scope, id));
    },

    openings: (userId: string, ids: readonly string[]) =>
      texts.beginnings(userId, ids, OPENING_LENGTH),

    documents: texts.documents,

    locate: texts.locate,

    /** A list of `{id, fileName, path}` of files that are not archived. */
    names: names.of,

    /** A list of `LibraryFile` of files that are not archived. */
    facts: facts.of,

    tables: queries.tables,

    newestSubjects: queries.newest,

    newestReadable: queries.newestReadable,

    oldestReadable: queries.oldestReadable,

    /** ISO 639-1, most used first. */
    languages: async (userId: string): Promise<string[]> =>
      languages.get([userId, await version(userId)], async () =>
        (await repository.languageCounts(userId)).map(({ language }) => language),
      ),

    version,

    forget(userId: string): void {
      for (const cache of [languages, scopes, names, facts]) cache.forget(userId);
    },

    hasFiles: repository.hasSearchable,

    async answerable(userId: string, ids: readonly string[]): Promise<Map<string, ArtifactRow>> {
      const files = await findById(userId, ids);
      return new Map([...files].filter(([, { archived }]) => !archived));
    },

    /** Adds the current name and path of its file to each item. */
    async withNames<Item extends { artifactId: string; fileName: string }>(
      userId: string,
      lists: readonly (readonly Item[])[],
    ): Promise<(Item & { path: string | null })[][]> {
      const files = await findById(
        userId,
        lists.flat().map(({ artifactId }) => artifactId),
      );
      return lists.map((list) =>
        list.map((item) => {
          const { fileName = item.fileName, path = null } = files.get(item.artifactId) ?? {};
          return { ...item, fileName, path };
        }),
      );
    },

    presentAll,

    async presentRelated(owner: Owner, related: readonly (readonly RelatedScore[])[]) {
      const ids = related.flat().map(({ artifactId }) => artifactId);
      const files = await findById(owner.userId, ids);
      // Signing a link is slow, and many answers have the same files.
      const presented = new Map([...files].map(([id, row]) => [id, presentFile(row, owner, 0)]));
      return related.map((scores) =>
        scores.flatMap(({ artifactId, score }) => {
          const file = presented.get(artifactId);
          return file ? [{ ...file, score }] : [];
        }),
      );
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;
