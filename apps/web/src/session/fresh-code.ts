import { ApiError } from '@engram/client';
import { FRESH_CODE_NEEDED } from '@engram/contract/browser';
import { createStore, useStore } from '../browser/store.ts';
import { isSignedIn, onSessionChange } from './session.ts';

/** The user did not confirm who they are, so the call was not made. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

export interface FreshCodeAsk {
  confirm: () => void;
  cancel: () => void;
}

const asked = createStore<FreshCodeAsk | null>(null);
let answer: Promise<void> | null = null;

/** Asks for a fresh code; calls that need one at the same time share the question. */
function confirmed(): Promise<void> {
  answer ??= new Promise((resolve, reject) => {
    const close = (settle: () => void) => () => {
      answer = null;
      asked.set(null);
      settle();
    };
    asked.set({ confirm: close(resolve), cancel: close(() => reject(new NotConfirmed())) });
  });
  return answer;
}

onSessionChange(() => {
  if (!isSignedIn()) asked.get()?.cancel();
});

/**
 * Makes a call, and makes it again after a fresh code if the server asks for one.
 * @throws NotConfirmed if the user cancels
 */
export async function withFreshCode<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === FRESH_CODE_NEEDED)) throw error;
    await confirmed();
    return call();
  }
}

export const useFreshCodeAsk = (): FreshCodeAsk | null => useStore(asked, (current) => current);
