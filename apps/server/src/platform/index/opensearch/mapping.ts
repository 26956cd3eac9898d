import { setTimeout as wait } from 'node:timers/promises';
import { errors } from '@opensearch-project/opensearch';
import type { Connection } from './connection.ts';

/**
 * The version of the mapping and of what stands in it. Raise it with every change: servers of the new
 * version make an index of their own and fill it from the database, while older ones go on with theirs.
 */
const VERSION = 1;

export const indexName = (name: string): string => `${name}-v${VERSION}`;

/** How soon a search sees what was written: an upload waits for it, once. */
const REFRESH = '150ms';

const keyword = { type: 'keyword' };
/** Kept to be read back, and never looked for. */
const stored = { type: 'keyword', index: false, doc_values: false, store: true };

/**
 * Three kinds of documents, all of them on the shard of their person:
 * - `artifact`, which names the revision whose rows are the artifact's, with how many there are;
 * - `row`, a chunk of one revision. It never changes but for the vectors that are added to it;
 * - `model`, of which the person has vectors.
 *
 * A token is `user:term`: a term's list of entries is one person's, and its frequency too. They come
 * already cut, so each is a value of its own that no analyzer looks into.
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
    /** Terms of a row; of an artifact those of all rows. */
    length: { type: 'integer' },
    /** Rows of an artifact. */
    rows: { type: 'integer' },
    /** Whether a row has text of its own, and so a meaning. */
    meaning: { type: 'boolean' },
    tokens: { type: 'text', analyzer: 'keyword', index_options: 'freqs' },
    terms: stored,
    content: stored,
    /** The models by which a row was embedded, and what came of it (see `vector-codec.ts`). */
    models: keyword,
    vectors: { type: 'binary', doc_values: true },
  },
};

const settings = {
  refresh_interval: REFRESH,
  // What is one person's stands together on the disk.
  'sort.field': 'user',
  // Removed rows leave the disk when segments are merged: more of them, sooner.
  'merge.policy.deletes_pct_allowed': 5,
  'similarity.default.type': 'BM25',
  'similarity.default.k1': 1.2,
  'similarity.default.b': 0.75,
};

const exists = (error: unknown): boolean =>
  error instanceof errors.ResponseError &&
  error.body?.error?.type === 'resource_already_exists_exception';

/** How often and after what time, in milliseconds, it is asked whether a new index answers. */
const TRIES = 20;
const WAIT_MS = 100;

/** Makes the index where it is missing; any number of servers may do so at once. */
export async function makeIndex(request: Connection['request'], index: string): Promise<void> {
  await request('PUT', `/${index}`, { body: { settings, mappings } }).catch((error: unknown) => {
    if (!exists(error)) throw error;
  });
  // Whoever comes second finds an index whose shards may still be on their way.
  const nothing = { size: 0, query: { match_none: {} } };
  for (let tries = 1; ; tries += 1) {
    try {
      return await request('POST', `/${index}/_search`, {
        query: { allow_partial_search_results: false },
        body: nothing,
      });
    } catch (error) {
      const isSoon = error instanceof errors.ResponseError && error.statusCode === 503;
      if (!isSoon || tries === TRIES) throw error;
      await wait(WAIT_MS);
    }
  }
}
