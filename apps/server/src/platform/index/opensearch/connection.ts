import { setTimeout as wait } from 'node:timers/promises';
import { Client, errors } from '@opensearch-project/opensearch';
import { IndexUnavailable } from '../index-unavailable.ts';

/** A query of OpenSearch, or a whole request, as JSON. */
export type Json = Record<string, unknown>;

/** One line of a bulk request: what is done to which document, and the document where it has one. */
export interface Operation {
  action: 'index' | 'create' | 'delete';
  /** `_id`, and versions where they matter. */
  target: Json;
  document?: object;
}

/** A document that a search found. */
export interface Hit {
  _id: string;
  _score: number | null;
  _seq_no?: number;
  _primary_term?: number;
  /** Stored fields and doc values, each a list. */
  fields?: Record<string, (string | number | boolean)[]>;
  sort?: (string | number)[];
}

export interface SearchResponse {
  hits: { hits: Hit[] };
  aggregations?: Record<string, unknown>;
  suggest?: Record<string, { text: string; options: { text: string }[] }[]>;
}

/** How long one call may take, in milliseconds: a question is not waited for longer. */
const READING_MS = 10_000;
const WRITING_MS = 60_000;

/** Tries of a write that is refused because there is too much to do, and the first wait between. */
const WRITE_TRIES = 5;
const FIRST_WAIT_MS = 200;

/** An answer of some shards is none, and nobody asks how many documents there are in all. */
const WHOLE = { allow_partial_search_results: false, track_total_hits: false };

const CONFLICT = 409;
const NOT_FOUND = 404;
const isBusy = (status: number): boolean => status === 429 || status === 503;

/** Where it is told that OpenSearch is away; Fastify's log fits. */
export interface IndexLog {
  warn(details: object, message: string): void;
}

export interface ConnectionOptions {
  /** Address of OpenSearch, with user and password where it wants them. */
  url: string;
  index: string;
  log: IndexLog;
  /** Makes the index where it is missing; called again after it was lost. */
  prepare: (request: Connection['request']) => Promise<void>;
  /** For tests; otherwise ten seconds. */
  readingMs?: number | undefined;
}

/** What OpenSearch said, without the request: that holds what files say, and the password. */
const causeOf = (error: Error & { statusCode?: number }): Error =>
  new Error(
    error instanceof errors.ResponseError
      ? `OpenSearch answered ${error.statusCode} (${error.body?.error?.type ?? 'no reason'}).`
      : `${error.name}: ${error.message}`,
  );

/** The one place that decides what a failure of a call means. */
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
  // A request that is wrong is a fault of the driver's.
  return cause;
}

const statusOf = (error: unknown): number =>
  error instanceof errors.ResponseError ? error.statusCode : 0;

/** Opens the connection to OpenSearch; nothing is sent before the first call. */
export function openConnection(options: ConnectionOptions) {
  const { url, index, log, prepare, readingMs = READING_MS } = options;
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

  /** The index is made once; where that fails, or it is lost, the next call tries again. */
  const prepared = (): Promise<void> =>
    (ready ??= prepare(send).catch((error: unknown) => {
      ready = null;
      throw error;
    }));

  /** Asks about the index. A rejection is an {@link IndexUnavailable}, unless the driver is wrong. */
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

  /** The same of a write: tried some times more where there is too much to do. */
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

  /** Does operations on one person's documents once; answers a status for each. */
  async function bulkOnce(routing: string, operations: readonly Operation[], refresh: boolean) {
    const lines = operations.flatMap(({ action, target, document }) => [
      { [action]: target },
      ...(document ? [document] : []),
    ]);
    const query = { routing, ...(refresh ? { refresh: 'wait_for' } : {}) };
    type Item = Record<string, { status: number; error?: { type: string } }>;
    const { items } = await write<{ items: Item[] }>('_bulk', { query, lines });
    return items.map((item) => Object.values(item)[0] ?? { status: 500 });
  }

  return {
    request: send,

    /** Searches among one person's documents; an answer of only a part of them is a failure. */
    search: (userId: string, body: Json): Promise<SearchResponse> =>
      // One copy of a shard answers a person: two calls in a row see the same.
      ask('POST', '_search', {
        query: { routing: userId, preference: userId, ...WHOLE },
        body,
      }),

    /** Searches among everybody's. */
    searchAll: (body: Json): Promise<SearchResponse> =>
      ask('POST', '_search', { query: WHOLE, body }),

    /** Documents by their ids as they were last written, whether or not a search sees them yet. */
    async versions(userId: string, ids: readonly string[]): Promise<Map<string, number>> {
      type Answer = { docs: { _id: string; found?: boolean; _version?: number }[] };
      const query = { routing: userId };
      const { docs } = await ask<Answer>('POST', '_mget', { query, body: { ids } });
      return new Map(docs.flatMap((doc) => (doc.found ? [[doc._id, doc._version ?? 0]] : [])));
    },

    /**
     * Does operations in their order. Answers those that a later version stood in the way of.
     * @param refresh whether to wait until every search sees what was done
     */
    async bulk(
      userId: string,
      operations: readonly Operation[],
      { refresh }: { refresh: boolean },
    ): Promise<Operation[]> {
      const conflicts: Operation[] = [];
      let left = operations;
      for (let tries = 1; left.length > 0; tries += 1) {
        const results = await bulkOnce(userId, left, refresh);
        const busy: Operation[] = [];
        for (const [at, { status, error }] of results.entries()) {
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
    },

    /** Removes what a query finds of a person; answers how many there were. */
    async deleteByQuery(userId: string, query: Json): Promise<number> {
      const answer = await write<{ total: number }>('_delete_by_query', {
        query: { routing: userId, conflicts: 'proceed', refresh: true },
        body: { query },
      });
      return answer.total;
    },

    /** Makes all that was written visible to searches. */
    refresh: (): Promise<unknown> => write('_refresh', {}),

    close: (): Promise<void> => client.close(),
  };
}

/** What is sent with a call. */
interface Sent {
  query?: Record<string, string | boolean>;
  body?: Json;
  lines?: object[];
  timeoutMs?: number;
}

export type Connection = ReturnType<typeof openConnection>;
