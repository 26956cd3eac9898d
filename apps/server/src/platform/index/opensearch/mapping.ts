import { setTimeout as wait } from 'node:timers/promises';
import { errors } from '@opensearch-project/opensearch';

/**
 * The version of the mapping and its content. Raise it with every change: servers of the new version
 * create another index and fill it from the database, while older ones use theirs.
 */
const VERSION = 1;

export const indexName = (name: string): string => `${name}-v${VERSION}`;

/** How soon a search sees a write. An upload waits for it once. */
const REFRESH = '150ms';

const keyword = { type: 'keyword' };
const stored = { type: 'keyword', index: false, doc_values: false, store: true };

/**
 * Three kinds of documents, routed by their user:
 * - `artifact` names the current revision of an artifact's rows, and their number;
 * - `row` is a chunk of one revision. It never changes except that vectors are added;
 * - `model` is a model of which the user has vectors.
 *
 * A token is `user:term`, so that the frequency of a term is the user's own. Tokens are values that no
 * analyzer changes.
 */
const mappings = {
  dynamic: 'strict',
  _source: { enabled: false },
  _routing: { required: true },
  properties: {
    kind: keyword,
    user: keyword,
    artifact: keyword,
    revision: keyword,
    ordinal: { type: 'integer' },
    length: { type: 'integer' },
    rows: { type: 'integer' },
    /** Whether a row has text of its own to embed. */
    meaning: { type: 'boolean' },
    tokens: { type: 'text', analyzer: 'keyword', index_options: 'freqs' },
    terms: stored,
    content: stored,
    /** The models that embedded a row, and its vectors (see `vectors.ts`). */
    models: keyword,
    vectors: { type: 'binary', doc_values: true },
  },
};

const settings = {
  refresh_interval: REFRESH,
  'sort.field': 'user',
  // Deleted rows leave the disk when segments are merged, so this is done more often.
  'merge.policy.deletes_pct_allowed': 5,
  'similarity.default.type': 'BM25',
  'similarity.default.k1': 1.2,
  'similarity.default.b': 0.75,
};

const exists = (error: unknown): boolean =>
  error instanceof errors.ResponseError &&
  error.body?.error?.type === 'resource_already_exists_exception';

/** Attempts to search a new index, and the delay in milliseconds. */
const TRIES = 20;
const WAIT_MS = 100;

/** Creates the index if necessary. Several servers may do so at once. */
export async function makeIndex(
  request: (method: string, path: string, given: object) => Promise<unknown>,
  index: string,
): Promise<void> {
  await request('PUT', `/${index}`, { body: { settings, mappings } }).catch((error: unknown) => {
    if (!exists(error)) throw error;
  });
  // Another server may have created it, and its shards may not be ready.
  const nothing = { size: 0, query: { match_none: {} } };
  for (let tries = 1; ; tries += 1) {
    try {
      await request('POST', `/${index}/_search`, {
        query: { allow_partial_search_results: false },
        body: nothing,
      });
      return;
    } catch (error) {
      const isSoon = error instanceof errors.ResponseError && error.statusCode === 503;
      if (!isSoon || tries === TRIES) throw error;
      await wait(WAIT_MS);
    }
  }
}
