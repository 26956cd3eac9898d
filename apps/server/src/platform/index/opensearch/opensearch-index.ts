import { createSearchIndex } from '../create-search-index.ts';
import type { IndexLog, SearchIndex } from '../search-index.ts';
import { indexName, type Json, openConnection, type UserDocuments } from './connection.ts';
import { allOf, artifactsOf, keysOf, readCurrent, term, within } from './documents.ts';
import { search, similarTerms, size } from './search.ts';
import { addVectors, completeModel, models, nearest, unembedded } from './vectors.ts';
import { purge, removeUser, replace } from './write.ts';

export interface OpenSearchOptions {
  url: string;
  name: string;
  log: IndexLog;
  /** Default: ten seconds. */
  readTimeoutMs?: number;
}

/** A search index in OpenSearch that several servers can share. */
export function openOpenSearchIndex({
  url,
  name,
  log,
  readTimeoutMs,
}: OpenSearchOptions): SearchIndex {
  const connection = openConnection(url, indexName(name), log, readTimeoutMs);
  const { documentsOf } = connection;

  async function valuesOf(field: 'user' | 'artifact', query: Json, find: UserDocuments['search']) {
    const values: string[] = [];
    for await (const keys of keysOf(find, query, [field])) {
      values.push(...keys.map((key) => key[field]));
    }
    return values;
  }

  return createSearchIndex({
    gatherMs: 0,

    async replace(artifactsOf) {
      await Promise.all(
        Array.from(artifactsOf, ([userId, artifacts]) =>
          replace(documentsOf(userId), artifacts, Date.now()),
        ),
      );
    },

    search: async (userId, { terms, limit, ...limits }) =>
      search(documentsOf(userId), { terms, limit, limits: within(limits) }),

    similarTerms: (userId, terms, isLike) => similarTerms(documentsOf(userId), terms, isLike),

    users: () => valuesOf('user', term('kind', 'artifact'), connection.searchAll),

    artifactIds: async (userId) =>
      new Set(await valuesOf('artifact', artifactsOf(userId), documentsOf(userId).search)),

    size: (userId) => size(documentsOf(userId)),

    async rowsAt(userId, places) {
      const requested = Map.groupBy(places, ({ artifactId }) => artifactId);
      const should = Array.from(requested, ([artifactId, rowPlaces]) =>
        allOf(term('artifact', artifactId), {
          terms: { ordinal: rowPlaces.map(({ ordinal }) => ordinal) },
        }),
      );
      const rows = { bool: { should, minimum_should_match: 1 } };
      const current = await readCurrent(documentsOf(userId), {
        rows,
        artifactIds: requested.keys(),
      });
      return [...current.rows.values()];
    },

    models: (userId) => models(documentsOf(userId)),
    unembedded: (userId, model, request) => unembedded(documentsOf(userId), model, request),
    addVectors: (userId, model, vectors) => addVectors(documentsOf(userId), model, vectors),
    completeModel: (userId, model) => completeModel(documentsOf(userId), model),

    nearest: async (userId, model, { vector, limit, ...limits }) =>
      nearest(documentsOf(userId), model, { vector, limit, limits: within(limits) }),

    purge: (userId) => purge(documentsOf(userId), Date.now()),
    removeUser: (userId) => removeUser(documentsOf(userId)),

    assertUsable: async () => {
      await connection.searchAll({ size: 0, query: { match_none: {} } });
    },

    close: connection.close,
  });
}
