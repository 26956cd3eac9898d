import type { RelatedFile } from '@engram/contract';
import { LRUCache } from 'lru-cache';
import { originalKey } from '../../platform/files/keys.ts';
import type { ArtifactsRepository, NamedFile } from './artifacts.repository.ts';
import type { SignedLinks } from './signed-links.ts';

/** The files a question may be answered from: only these, or all but these. */
export type Scope = { only: string[] } | { exclude: string[] };

interface Owner {
  userId: string;
  email: string;
}

interface RelatedScore {
  artifactId: string;
  /** 0 to 1. */
  score: number;
}

/** How long the languages of a library are remembered, in milliseconds. */
const LANGUAGES_TTL_MS = 60_000;

export interface LibraryDependencies {
  repository: ArtifactsRepository;
  links: SignedLinks;
}

/** The files of a person as searching and the history see them. */
export function createLibrary({ repository, links }: LibraryDependencies) {
  const languages = new LRUCache<string, string[]>({ max: 10_000, ttl: LANGUAGES_TTL_MS });

  const presentFile = (row: NamedFile, ownerEmail: string, score: number): RelatedFile => ({
    artifactId: row.id,
    artifactGroupId: row.groupId,
    artifactArchived: row.archived,
    artifact_text: row.preview,
    createdBy: ownerEmail,
    createdDate: row.createdAt.toISOString(),
    fileName: row.fileName,
    filePathS3: originalKey(row.userId, row.id),
    fileType: row.mediaType,
    presignedUrl: links.sign(row.userId, row.id).path,
    score,
    size: row.size,
    status: row.status,
    userId: row.userId,
  });

  const presentEach = (
    { email }: Owner,
    files: ReadonlyMap<string, NamedFile>,
    related: readonly RelatedScore[],
  ): RelatedFile[] =>
    related.flatMap(({ artifactId, score }) => {
      const row = files.get(artifactId);
      return row ? [presentFile(row, email, score)] : [];
    });

  return {
    /** Narrows a question to the files with one of the keywords; no keywords mean all files. */
    scope: async (userId: string, keywords: readonly string[]): Promise<Scope> =>
      keywords.length > 0
        ? { only: await repository.idsWithKeywords(userId, keywords) }
        : { exclude: await repository.archivedIds(userId) },

    async languages(userId: string): Promise<string[]> {
      const known = languages.get(userId);
      if (known) return known;
      const found = await repository.languages(userId);
      languages.set(userId, found);
      return found;
    },

    /** To be called whenever a file was added, read, archived or deleted. */
    changed: (userId: string): void => void languages.delete(userId),

    /** The files that may be answered from now, by id: archived and deleted ones are missing. */
    async answerable(userId: string, ids: readonly string[]): Promise<Map<string, NamedFile>> {
      const rows = await repository.findMany(userId, [...new Set(ids)]);
      return new Map(rows.filter((row) => !row.archived).map((row) => [row.id, row]));
    },

    newest: repository.newestReadable,

    beginning: repository.beginning,

    /** The files of one answer, which were read just now. */
    presentEach,

    /** The files of several answers as they are now; those that are gone are left out. */
    async presentRelated(
      owner: Owner,
      related: readonly (readonly RelatedScore[])[],
    ): Promise<RelatedFile[][]> {
      const ids = new Set(related.flat().map(({ artifactId }) => artifactId));
      const rows = await repository.findMany(owner.userId, [...ids]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return related.map((files) => presentEach(owner, byId, files));
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;
