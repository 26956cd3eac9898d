import { setTimeout as wait } from 'node:timers/promises';
import { Client, errors } from '@opensearch-project/opensearch';
import { IndexUnavailable } from '../index-unavailable.ts';
import type { IndexLog } from '../search-index.ts';

/**
 * The version of the mapping and its content. Raise it with every change: servers of the new version
 * create another index and fill it from the database, while older ones use theirs.
 */
const VERSION = 1;

export const indexName = (name: string): string => `${name}-v${VERSION}`;

/** How soon a search sees a write. Each upload waits for it once. */
const REFRESH = '150ms';

const keyword = { type: 'keyword' };
const stored = { type: 'keyword', index: false, doc_values: false, store: true };

/**
 * Three kinds of documents, routed by their user:
 * - `artifact` names the current revision of an artifact's rows, and their number;
 * - `row` is a chunk of one revision. Only vectors are added later;
 * - `model` is a model for which the user has vectors.
 *
 * A token is `user:term`, so that term frequencies are per user. No analyzer changes tokens.
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
    /** Whether a row has text to embed. */
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
  // Merging segments removes deleted rows from the disk, so it is done more often.
  'merge.policy.deletes_pct_allowed': 5,
  'similarity.default.type': 'BM25',
  'similarity.default.k1': 1.2,
  'similarity.default.b': 0.75,
};

const exists = (error: unknown): boolean =>
  error instanceof errors.ResponseError &&
  error.body?.error?.type === 'resource_already_exists_exception';

/** The attempts to search a new index, and the delay in milliseconds. */
const TRIES = 20;
const WAIT_MS = 100;

/** Creates the index if necessary. Several servers may do so at once. */
async function makeIndex(
  request: (method: string, path: string, options: object) => Promise<unknown>,
  index: string,
): Promise<void> {
  await request('PUT', `/${index}`, { body: { settings, mappings } }).catch((error: unknown) => {
    if (!exists(error)) throw error;
  });
  // Another server may have created it, and its shards may not be ready.
  const emptyQuery = { size: 0, query: { match_none: {} } };
  for (let tries = 1; ; tries += 1) {
    try {
      await request('POST', `/${index}/_search`, {
        query: { allow_partial_search_results: false },
        body: emptyQuery,
      });
      return;
    } catch (error) {
      const isNotReady = error instanceof errors.ResponseError && error.statusCode === 503;
      if (!isNotReady || tries === TRIES) throw error;
      await wait(WAIT_MS);
    }
  }
}

export type Json = Record<string, unknown>;

export interface Operation {
  action: 'index' | 'create' | 'delete';
  target: Json;
  document?: object;
}

export interface Hit {
  _id: string;
  _score: number | null;
  _seq_no?: number;
  _primary_term?: number;
  fields?: Record<string, (string | number | boolean)[]>;
  sort?: (string | number)[];
}

interface SearchResponse {
  hits: { hits: Hit[] };
  aggregations?: Record<string, unknown>;
  suggest?: Record<string, { text: string; options: { text: string }[] }[]>;
}

const READ_TIMEOUT_MS = 10_000;
const WRITE_TIMEOUT_MS = 60_000;

/** The attempts of a write if OpenSearch is overloaded, and the first delay. */
const WRITE_TRIES = 5;
const FIRST_WAIT_MS = 200;

/** Partial results are errors, and the total is not needed. */
const COMPLETE_RESULTS = { allow_partial_search_results: false, track_total_hits: false };

const MAX_BATCH = 5000;

const CONFLICT = 409;
const NOT_FOUND = 404;
const isBusy = (status: number): boolean => status === 429 || status === 503;

/** OpenSearch's error without the request, which contains text of files and the password. */
const causeOf = (error: Error & { statusCode?: number }): Error =>
  new Error(
    error instanceof errors.ResponseError
      ? `OpenSearch responded with ${error.statusCode} (${error.body?.error?.type ?? 'no reason'}).`
      : `${error.name}: ${error.message}`,
  );

function toFailure(error: unknown): Error {
  if (!(error instanceof errors.OpenSearchClientError)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const cause = causeOf(error);
  if (error instanceof errors.TimeoutError) return new IndexUnavailable('slow', cause);
  if (!(error instanceof errors.ResponseError)) return new IndexUnavailable('down', cause);
  const { statusCode } = error;
  if (statusCode === 401 || statusCode === 403) return new IndexUnavailable('refused', cause);
  if (statusCode === 429) return new IndexUnavailable('full', cause);
  if (statusCode >= 500 || statusCode === NOT_FOUND) return new IndexUnavailable('down', cause);
  // Otherwise the driver sent an invalid request.
  return cause;
}

const statusOf = (error: unknown): number =>
  error instanceof errors.ResponseError ? error.statusCode : 0;

export function openConnection(
  url: string,
  index: string,
  log: IndexLog,
  readTimeoutMs = READ_TIMEOUT_MS,
) {
  const { username, password, origin, pathname } = new URL(url);
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const client = new Client({
    node: origin + pathname.replace(/\/$/u, ''),
    ...(username === '' ? {} : { auth }),
    maxRetries: 0,
    requestTimeout: readTimeoutMs,
  });

  async function send<Answer>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const { query: querystring, lines, body, timeoutMs: requestTimeout } = options;
    const request = { method, path, querystring, ...(lines ? { bulkBody: lines } : { body }) };
    const response = await client.transport.request(request, { requestTimeout });
    return response.body as Answer;
  }

  let ready: Promise<void> | null = null;

  const prepared = (): Promise<void> =>
    (ready ??= makeIndex(send<unknown>, index).catch((error: unknown) => {
      ready = null;
      throw error;
    }));

  /** Calls the index. Rejects with {@link IndexUnavailable}, unless the driver has a bug. */
  async function call<Answer>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    try {
      await prepared();
      return await send<Answer>(method, `/${index}/${path}`, options);
    } catch (error) {
      if (statusOf(error) === NOT_FOUND) ready = null;
      const failure = toFailure(error);
      if (failure instanceof IndexUnavailable) {
        log.warn({ reason: failure.reason, err: failure.cause }, 'the search index is unavailable');
      }
      throw failure;
    }
  }

  /** Like `call`, for a write that is retried if OpenSearch is overloaded. */
  async function write<Answer>(path: string, options: RequestOptions): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await call<Answer>('POST', path, { timeoutMs: WRITE_TIMEOUT_MS, ...options });
      } catch (error) {
        const isFull = error instanceof IndexUnavailable && error.reason === 'full';
        if (!isFull || tries === WRITE_TRIES) throw error;
        await wait(FIRST_WAIT_MS * 2 ** (tries - 1));
      }
    }
  }

  /** Executes operations, and retries those for which OpenSearch is overloaded. */
  async function bulkPart(userId: string, operations: readonly Operation[], refresh: boolean) {
    const conflicts: Operation[] = [];
    let remaining = operations;
    for (let tries = 1; remaining.length > 0; tries += 1) {
      const lines = remaining.flatMap(({ action, target, document }) => [
        { [action]: target },
        ...(document ? [document] : []),
      ]);
      const query = { routing: userId, ...(refresh ? { refresh: 'wait_for' } : {}) };
      type Item = Record<string, { status: number; error?: { type: string } }>;
      const { items } = await write<{ items: Item[] }>('_bulk', { query, lines });
      const busy: Operation[] = [];
      for (const [index, item] of items.entries()) {
        const { status = 500, error } = Object.values(item)[0] ?? {};
        const operation = remaining[index];
        const isAlreadyDeleted = status === NOT_FOUND && operation?.action === 'delete';
        if (!operation || status < 300 || isAlreadyDeleted) continue;
        const cause = new Error(`OpenSearch responded with ${status} (${error?.type}) to a write.`);
        if (status === CONFLICT) conflicts.push(operation);
        else if (!isBusy(status)) throw cause;
        else if (tries === WRITE_TRIES) throw new IndexUnavailable('full', cause);
        else busy.push(operation);
      }
      remaining = busy;
      if (remaining.length > 0) await wait(FIRST_WAIT_MS * 2 ** (tries - 1));
    }
    return conflicts;
  }

  const documentsOf = (userId: string) => ({
    userId,

    search: (body: Json): Promise<SearchResponse> =>
      // Calls of one user read the same copy of a shard, so that they are consistent.
      call('POST', '_search', {
        query: { routing: userId, preference: userId, ...COMPLETE_RESULTS },
        body,
      }),

    async versions(ids: readonly string[]): Promise<Map<string, number>> {
      type Answer = { docs: { _id: string; found?: boolean; _version?: number }[] };
      const query = { routing: userId };
      const { docs } = await call<Answer>('POST', '_mget', { query, body: { ids } });
      return new Map(docs.flatMap((doc) => (doc.found ? [[doc._id, doc._version ?? 0]] : [])));
    },

    /** Executes operations in order, and returns those with a version conflict. */
    async bulk(operations: readonly Operation[], refresh: boolean, batchSize = MAX_BATCH) {
      const conflicts: Operation[] = [];
      for (let start = 0; start < operations.length; start += batchSize) {
        const part = operations.slice(start, start + batchSize);
        const isLast = start + batchSize >= operations.length;
        conflicts.push(...(await bulkPart(userId, part, refresh && isLast)));
      }
      return conflicts;
    },

    async deleteByQuery(query: Json): Promise<number> {
      const answer = await write<{ total: number }>('_delete_by_query', {
        query: { routing: userId, conflicts: 'proceed', refresh: true },
        body: { query },
      });
      return answer.total;
    },

    refresh: (): Promise<unknown> => write('_refresh', {}),
  });

  return {
    documentsOf,

    searchAll: (body: Json): Promise<SearchResponse> =>
      call('POST', '_search', { query: COMPLETE_RESULTS, body }),

    close: (): Promise<void> => client.close(),
  };
}

interface RequestOptions {
  query?: Record<string, string | boolean>;
  body?: Json;
  lines?: object[];
  timeoutMs?: number;
}

export type UserDocuments = ReturnType<ReturnType<typeof openConnection>['documentsOf']>;
