import { API_KEY_HEADER } from '@engram/contract/browser';
import { baseUrl, credential, refuse, rejectUnknown } from './check.ts';

/** The version of the published package. */
export const VERSION = '0.1.0';

const DEFAULT_URL = 'http://localhost:3000';
const DEFAULT_TIMEOUT_MS = 60_000;

/** Gets a bearer token. Called for each request, and again after a 401. */
export type TokenSource = () => string | Promise<string>;

/** The options of a connection. All have defaults. */
export interface EngramOptions {
  /** The server's address. Default: ENGRAM_BASE_URL, or http://localhost:3000. */
  baseUrl?: string | undefined;
  /** An API key. Default: ENGRAM_API_KEY. */
  apiKey?: string | undefined;
  /** A bearer token instead of a key, or a sync or async function that returns one. */
  token?: string | TokenSource | undefined;
  /** Milliseconds without a byte from the server before a call fails, or null. Default: 60,000. */
  timeout?: number | null | undefined;
  /** The maximum number of retries. Default: 2. */
  maxRetries?: number | undefined;
  /** Sends the requests, for example through a proxy. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Waits before a retry, or until the signal aborts. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
}

const { process } = globalThis as { process?: Partial<NodeJS.Process> };

/** Whether this runs in Node, which has files and streamed requests. */
export const isNode = typeof process?.versions?.node === 'string';

const environment = (name: string): string | undefined => process?.env?.[name] || undefined;

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** The checked options of a connection. */
export interface Settings {
  baseUrl: string;
  /** Milliseconds. */
  timeout: number | null;
  maxRetries: number;
  fetch: typeof globalThis.fetch;
  sleep: NonNullable<EngramOptions['sleep']>;
  /** The headers of each call. */
  headers: () => Promise<Record<string, string>>;
  /** Whether a retry may have another token. */
  renews: boolean;
}

/** The header that authorizes a call. */
function authorize({ apiKey, token }: EngramOptions): () => Promise<Record<string, string>> {
  if (apiKey !== undefined && token !== undefined) {
    return refuse('Pass apiKey or token, not both.', 'two_credentials');
  }
  const bearer = (value: string) => ({ authorization: `Bearer ${credential(value, 'token')}` });
  if (typeof token === 'function') return async () => bearer(await token());
  const key = apiKey ?? environment('ENGRAM_API_KEY');
  if (token === undefined && key === undefined) {
    return refuse('There is no API key: pass apiKey, or set ENGRAM_API_KEY.', 'no_api_key');
  }
  const header =
    token === undefined ? { [API_KEY_HEADER]: credential(key, 'API key') } : bearer(token);
  return async () => header;
}

/** Checks the options of a connection and fills in defaults. */
export function readSettings({
  baseUrl: address = environment('ENGRAM_BASE_URL') ?? DEFAULT_URL,
  apiKey,
  token,
  timeout = DEFAULT_TIMEOUT_MS,
  maxRetries = 2,
  // Browsers require `fetch` to be called on the global object.
  fetch = (input, init) => globalThis.fetch(input, init),
  sleep: wait = sleep,
  ...others
}: EngramOptions): Settings {
  rejectUnknown(others);
  const header = authorize({ apiKey, token });
  if (timeout !== null && !(timeout > 0)) {
    refuse('timeout must be a number of milliseconds above 0.', 'timeout');
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > 100) {
    refuse('maxRetries must be a whole number from 0 to 100.', 'maxRetries');
  }
  // Browsers set their own user agent.
  const userAgent: Record<string, string> = isNode ? { 'user-agent': `engram-kb/${VERSION}` } : {};
  return {
    baseUrl: baseUrl(address),
    timeout,
    maxRetries,
    fetch,
    sleep: wait,
    headers: async () => ({ ...userAgent, ...(await header()) }),
    renews: typeof token === 'function',
  };
}
