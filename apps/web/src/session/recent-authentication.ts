import { ApiError } from '@engram/client';
import { FRESH_CODE_NEEDED } from '@engram/contract/browser';
import { createStore, useStore } from '../browser/store.ts';
import { isSignedIn, onSessionChange } from './session.ts';

/** The user cancelled the authentication, so the call was not made. */
export class AuthenticationCancelled extends Error {
  override readonly name = 'AuthenticationCancelled';
}

export interface AuthenticationPrompt {
  confirm: () => void;
  cancel: () => void;
}

const prompt = createStore<AuthenticationPrompt | null>(null);
let pending: Promise<void> | null = null;

/** Asks the user to authenticate. Concurrent calls share one prompt. */
function authenticate(): Promise<void> {
  pending ??= new Promise((resolve, reject) => {
    const close = (settle: () => void) => () => {
      pending = null;
      prompt.set(null);
      settle();
    };
    prompt.set({
      confirm: close(resolve),
      cancel: close(() => reject(new AuthenticationCancelled())),
    });
  });
  return pending;
}

onSessionChange(() => {
  if (!isSignedIn()) prompt.get()?.cancel();
});

/**
 * Makes a call. If the server requires recent authentication, it is made again after a new code.
 * @throws AuthenticationCancelled if the user cancels
 */
export async function withRecentAuthentication<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === FRESH_CODE_NEEDED)) throw error;
    await authenticate();
    return call();
  }
}

export const useAuthenticationPrompt = (): AuthenticationPrompt | null => useStore(prompt);
