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
import { buildForm, type Form } from './form.ts';
import type { CallOptions } from './options.ts';
import { type Page, Pages } from './pages.ts';
import type { Settings } from './settings.ts';
import { checkInput, type Reader, type Spec } from './shape.ts';
import { createTransport } from './transport.ts';

/** If the server asks for a longer wait, the call is not retried. */
const MAX_RETRY_AFTER_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
const BUSY = new Set([429, 502, 503, 504]);

/**
 * When a call may be retried:
 * - `always` the call is idempotent
 * - `unprocessed` only if the server was not reached, or answered 429
 * - `never` the body can be read only once
 */
type Repeat = 'always' | 'unprocessed' | 'never';

interface Attempt<T> {
  repeat: Repeat;
  /** Whether the response is streamed after the call has returned. */
  streams?: boolean;
  send: (client: Client, options: SendOptions) => Promise<T>;
}

/** Values by their names in this package. */
type Values = Readonly<Record<string, unknown>>;

/** The envelope of a response. A response without one comes from a proxy. */
function envelopeOf(answer: unknown): Record<string, unknown> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) {
    return answer as Record<string, unknown>;
  }
  throw new MalformedResponseError('The response is not a JSON object. Is this an Engram server?');
}

const mergeOptions = (values: Values, options: object): Values => ({
  ...values,
  ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
});

const repeatOf = ({ notRepeatable }: Spec<unknown>): Repeat =>
  notRepeatable ? 'unprocessed' : 'always';

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
function backoffMs(attempt: number, retryAfterMs: number | null): number {
  const jitter = Math.random();
  if (retryAfterMs !== null) return retryAfterMs + 250 * jitter;
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.5 + 0.5 * jitter);
}

function mayRepeat(repeat: Repeat, error: unknown): error is EngramError {
  if (repeat === 'never') return false;
  if (error instanceof TransportError) return repeat === 'always' || !error.reached;
  if (!(error instanceof APIError)) return false;
  if ((error.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
  return error.status === 429 || (repeat === 'always' && BUSY.has(error.status));
}

function toEngramError(error: unknown, streams: boolean): unknown {
  if (error instanceof SyntaxError) {
    return new MalformedResponseError('The response is not JSON. Is this an Engram server?', {
      cause: error,
    });
  }
  return error instanceof StreamBrokenError && !streams
    ? new ConnectionFailedError('The connection broke during the response.', { cause: error })
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
  async run<T>(spec: Spec<T>, values: Values, { signal, ...options }: CallOptions): Promise<T> {
    const input = inputOf(spec, mergeOptions(values, options));
    const send = async (client: Client, sending: SendOptions): Promise<unknown> => {
      if (spec.kind === 'text') return client.text(spec, input, sending);
      if (spec.kind === 'file') return client.file(spec, input, sending);
      const { data } = envelopeOf(await client.call(spec, input, sending));
      return spec.answer && this.read(spec.answer, data);
    };
    return (await this.#attempt({ repeat: repeatOf(spec), send }, signal)) as T;
  }

  /** Lists the rows of a call page by page. Throws an ArgumentError immediately. */
  pages<T>(spec: Spec<T>, args: Values, { signal, ...options }: CallOptions): Pages<T> {
    const values = mergeOptions(args, options);
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
      const response = await client.send(spec, buildForm(form), options);
      return this.read(spec.answer ?? {}, envelopeOf(await response.json())['data']);
    };
    const repeat = form.parts.every(({ isRepeatable }) => isRepeatable) ? repeatOf(spec) : 'never';
    return (await this.#attempt({ repeat, send }, signal)) as T;
  }

  /** Checks a call whose answer is streamed. Returns a function that sends it. */
  open<T>(spec: Spec<T>, values: Values, signal: AbortSignal): () => Promise<OpenEvents> {
    const input = inputOf(spec, values);
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
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        return await send(this.#client, options);
      } catch (thrown) {
        const error = toEngramError(thrown, streams);
        if (error instanceof APIError && error.status === 401 && !renewed) {
          renewed = true;
          if (this.#settings.renews && repeat !== 'never') {
            attempt -= 1;
            continue;
          }
        }
        if (attempt >= this.#settings.maxRetries || !mayRepeat(repeat, error)) throw error;
        await this.sleep(backoffMs(attempt, error.retryAfterMs), signal);
      }
    }
  }
}
