import { ApiError } from '@engram/client';
import { refreshSession } from '@engram/contract/browser';
import { api } from '../api/api.ts';
import { createStore } from '../browser/store.ts';
import { onSessionChange, storeSession } from './session.ts';

const TIMEOUT_MS = 8000;

const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/** Why the session could not be restored: the server cannot be reached or fails. Null otherwise. */
export const restorationError = createStore<unknown>(null);

onSessionChange(() => restorationError.set(null));

/** Restores the session of another tab or an earlier visit from its cookie. */
export async function restoreSession(): Promise<void> {
  try {
    const { data } = await api.call(
      refreshSession,
      { body: { ifAny: true } },
      { signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    if (data) storeSession(data);
    restorationError.set(null);
  } catch (error) {
    restorationError.set(isSignedOut(error) ? null : error);
  }
}
