import { ApiError } from '@engram/client';
import { refreshSession } from '@engram/contract/browser';
import { createContext, use } from 'react';
import { api } from '../api/api.ts';
import { isSignedIn, storeSession } from './session.ts';

/** How long a page may wait for its session; a server that is slower than this is as good as down. */
const PATIENCE_MS = 8000;

/** Whether the server has said that nobody is signed in, rather than nothing at all. */
const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/**
 * Brings the session of another tab, or of the last visit, into this one by its cookie.
 * Without such a session the person stays signed out.
 * @throws when the server could not say whether there is one.
 */
export async function restoreSession(): Promise<void> {
  if (isSignedIn()) return;
  try {
    const { data } = await api.call(
      refreshSession,
      { body: { ifAny: true } },
      { signal: AbortSignal.timeout(PATIENCE_MS) },
    );
    if (data) storeSession(data);
  } catch (error) {
    // Being signed out is no failure: the sign-in page is the answer.
    if (!isSignedOut(error)) throw error;
  }
}

export interface SessionRestoration {
  /** Why it is not known whether somebody is signed in; null when it is. */
  error: unknown;
  /** Asks the server again. */
  retry: () => void;
}

export const SessionRestorationContext = createContext<SessionRestoration>({
  error: null,
  retry: () => undefined,
});

/** How bringing back the session went. */
export const useSessionRestoration = (): SessionRestoration => use(SessionRestorationContext);
