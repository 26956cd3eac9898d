import { paths } from '../../app/paths.ts';

const KEY = 'googleSignIn';

/** A sign-in that is under way at the provider; what it needs when the browser comes back. */
export interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
  /** The page that the person came for. */
  from: string | null;
  /** Where the person is, if they let Engram know. */
  place: string | null;
}

/** What the provider sends the browser back with. */
export type Returned = { state: string; code: string } | { state: string; error: string };

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Begins a sign-in and keeps it in this tab; answers what the server needs to know of it.
 * @throws Error with a sentence where the browser cannot prove later on that it began it.
 */
export async function beginAttempt(about: Pick<Attempt, 'from' | 'place'>) {
  // Browsers keep it for pages that nobody on the way can change.
  if (!globalThis.crypto?.subtle) {
    throw new Error('Signing in with Google needs an https address.');
  }
  const attempt: Attempt = {
    ...about,
    state: random(),
    nonce: random(),
    codeVerifier: random(),
    redirectUri: new URL(paths.login, window.location.origin).href,
  };
  const verifier = new TextEncoder().encode(attempt.codeVerifier);
  const codeChallenge = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', verifier)));
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  const { state, nonce, redirectUri } = attempt;
  return { state, nonce, redirectUri, codeChallenge };
}

function parse(text: string | null): Attempt | null {
  try {
    return JSON.parse(text ?? 'null') as Attempt | null;
  } catch {
    return null;
  }
}

/** The attempt that this tab began, if it has the given state. Whatever it was, it is over. */
export function takeAttempt(state: string): Attempt | null {
  const attempt = parse(sessionStorage.getItem(KEY));
  sessionStorage.removeItem(KEY);
  return attempt?.state === state ? attempt : null;
}

/** What an address says that the provider sent the browser to; null where it is not one of those. */
export function readReturn(search: string): Returned | null {
  const query = new URLSearchParams(search);
  const [state, code, error] = ['state', 'code', 'error'].map((name) => query.get(name) ?? '');
  if (!state) return null;
  if (code) return { state, code };
  return error ? { state, error } : null;
}
