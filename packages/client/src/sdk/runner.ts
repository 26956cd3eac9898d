import type { InputOf } from '@engram/contract';
import { type Client, createClient, type SendOptions } from '../client.ts';
import {
  APIError,
  ConnectionFailedError,
  EngramError,
  MalformedResponseError,
  StreamBrokenError,
  TransportError,
} from '../errors.ts';
import { refuse } from './check.ts';
import type { Form } from './form.ts';
import type { CallOptions } from './options.ts';
import { type Page, Pages } from './pages.ts';
import type { Settings } from './settings.ts';
import { checkInput, type Reader, type Spec } from './shape.ts';
import { createTransport } from './transport.ts';

/** If the server asks for a longer wait, the call is not retried. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const BUSY = new Set([429, 502, 503, 504]);

/**
 * When a call may be retried:
 * - `always` the call is idempotent
 * - `unseen` only if the server did nothing: it was not reached, or answered 429
 * - `never`  the body can be read only once
 */
export type Repeat = 'always' | 'unseen' | 'never';

interface Attempt<T> {
  repeat: Repeat;
  /** Whether the response is streamed after the call has returned. */
  streams?: boolean;
  send: (client: Client, options: SendOptions) => Promise<T>;
}

/** Values by their names in this package. */
type Values = Readonly<Record<string, unknown>>;

/** The envelope of a response, which may come from a proxy instead of Engram. */
function envelopeOf(answer: unknown): Record<string, unknown> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) {
    return answer as Record<string, unknown>;
  }
  throw new MalformedResponseError('The answer is no JSON object. Is this an Engram server?');
}

const mergeOptions = (given: Values, options: object): Values => ({
  ...given,
  ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
});

const repeatOf = ({ notRepeatable }: Spec<unknown>): Repeat =>
  notRepeatable ? 'unseen' : 'always';

/**
 * Checks the values of a call and puts them into the request. Throws an ArgumentError, or a TypeError
 * for an unknown option.
 */
function inputOf<T>({ fields }: Spec<T>, values: Values): InputOf<Spec<T>> {
  const input: Record<'params' | 'query', Record<string, unknown>> & { body?: unknown } = {
    params: {},
    query: {},
  };
  const unknown = Object.keys(values).find((name) => !(name in fields));
  if (unknown !== undefined) throw new TypeError(`There is no option '${unknown}'.`);
  for (const [name, { place, wire = name, required, schema }] of Object.entries(fields)) {
    if (place === 'body') input.body ??= {};
    const value = values[name];
    if (value === undefined) {
      if (required) refuse(`${name} is missing.`, name);
      continue;
    }
    const checked = checkInput(schema, value, name);
    if (place === 'whole') input.body = checked;
    else if (place === 'body') Object.assign(input.body as object, { [wire]: checked });
    else input[place === 'path' ? 'params' : 'query'][wire] = checked;
  }
  return input as InputOf<Spec<T>>;
}

/** Milliseconds before the next retry: the server's Retry-After, or exponential backoff. */
function pauseBefore(tried: number, retryAfterMs: number | null): number {
  // Jitter, so that clients do not all retry at the same time.
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

/** The events of a streamed answer. */
export interface OpenEvents {
  first: IteratorResult<{ event: string; data: unknown }, void>;
  rest: AsyncGenerator<{ event: string; data: unknown }, void>;
}

/** Sends calls and retries them. */
export class Runner {
  readonly baseUrl: string;
  readonly sleep: Settings['sleep'];
  readonly read: Reader;
  readonly #settings: Settings;
  readonly #client: Client;

  constructor(settings: Settings, read: Reader) {
    this.read = read;
    this.baseUrl = settings.baseUrl;
    this.sleep = settings.sleep;
    this.#settings = settings;
    this.#client = createClient({
      baseUrl: `${settings.baseUrl}/v1`,
      fetch: createTransport(settings),
    });
  }

  /** Makes one call. Throws an EngramError, the reason of an aborted signal, or a TypeError. */
  async run<T>(spec: Spec<T>, given: Values, { signal, ...options }: CallOptions): Promise<T> {
    const input = inputOf(spec, mergeOptions(given, options));
    const send = async (client: Client, sending: SendOptions): Promise<unknown> => {
      if (spec.kind === 'text') return client.text(spec, input, sending);
      if (spec.kind === 'file') return client.file(spec, input, sending);
      const { data } = envelopeOf(await client.call(spec, input, sending));
      return spec.answer && this.read(spec.answer, data);
    };
    return (await this.#attempt({ repeat: repeatOf(spec), send }, signal)) as T;
  }

  /** Lists the rows of a call page by page. Throws an ArgumentError at once. */
  pages<T>(spec: Spec<T>, given: Values, { signal, ...options }: CallOptions): Pages<T> {
    const values = mergeOptions(given, options);
    const first = inputOf(spec, values);
    const page = (cursor?: string): Promise<Page<T>> => {
      // A cursor continues after the previous page, so the offset does not apply.
      const input = cursor ? inputOf(spec, { ...values, offset: undefined, cursor }) : first;
      const send = async (client: Client, sending: SendOptions): Promise<Page<T>> => {
        const { data, nextCursor, total } = envelopeOf(await client.call(spec, input, sending));
        return {
          rows: this.read({ type: 'array', items: spec.answer ?? {} }, data) as T[],
          nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
          total: typeof total === 'number' ? total : null,
        };
      };
      return this.#attempt({ repeat: 'always', send }, signal);
    };
    return new Pages(page);
  }

  async send<T>(spec: Spec<T>, form: Form, { signal }: CallOptions): Promise<T> {
    const send = async (client: Client, options: SendOptions): Promise<unknown> => {
      const response = await client.send(spec, form.make(), options);
      return this.read(spec.answer ?? {}, envelopeOf(await response.json())['data']);
    };
    const repeat = form.again ? repeatOf(spec) : 'never';
    return (await this.#attempt({ repeat, send }, signal)) as T;
  }

  /** The input of a call whose answer is streamed. Throws an ArgumentError. */
  open<T>(spec: Spec<T>, given: Values, signal: AbortSignal): () => Promise<OpenEvents> {
    const input = inputOf(spec, given);
    const send = async (client: Client): Promise<OpenEvents> => {
      const rest = client.stream(spec, input, { signal });
      return { first: await rest.next(), rest };
    };
    return () => this.#attempt({ repeat: repeatOf(spec), send, streams: true }, signal);
  }

  async #attempt<T>(
    { repeat, send, streams = false }: Attempt<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
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
