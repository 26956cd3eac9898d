import { createGroupCommit } from '../../database/group-commit.ts';
import { IndexUnavailable } from '../index-unavailable.ts';
import {
  type ArtifactRows,
  type IndexLog,
  mergeTerms,
  NOTHING_FOUND,
  requireOwnRows,
  requireUuid,
  type SearchIndex,
  splitTerms,
} from '../search-index.ts';
import { type Json, openConnection, type UserDocuments } from './connection.ts';
import { allOf, artifactsOf, keysOf, readCurrent, term, within } from './documents.ts';
import { indexName } from './mapping.ts';
import { search, similarTerms, size } from './search.ts';
import { addVectors, completeModel, models, nearest, unembedded } from './vectors.ts';
import { purge, removeUser, replace } from './write.ts';

export interface OpenSearchOptions {
  url: string;
  name: string;
  log: IndexLog;
  /** Default: ten seconds. */
  readingMs?: number;
}

/** Maximum artifacts and rows of one write, unless one artifact has more rows. */
const MAX_ARTIFACTS = 250;
const MAX_ROWS = 1000;

/** The search index in OpenSearch, which several servers share. */
export function openOpenSearchIndex(options: OpenSearchOptions): SearchIndex {
  const { url, name, log, readingMs } = options;
  const index = indexName(name);
  const connection = openConnection(url, index, log, readingMs);
  const running = new Set<Promise<unknown>>();

  async function trackFor<Result>(
    userId: string,
    work: (docs: UserDocuments) => Promise<Result>,
  ): Promise<Result> {
    requireUuid(userId, 'user id');
    const begun = work(connection.documentsOf(userId));
    running.add(begun);
    return begun.finally(() => running.delete(begun));
  }

  const commit = createGroupCommit<{ userId: string; artifact: ArtifactRows }, void>({
    mostItems: MAX_ARTIFACTS,
    mostSize: MAX_ROWS,
    sizeOf: ({ artifact }) => artifact.rows.length,
    isOfAll: (error) => error instanceof IndexUnavailable,
    async commit(items) {
      const groups = Map.groupBy(items, ({ userId }) => userId);
      const each = Array.from(groups, ([userId, own]) => {
        const artifacts = new Map(own.map(({ artifact }) => [artifact.artifactId, artifact]));
        return replace(connection.documentsOf(userId), [...artifacts.values()], Date.now());
      });
      await Promise.all(each);
      return items.map(() => undefined);
    },
  });

  const replaceEach = (userId: string, artifacts: readonly ArtifactRows[]): Promise<void> =>
    trackFor(userId, async () => {
      await Promise.all(artifacts.map((artifact) => commit({ userId, artifact })));
    });

  async function valuesOf(
    field: 'user' | 'artifact',
    query: Json,
    find: UserDocuments['search'],
  ): Promise<string[]> {
    const found: string[] = [];
    for await (const keys of keysOf(find, query, [field])) {
      found.push(...keys.map((key) => key[field]));
    }
    return found;
  }

  return {
    async replace(userId, artifacts) {
      requireOwnRows(artifacts);
      await replaceEach(userId, artifacts);
    },

    async remove(userId, artifactIds) {
      const gone = artifactIds.map((artifactId) => ({ artifactId, rows: [] }));
      requireOwnRows(gone);
      await replaceEach(userId, gone);
    },

    search: (userId, { terms, limit, ...limits }) =>
      trackFor(userId, async (docs) => {
        const query = { terms: mergeTerms(terms), limit: Math.floor(limit) };
        const allowed = within(limits);
        if (query.terms.length === 0 || limit < 1 || limits.only?.size === 0) return NOTHING_FOUND;
        return search(docs, { ...query, limits: allowed });
      }),

    similarTerms: (userId, terms, isLike) =>
      trackFor(userId, (docs) =>
        similarTerms(docs, [...new Set(terms.flatMap(splitTerms))], isLike),
      ),

    users: () => valuesOf('user', term('kind', 'artifact'), connection.searchAll),

    artifactIds: (userId) =>
      trackFor(
        userId,
        async (docs) => new Set(await valuesOf('artifact', artifactsOf(userId), docs.search)),
      ),

    size: (userId) => trackFor(userId, size),

    rowsAt: (userId, places) =>
      trackFor(userId, async (docs) => {
        for (const { artifactId } of places) requireUuid(artifactId, 'artifact id');
        if (places.length === 0) return [];
        const wanted = Map.groupBy(places, ({ artifactId }) => artifactId);
        const should = Array.from(wanted, ([artifactId, of]) =>
          allOf(term('artifact', artifactId), {
            terms: { ordinal: of.map(({ ordinal }) => ordinal) },
          }),
        );
        const rows = { bool: { should, minimum_should_match: 1 } };
        const found = await readCurrent(docs, { rows, artifactIds: wanted.keys() });
        return [...found.values()];
      }),

    models: (userId) => trackFor(userId, models),

    unembedded: (userId, model, request) =>
      trackFor(userId, (docs) => unembedded(docs, model, request)),

    addVectors: (userId, model, vectors) =>
      trackFor(userId, (docs) => addVectors(docs, model, vectors)),

    completeModel: (userId, model) => trackFor(userId, (docs) => completeModel(docs, model)),

    nearest: (userId, model, { vector, limit, ...limits }) =>
      trackFor(userId, async (docs) => {
        const allowed = within(limits);
        if (limit < 1 || limits.only?.size === 0) return [];
        const query = { vector, limit: Math.floor(limit), limits: allowed };
        return nearest(docs, model, query);
      }),

    purge: (userId) => trackFor(userId, (docs) => purge(docs, Date.now())),

    async removeUser(userId) {
      requireUuid(userId, 'user id');
      await removeUser(connection.documentsOf(userId));
    },

    assertUsable: async () => {
      await connection.searchAll({ size: 0, query: { match_none: {} } });
    },

    async close() {
      while (running.size > 0) await Promise.allSettled(running);
      await connection.close();
    },
  };
}
