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
async function makeIndex(
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

const READING_MS = 10_000;
const WRITING_MS = 60_000;

/** Attempts of a write if there are too many requests, and the first delay. */
const WRITE_TRIES = 5;
const FIRST_WAIT_MS = 200;

/** A result of only some shards is an error, and the number of all hits is not needed. */
const WHOLE = { allow_partial_search_results: false, track_total_hits: false };

const LINES_OF_A_REQUEST = 5000;

const CONFLICT = 409;
const NOT_FOUND = 404;
const isBusy = (status: number): boolean => status === 429 || status === 503;

/** OpenSearch's answer without the request, which contains text of files and the password. */
const causeOf = (error: Error & { statusCode?: number }): Error =>
  new Error(
    error instanceof errors.ResponseError
      ? `OpenSearch answered ${error.statusCode} (${error.body?.error?.type ?? 'no reason'}).`
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

export function openConnection(url: string, index: string, log: IndexLog, readingMs = READING_MS) {
  const { username, password, origin, pathname } = new URL(url);
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const client = new Client({
    node: origin + pathname.replace(/\/$/u, ''),
    ...(username === '' ? {} : { auth }),
    maxRetries: 0,
    requestTimeout: readingMs,
  });

  async function send<Answer>(method: string, path: string, given: Sent = {}): Promise<Answer> {
    const { query: querystring, lines, body, timeoutMs: requestTimeout } = given;
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

  /** Calls the index. A rejection is an {@link IndexUnavailable}, unless the driver has a bug. */
  async function ask<Answer>(method: string, path: string, given: Sent = {}): Promise<Answer> {
    try {
      await prepared();
      return await send<Answer>(method, `/${index}/${path}`, given);
    } catch (error) {
      if (statusOf(error) === NOT_FOUND) ready = null;
      const failure = toFailure(error);
      if (failure instanceof IndexUnavailable) {
        log.warn(
          { reason: failure.reason, err: failure.cause },
          'the search index was not reached',
        );
      }
      throw failure;
    }
  }

  /** The same for a write, which is tried again if there are too many requests. */
  async function write<Answer>(path: string, given: Sent): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask<Answer>('POST', path, { timeoutMs: WRITING_MS, ...given });
      } catch (error) {
        const isFull = error instanceof IndexUnavailable && error.reason === 'full';
        if (!isFull || tries === WRITE_TRIES) throw error;
        await wait(FIRST_WAIT_MS * 2 ** (tries - 1));
      }
    }
  }

  /** Executes operations, again those for which there are too many requests. */
  async function bulkPart(userId: string, operations: readonly Operation[], refresh: boolean) {
    const conflicts: Operation[] = [];
    let left = operations;
    for (let tries = 1; left.length > 0; tries += 1) {
      const lines = left.flatMap(({ action, target, document }) => [
        { [action]: target },
        ...(document ? [document] : []),
      ]);
      const query = { routing: userId, ...(refresh ? { refresh: 'wait_for' } : {}) };
      type Item = Record<string, { status: number; error?: { type: string } }>;
      const { items } = await write<{ items: Item[] }>('_bulk', { query, lines });
      const busy: Operation[] = [];
      for (const [at, item] of items.entries()) {
        const { status = 500, error } = Object.values(item)[0] ?? {};
        const operation = left[at];
        const isGone = status === NOT_FOUND && operation?.action === 'delete';
        if (!operation || status < 300 || isGone) continue;
        const cause = new Error(`OpenSearch answered ${status} (${error?.type}) to a write.`);
        if (status === CONFLICT) conflicts.push(operation);
        else if (!isBusy(status)) throw cause;
        else if (tries === WRITE_TRIES) throw new IndexUnavailable('full', cause);
        else busy.push(operation);
      }
      left = busy;
      if (left.length > 0) await wait(FIRST_WAIT_MS * 2 ** (tries - 1));
    }
    return conflicts;
  }

  const documentsOf = (userId: string) => ({
    userId,

    search: (body: Json): Promise<SearchResponse> =>
      // Two calls of a user read the same copy of a shard, so that they see the same.
      ask('POST', '_search', {
        query: { routing: userId, preference: userId, ...WHOLE },
        body,
      }),

    async versions(ids: readonly string[]): Promise<Map<string, number>> {
      type Answer = { docs: { _id: string; found?: boolean; _version?: number }[] };
      const query = { routing: userId };
      const { docs } = await ask<Answer>('POST', '_mget', { query, body: { ids } });
      return new Map(docs.flatMap((doc) => (doc.found ? [[doc._id, doc._version ?? 0]] : [])));
    },

    /** Executes operations in order, `most` at once, and returns those with a version conflict. */
    async bulk(operations: readonly Operation[], refresh: boolean, most = LINES_OF_A_REQUEST) {
      const conflicts: Operation[] = [];
      for (let at = 0; at < operations.length; at += most) {
        const part = operations.slice(at, at + most);
        const isLast = at + most >= operations.length;
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
      ask('POST', '_search', { query: WHOLE, body }),

    close: (): Promise<void> => client.close(),
  };
}

interface Sent {
  query?: Record<string, string | boolean>;
  body?: Json;
  lines?: object[];
  timeoutMs?: number;
}

export type UserDocuments = ReturnType<ReturnType<typeof openConnection>['documentsOf']>;
