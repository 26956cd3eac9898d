import {
  beginDeviceFlow,
  type Client,
  createClient,
  ConnectionEndedError,
  RetryLaterError,
  type OAuthContext,
  renewTokens,
  revokeTokens,
  type Tokens,
  waitForTokens,
} from '@engram/client';
import { permissionFor, readStored, writeConnection } from './stored.ts';

/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;
/** Browsers stop a background script after 30 seconds without an event. */
const AWAKE_MS = 10_000;

const context: OAuthContext = {
  fetch: (input, init) => fetch(input, init),
  clock: {
    now: () => Date.now(),
    async sleep(ms, signal) {
      for (let remaining = ms; remaining > 0; remaining -= AWAKE_MS) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(remaining, AWAKE_MS)));
        signal?.throwIfAborted();
        // Any call of the browser keeps the background script running.
        await chrome.runtime.getPlatformInfo();
      }
    },
  },
};

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

let pairingStart: Promise<void> | null = null;
let waiting: AbortController | null = null;

/** The name under which Engram lists this browser. */
async function connectionName(): Promise<string> {
  const browser = /Firefox|Edg|OPR|Chrome/u.exec(navigator.userAgent)?.[0] ?? 'a browser';
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser;
  const { os } = await chrome.runtime.getPlatformInfo();
  const systems: Record<string, string> = { mac: 'macOS', win: 'Windows', linux: 'Linux' };
  return `Browser extension (${name} on ${systems[os] ?? os})`;
}

async function startPairing(server: string): Promise<void> {
  waiting?.abort();
  waiting = null;
  try {
    const { signal } = new AbortController();
    const pairing = await beginDeviceFlow(context, server, await connectionName(), signal);
    await writeConnection({ server, pairing });
    await chrome.tabs.create({ url: pairing.code.link });
    void resumePairing();
  } catch (error) {
    await writeConnection({ server, problem: messageOf(error) });
  }
}

/** Begins the pairing with the stored server, if the user has permitted access to it. */
export async function pairIfPermitted(): Promise<void> {
  const { connection } = await readStored();
  if (!connection || connection.tokens || connection.pairing) return;
  if (!(await chrome.permissions.contains(permissionFor(connection.server)))) return;
  pairingStart ??= startPairing(connection.server).finally(() => (pairingStart = null));
  await pairingStart;
}

/** Waits until the user has decided about a pairing, even across restarts of the browser. */
export async function resumePairing(): Promise<void> {
  const { connection } = await readStored();
  if (!connection?.pairing || waiting) return;
  const { server, pairing } = connection;
  const { signal } = (waiting = new AbortController());
  try {
    const tokens = await waitForTokens(context, pairing.flow, signal);
    await writeConnection({ server, tokens });
  } catch (error) {
    if (!signal.aborted) await writeConnection({ server, problem: messageOf(error) });
  } finally {
    if (waiting?.signal === signal) waiting = null;
  }
}

export async function cancelPairing(): Promise<void> {
  waiting?.abort();
  waiting = null;
  const { connection } = await readStored();
  if (connection) await writeConnection({ server: connection.server });
}

let renewing: Promise<Tokens> | null = null;

/** Renews the tokens, one call at a time, because the old ones are no longer valid afterwards. */
function renew(server: string, tokens: Tokens): Promise<Tokens> {
  renewing ??= renewTokens(context, tokens)
    .then(async (renewed) => {
      await writeConnection({ server, tokens: renewed });
      return renewed;
    })
    .catch(async (error: unknown) => {
      if (error instanceof ConnectionEndedError)
        await writeConnection({ server, problem: error.message });
      throw error;
    })
    .finally(() => (renewing = null));
  return renewing;
}

/** A client of the paired server. @throws ConnectionEndedError if no server is paired */
export async function openClient(): Promise<Client> {
  const { connection } = await readStored();
  if (!connection?.tokens) throw new ConnectionEndedError('Connect to Engram first.');
  const { server } = connection;
  let { tokens } = connection;
  const send = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, authorization: `Bearer ${tokens.access}` };
    return fetch(input, { ...init, headers, credentials: 'omit' }).catch((error: unknown) => {
      throw new RetryLaterError(`${new URL(server).host} cannot be reached.`, null, error);
    });
  };
  if (tokens.expiresAt - Date.now() < MARGIN_MS) tokens = await renew(server, tokens);
  return createClient({
    baseUrl: `${server}/v1`,
    async fetch(input, init) {
      const response = await send(input, init);
      if (response.status !== 401) return response;
      tokens = await renew(server, tokens);
      return send(input, init);
    },
  });
}

/** Ends the connection in Engram, and deletes the tokens and the permission. */
export async function signOut(): Promise<void> {
  const { connection } = await readStored();
  if (!connection) return;
  const { server, tokens } = connection;
  const problem = await (tokens ? revokeTokens(context, server, tokens) : Promise.resolve()).then(
    () => undefined,
    () => 'Engram cannot be reached. End the connection in its settings, under Connections.',
  );
  await writeConnection({ server, ...(problem ? { problem } : {}) });
  await chrome.permissions.remove(permissionFor(server)).catch(() => false);
}
