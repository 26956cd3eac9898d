import { ApiError } from '@engram/client';
import { refreshSession } from '@engram/contract/browser';
import { createContext, use } from 'react';
import { api } from '../api/api.ts';
import { isSignedIn, storeSession } from './session.ts';

/** How long a page waits for its session; a slower server counts as down. */
const PATIENCE_MS = 8000;

/** Whether the server answered that nobody is signed in. */
const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/**
 * Restores the session of another tab or of the last visit from its cookie, if there is one.
 * @throws if the server does not say whether there is one
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
    if (!isSignedOut(error)) throw error;
  }
}

interface SessionRestoration {
  /** Why it is not known whether somebody is signed in; null if it is. */
  error: unknown;
  retry: () => void;
}

export const SessionRestorationContext = createContext<SessionRestoration>({
  error: null,
  retry: () => undefined,
});

export const useSessionRestoration = (): SessionRestoration => use(SessionRestorationContext);
