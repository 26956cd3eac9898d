import { paths } from '../../app/paths.ts';

const KEY = 'googleSignIn';

/** A sign-in at Google that this tab began, as it is needed when the browser comes back. */
interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
  /** The page that the user opened. */
  from: string | null;
  /** The name of the user's location, if it is known. */
  place: string | null;
}

/** The parameters that Google sends the browser back with. */
export type Returned = { state: string; code: string } | { state: string; error: string };

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Stores a new attempt in this tab and returns what the server needs for it (OAuth with PKCE).
 * @throws Error with a sentence if the address is not secure, where browsers offer no digest
 */
export async function beginAttempt(about: Pick<Attempt, 'from' | 'place'>) {
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

/** Removes this tab's attempt, and returns it if it has the given state. */
export function takeAttempt(state: string): Attempt | null {
  try {
    const attempt = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Attempt | null;
    return attempt?.state === state ? attempt : null;
  } catch {
    return null;
  } finally {
    sessionStorage.removeItem(KEY);
  }
}

/** Parses the query that Google sends the browser back with; null for any other query. */
export function readReturn(search: string): Returned | null {
  const query = new URLSearchParams(search);
  const [state, code, error] = ['state', 'code', 'error'].map((name) => query.get(name));
  if (!state) return null;
  if (code) return { state, code };
  return error ? { state, error } : null;
}
