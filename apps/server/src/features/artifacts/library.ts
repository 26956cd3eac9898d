import { typesSpokenOf, type RelatedFile } from '@engram/contract';
import type { QuestionFiles } from '@engram/retrieval';
import type { Database } from '../../platform/database/database.ts';
import { originalKey } from '../../platform/files/keys.ts';
import type { FileLinks, Owner } from './artifacts.presenter.ts';
import type { ArtifactsRepository, NamedFile } from './artifacts.repository.ts';
import {
  createFilesCache,
  createKnownTables,
  createLibraryCache,
  type KnownFiles,
  shared,
} from './library-cache.ts';
import { createLibraryRepository } from './library.repository.ts';
import type { TextsRepository } from './texts.repository.ts';

/** The files that may answer a question: only these, or all but these. The sets never change. */
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
/** Ids of files in all cached scopes together. Each takes about 100 bytes. */
const CACHED_IDS = 500_000;
/** Bytes of all cached names together, and of all facts. */
const CACHE_BYTES = 32_000_000;
/** Files whose facts a question can use, newest first. */
const MAX_FACTS = 10_000;
const OPENING = 1000;

const sizeOf = (scope: Scope): number =>
  1 + ('only' in scope ? scope.only.size : scope.exclude.size);

export const isIn = (scope: Scope, id: string): boolean =>
  'only' in scope ? scope.only.has(id) : !scope.exclude.has(id);

/** Whether a question may refer to a file, by the names in the question. */
const isMeant = ({ named }: QuestionFiles, id: string): boolean =>
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
    if (tagged)
      return { only: chosenIds ? chosenIds.intersection(new Set(tagged)) : new Set(tagged) };
    if (chosenIds) return { only: chosenIds };
    return { exclude: new Set(await repository.archivedIds(userId)) };
  }

  const cachedList = (load: (userId: string) => Promise<string>) => {
    const { forget, of } = createFilesCache(CACHE_BYTES);
    const ofUser = async (userId: string): Promise<KnownFiles> =>
      of([userId, await version(userId)], async (key) => shared(key, await load(userId)));
    return { of: ofUser, forget };
  };
  const names = cachedList(queries.names);
  const facts = cachedList((userId) => queries.facts(userId, MAX_FACTS));
  const tables = createKnownTables(queries, version);

  const uploadedIds = (userId: string, { uploaded, kinds }: QuestionFiles): Promise<string[]> =>
    repository.matchingIds(userId, uploaded, kinds.flatMap(typesSpokenOf));

  const presentFile = (row: NamedFile, owner: Owner, score: number): RelatedFile => ({
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

  const presentEach = (
    owner: Owner,
    files: ReadonlyMap<string, NamedFile>,
    related: readonly RelatedScore[],
  ): RelatedFile[] =>
    related.flatMap(({ artifactId, score }) => {
      const row = files.get(artifactId);
      return row ? [presentFile(row, owner, score)] : [];
    });

  return {
    /** The files that a question is limited to. The same sets are returned until a file changes. */
    async scope(userId: string, { keywords, artifactIds }: Narrowing): Promise<Scope> {
      const key = [userId, await version(userId), keywords, artifactIds] as const;
      return scopes.of(key, () => readScope(userId, { keywords, artifactIds }));
    },

    /** Narrows a scope to the files that a question is about; null if it is about all of them. */
    async within(userId: string, scope: Scope, wanted: QuestionFiles): Promise<Scope | null> {
      const { uploaded, kinds, named } = wanted;
      const filtered = uploaded.length > 0 || kinds.length > 0;
      if (!filtered && named.length === 0) return null;
      const ids = filtered ? await uploadedIds(userId, wanted) : named;
      return { only: new Set(ids.filter((id) => isMeant(wanted, id) && isIn(scope, id))) };
    },

    /** The files in a scope that a question asks for by upload time, kind or folder, newest first. */
    async wanted(userId: string, scope: Scope, wanted: QuestionFiles): Promise<string[]> {
      const ids = await uploadedIds(userId, wanted);
      return ids.filter((id) => isMeant(wanted, id) && isIn(scope, id));
    },

    /** The beginnings of files' texts, without files that have no text. */
    openings: (userId: string, ids: readonly string[]) => texts.beginnings(userId, ids, OPENING),

    documents: texts.documents,

    locate: texts.locate,

    /** A list of `{id, fileName, path}` of files that are not archived. */
    names: names.of,

    /** A list of `LibraryFile` of files that are not archived. */
    facts: facts.of,

    tables: tables.find,

    newestSubjects: queries.newest,

    newestReadable: queries.newestReadable,

    oldestReadable: queries.oldestReadable,

    languages: async (userId: string): Promise<string[]> =>
      languages.of([userId, await version(userId)], () => repository.languages(userId)),

    version,

    forget(userId: string): void {
      for (const cache of [languages, scopes, names, facts, tables]) cache.forget(userId);
    },

    hasFiles: repository.hasSearchable,

    /** The files by id, without those that were archived or deleted. */
    async answerable(userId: string, ids: readonly string[]): Promise<Map<string, NamedFile>> {
      const rows = await repository.findMany(userId, [...new Set(ids)]);
      return new Map(rows.filter((row) => !row.archived).map((row) => [row.id, row]));
    },

    /** Adds the current name and path of its file to each item. */
    async withNames<Place extends { artifactId: string; fileName: string }>(
      userId: string,
      lists: readonly (readonly Place[])[],
    ): Promise<(Place & { path: string | null })[][]> {
      const ids = new Set(lists.flat().map(({ artifactId }) => artifactId));
      const rows = await repository.findMany(userId, [...ids]);
      const files = new Map(rows.map((row) => [row.id, row]));
      return lists.map((list) =>
        list.map((place) => {
          const { fileName = place.fileName, path = null } = files.get(place.artifactId) ?? {};
          return { ...place, fileName, path };
        }),
      );
    },

    presentEach,

    /** The files of several answers as they are now, without deleted ones. */
    async presentRelated(owner: Owner, related: readonly (readonly RelatedScore[])[]) {
      const ids = new Set(related.flat().map(({ artifactId }) => artifactId));
      const rows = await repository.findMany(owner.userId, [...ids]);
      // Signing a link is slow, and many answers have the same files.
      const byId = new Map(rows.map((row) => [row.id, presentFile(row, owner, 0)]));
      return related.map((files) =>
        files.flatMap(({ artifactId, score }) => {
          const file = byId.get(artifactId);
          return file ? [{ ...file, score }] : [];
        }),
      );
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;
