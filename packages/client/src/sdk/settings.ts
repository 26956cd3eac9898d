import { API_KEY_HEADER } from '@engram/contract/browser';
import { baseUrl, credential, refuse, within } from './check.ts';
import { VERSION } from './version.ts';

const DEFAULT_URL = 'http://localhost:3000';
const DEFAULT_TIMEOUT = 60;

/** Where bearer tokens come from that are renewed, such as those of a login. */
export interface TokenSource {
  /** A token that is good as far as its source knows. */
  token(): string | Promise<string>;
  /** Gets another token, as the last one was not taken; false where there is none. */
  renew(): boolean | Promise<boolean>;
}

/** What a connection is made with. All of it has a default. */
export interface EngramOptions {
  /** The server's address; else ENGRAM_BASE_URL, else http://localhost:3000. */
  baseUrl?: string | undefined;
  /** A key of yours; else ENGRAM_API_KEY. */
  apiKey?: string | undefined;
  /** A bearer token in the place of a key, or what gets one. */
  token?: string | TokenSource | undefined;
  /** Seconds that the server may say nothing for; null for no end. Default: 60. */
  timeout?: number | null | undefined;
  /** How often a call is sent again that may be. Default: 2. */
  maxRetries?: number | undefined;
  /** Sends the requests, with proxies and certificates of your own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Waits so many seconds between two tries, or until the signal says to stop. */
  sleep?: ((seconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
}

/** The process that this runs in; there is none in a browser. */
const ownProcess = (globalThis as { process?: Partial<NodeJS.Process> }).process;

/** Whether there are files to read, and requests can be written while they are sent. */
export const isNode = typeof ownProcess?.versions?.node === 'string';

const environment = (name: string): string | undefined => ownProcess?.env?.[name] || undefined;

/** Waits so many seconds; an aborted signal ends it with its reason. */
const sleep = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** What a connection is made with, checked. */
export interface Settings {
  baseUrl: string;
  timeout: number | null;
  maxRetries: number;
  fetch: typeof globalThis.fetch;
  sleep: NonNullable<EngramOptions['sleep']>;
  /** The headers of each call. */
  headers: () => Promise<Record<string, string>>;
  renew: () => Promise<boolean>;
}

function chooseCredential({ apiKey, token }: EngramOptions): { key: string } | TokenSource {
  if (apiKey && token) return refuse('Hand in a key or a token, not both.', 'two_credentials');
  if (typeof token === 'object') return token;
  if (token) {
    const checked = credential(token, 'token');
    return { token: () => checked, renew: () => false };
  }
  const key = apiKey || environment('ENGRAM_API_KEY');
  return key
    ? { key: credential(key, 'API key') }
    : refuse('There is no API key: hand in apiKey, or set ENGRAM_API_KEY.', 'no_api_key');
}

/** Checks what a connection is made with, and fills in what is left out. */
export function readSettings(options: EngramOptions): Settings {
  const { timeout = DEFAULT_TIMEOUT, maxRetries = 2 } = options;
  const opensWith = chooseCredential(options);
  if (timeout !== null && !(timeout > 0)) {
    refuse('timeout is a number of seconds above 0.', 'timeout');
  }
  // A browser names itself.
  const ours: Record<string, string> = isNode ? { 'user-agent': `engram-kb/${VERSION}` } : {};
  return {
    baseUrl: baseUrl(options.baseUrl || environment('ENGRAM_BASE_URL') || DEFAULT_URL),
    timeout,
    maxRetries: within(maxRetries, 0, 100, 'maxRetries'),
    // A browser's own function minds whom it is called on.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleep,
    headers: async () =>
      'key' in opensWith
        ? { ...ours, [API_KEY_HEADER]: opensWith.key }
        : { ...ours, authorization: `Bearer ${await opensWith.token()}` },
    renew: async () => 'renew' in opensWith && (await opensWith.renew()),
  };
}
