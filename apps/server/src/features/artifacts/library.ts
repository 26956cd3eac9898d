import { typesSpokenOf, type RelatedFile } from '@engram/contract';
import type { QuestionFiles } from '@engram/retrieval';
import { originalKey } from '../../platform/files/keys.ts';
import type { ArtifactsRepository, NamedFile } from './artifacts.repository.ts';
import { type KnownFiles, shared } from './known-files.ts';
import { createKnownTables } from './known-tables.ts';
import type { RecordsRepository } from './records.repository.ts';
import { createRemembered } from './remembered.ts';
import type { FileLinks } from './file-links.ts';
import type { Owner } from './artifacts.presenter.ts';
import type { SourceLocations } from './source-locations.ts';

/** The files a question may be answered from: only these, or all but these. The sets never change. */
export type Scope = { only: ReadonlySet<string> } | { exclude: ReadonlySet<string> };

/** What a person limits a question to; where both are given, both hold. */
export interface Narrowing {
  /** Only files with one of these; none mean all files. */
  keywords: readonly string[];
  /** Only these files; none mean all files. */
  artifactIds: readonly string[];
}

interface RelatedScore {
  artifactId: string;
  /** 0 to 1. */
  score: number;
}

/** People whose libraries' languages are remembered. */
const REMEMBERED_PEOPLE = 10_000;

/** Ids of files in all remembered scopes together; each takes about 100 bytes. */
const REMEMBERED_IDS = 500_000;

const sizeOf = (scope: Scope): number =>
  1 + ('only' in scope ? scope.only.size : scope.exclude.size);

/** Bytes of all remembered names together, and of all facts. */
const REMEMBERED_BYTES = 32_000_000;

/** Files whose facts are known to a question, newest first. */
const MOST_FACTS = 10_000;

/** Whether a scope holds a file. */
export const isIn = (scope: Scope, id: string): boolean =>
  'only' in scope ? scope.only.has(id) : !scope.exclude.has(id);

/** Whether a question means a file, as far as it names any. */
const isMeant = ({ named }: QuestionFiles, id: string): boolean =>
  named.length === 0 || named.includes(id);

export interface LibraryDependencies {
  repository: ArtifactsRepository;
  records: RecordsRepository;
  links: FileLinks;
  locations: SourceLocations;
  /** Another number after every change of a person's files. */
  version: (userId: string) => Promise<number>;
}

/** The files of a person as searching and the history see them. */
export function createLibrary({
  repository,
  records,
  links,
  locations,
  version,
}: LibraryDependencies) {
  const languages = createRemembered<string[]>({ max: REMEMBERED_PEOPLE });
  const scopes = createRemembered<Scope>({ maxSize: REMEMBERED_IDS, sizeCalculation: sizeOf });

  async function readScope(userId: string, { keywords, artifactIds }: Narrowing): Promise<Scope> {
    const [tagged, chosen] = await Promise.all([
      keywords.length > 0 ? repository.idsWithKeywords(userId, keywords) : null,
      artifactIds.length > 0 ? repository.findMany(userId, artifactIds) : null,
    ]);
    const some = chosen && new Set(chosen.filter((row) => !row.archived).map(({ id }) => id));
    if (tagged) return { only: some ? some.intersection(new Set(tagged)) : new Set(tagged) };
    if (some) return { only: some };
    return { exclude: new Set(await repository.archivedIds(userId)) };
  }

  /** What `load` reads of a person's files; remembered until one of them changes. */
  const knownFiles = (load: (userId: string) => Promise<string>) => {
    const { forget, of } = createRemembered<KnownFiles>({
      maxSize: REMEMBERED_BYTES,
      sizeCalculation: ({ json }) => json.byteLength + 1,
    });
    const ofUser = async (userId: string): Promise<KnownFiles> =>
      of([userId, await version(userId)], async (key) => shared(key, await load(userId)));
    return { of: ofUser, forget };
  };
  const names = knownFiles(repository.names);
  const facts = knownFiles((userId) => repository.facts(userId, MOST_FACTS));
  const tables = createKnownTables(records, version);

  const filterOf = ({ uploaded, kinds }: QuestionFiles) => ({
    uploaded,
    types: kinds.flatMap(typesSpokenOf),
  });

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
    /**
     * Narrows a question to the files with one of the keywords; no keywords mean all files. Until
     * something changes it answers the same sets, by which the index knows them again.
     */
    async scope(userId: string, { keywords, artifactIds }: Narrowing): Promise<Scope> {
      const key = [userId, await version(userId), keywords, artifactIds] as const;
      return scopes.of(key, () => readScope(userId, { keywords, artifactIds }));
    },

    /** Narrows a scope to the files that a question is about; null where it is about all of them. */
    async within(userId: string, scope: Scope, wanted: QuestionFiles): Promise<Scope | null> {
      const { uploaded, kinds, named } = wanted;
      const filtered = uploaded.length > 0 || kinds.length > 0;
      if (!filtered && named.length === 0) return null;
      const ids = filtered ? await repository.idsOf(userId, filterOf(wanted)) : named;
      return { only: new Set(ids.filter((id) => isMeant(wanted, id) && isIn(scope, id))) };
    },

    /** The files of a scope that a question asks for by time of upload, kind and folder, newest first. */
    async wanted(userId: string, scope: Scope, wanted: QuestionFiles): Promise<string[]> {
      const ids = await repository.idsOf(userId, filterOf(wanted));
      return ids.filter((id) => isMeant(wanted, id) && isIn(scope, id));
    },

    openings: repository.openings,

    documents: repository.documents,

    /** Adds to quotes where they stand in their files. */
    locate: locations.locate,

    /** The names of a person's files, for questions that name some; remembered until one changes. */
    names: names.of,

    /**
     * What a person's files say of themselves, those left out that are archived; remembered until
     * something changes. A list of `LibraryFile`.
     */
    facts: facts.of,

    /**
     * The fields of a person's documents, the tables of some of their files, the most important first,
     * and those of other files that have rows of the same kind; without files that are archived.
     * Remembered until something changes. Lists of `RecordTable`.
     */
    tables: tables.find,

    /** The languages of a person's files; remembered until something changes. */
    languages: async (userId: string): Promise<string[]> =>
      languages.of([userId, await version(userId)], () => repository.languages(userId)),

    version,

    /** To be called when a person is gone: nothing of theirs is remembered. */
    forget(userId: string): void {
      for (const remembered of [languages, scopes, names, facts, tables]) {
        remembered.forget(userId);
      }
    },

    /** Whether the user has files that are, or will be, searched. */
    hasFiles: (userId: string): Promise<boolean> => repository.hasSearchable(userId),

    /** The files that may be answered from now, by id: archived and deleted ones are missing. */
    async answerable(userId: string, ids: readonly string[]): Promise<Map<string, NamedFile>> {
      const rows = await repository.findMany(userId, [...new Set(ids)]);
      return new Map(rows.filter((row) => !row.archived).map((row) => [row.id, row]));
    },

    /** Lists of what stands in files, each with what its file is called now and where it stands in its folder. */
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

    /** The files of one answer, which were read just now. */
    presentEach,

    /** The files of several answers as they are now; those that are gone are left out. */
    async presentRelated(
      owner: Owner,
      related: readonly (readonly RelatedScore[])[],
    ): Promise<RelatedFile[][]> {
      const ids = new Set(related.flat().map(({ artifactId }) => artifactId));
      const rows = await repository.findMany(owner.userId, [...ids]);
      // Each file once, as its link takes longest: many answers come from the same ones.
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
