import { type Client, createClient, type SendOptions } from '../client.ts';
import {
  APIError,
  ConnectionFailedError,
  EngramError,
  MalformedResponseError,
  StreamBrokenError,
  TransportError,
} from '../errors.ts';
import type { Settings } from './settings.ts';
import { noOthers } from './check.ts';
import type { CallOptions } from './options.ts';
import { createTransport } from './transport.ts';

/** A server that asks for a longer wait is not called again. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const BUSY = new Set([429, 502, 503, 504]);

/**
 * When a call may be sent once more:
 * - `always` done twice it is the same as done once
 * - `unseen` only where the server has done nothing: it was not reached, or answered 429 at its door
 * - `never`  its body can be read once only
 */
export type Repeat = 'always' | 'unseen' | 'never';

/** One call of the API: what it says, when it may be said again, and how it is sent. */
export interface Call<T> {
  repeat: Repeat;
  /** True where the answer goes on after the call has come back. */
  streams?: boolean;
  send: (client: Client, options: SendOptions) => Promise<T>;
}

/** Milliseconds before the next try: what the server asked for, or twice as long each time. */
function pauseBefore(tried: number, retryAfterMs: number | null): number {
  // Not all that were sent away at once shall come back at once.
  const chance = Math.random();
  if (retryAfterMs !== null) return retryAfterMs + 250 * chance;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried) * (0.5 + 0.5 * chance);
}

function mayRepeat(repeat: Repeat, error: unknown): error is EngramError {
  if (repeat === 'never') return false;
  if (error instanceof TransportError) return repeat === 'always' || !error.reached;
  if (!(error instanceof APIError)) return false;
  if ((error.retryAfterMs ?? 0) > LONGEST_WAIT_MS) return false;
  return error.status === 429 || (repeat === 'always' && BUSY.has(error.status));
}

/** What a call ended with, in the words of this package. */
function inOurWords(error: unknown, streams: boolean): unknown {
  if (error instanceof SyntaxError) {
    return new MalformedResponseError('The answer is no JSON. Is this an Engram server?', {
      cause: error,
    });
  }
  return error instanceof StreamBrokenError && !streams
    ? new ConnectionFailedError('The connection broke while the answer came.', { cause: error })
    : error;
}

/** Sends calls until they are answered or there is no use in it. */
export class Runner {
  readonly baseUrl: string;
  readonly sleep: Settings['sleep'];
  readonly #settings: Settings;
  readonly #client: Client;

  constructor(settings: Settings) {
    this.baseUrl = settings.baseUrl;
    this.sleep = settings.sleep;
    this.#settings = settings;
    this.#client = createClient({
      baseUrl: `${settings.baseUrl}/v1`,
      fetch: createTransport(settings),
    });
  }

  /** Makes one call. Throws an EngramError, the reason of an aborted signal, or a TypeError. */
  async call<T>(
    { repeat, send, streams = false }: Call<T>,
    { signal, ...others }: CallOptions = {},
  ): Promise<T> {
    noOthers(others);
    const options = signal ? { signal } : {};
    let renewed = false;
    for (let tried = 0; ; tried += 1) {
      signal?.throwIfAborted();
      try {
        return await send(this.#client, options);
      } catch (thrown) {
        const error = inOurWords(thrown, streams);
        if (error instanceof APIError && error.status === 401 && !renewed) {
          renewed = true;
          if (this.#settings.renews && repeat !== 'never') {
            tried -= 1;
            continue;
          }
        }
        if (tried >= this.#settings.maxRetries || !mayRepeat(repeat, error)) throw error;
        await this.sleep(pauseBefore(tried, error.retryAfterMs), signal);
      }
    }
  }
}
