import { refreshSession } from '@engram/contract/browser';
import { api } from './api.ts';
import { isSignedIn, storeSession } from './session.ts';

/** How long a page may wait for its session; a server that is slower than this is as good as down. */
const PATIENCE_MS = 8000;

/**
 * Brings the session of another tab, or of the last visit, into this one by its cookie.
 * Without such a session, or without the server, the person stays signed out.
 */
export async function restoreSession(): Promise<void> {
  if (isSignedIn()) return;
  try {
    const { data } = await api.call(
      refreshSession,
      {},
      { signal: AbortSignal.timeout(PATIENCE_MS) },
    );
    storeSession(data);
  } catch {
    // Being signed out is no failure: the sign-in page is the answer.
  }
}
