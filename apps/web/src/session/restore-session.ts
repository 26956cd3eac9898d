import { ApiError } from '@engram/client';
import { refreshSession } from '@engram/contract/browser';
import { createContext, use } from 'react';
import { api } from '../api/api.ts';
import { isSignedIn, storeSession } from './session.ts';

const TIMEOUT_MS = 8000;

const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/**
 * Restores the session of another tab or an earlier visit from its cookie.
 * @throws if the server cannot be reached or fails
 */
export async function restoreSession(): Promise<void> {
  if (isSignedIn()) return;
  try {
    const { data } = await api.call(
      refreshSession,
      { body: { ifAny: true } },
      { signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    if (data) storeSession(data);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
  }
}

interface SessionRestoration {
  /** Why the session could not be restored; null without an error. */
  error: unknown;
  retry: () => void;
}

export const SessionRestorationContext = createContext<SessionRestoration>({
  error: null,
  retry: () => undefined,
});

export const useSessionRestoration = (): SessionRestoration => use(SessionRestorationContext);
