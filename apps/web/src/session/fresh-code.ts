import { ApiError } from '@engram/client';
import { FRESH_CODE_NEEDED } from '@engram/contract/browser';
import { useSyncExternalStore } from 'react';
import { isSignedIn, onSessionChange } from './session.ts';

/** Somebody did not confirm who they are: what they asked for was not done, and nothing failed. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/** A question for a fresh code that waits for its answer. */
export interface FreshCodeAsk {
  confirm: () => void;
  cancel: () => void;
}

let asked: FreshCodeAsk | null = null;
let answer: Promise<void> | null = null;
const listeners = new Set<() => void>();

function show(next: FreshCodeAsk | null): void {
  asked = next;
  if (next === null) answer = null;
  for (const listener of listeners) listener();
}

/** Asks for a fresh code; calls that need one at the same time share the question. */
function confirmed(): Promise<void> {
  answer ??= new Promise((resolve, reject) => {
    const close = (settle: () => void) => () => {
      show(null);
      settle();
    };
    show({ confirm: close(resolve), cancel: close(() => reject(new NotConfirmed())) });
  });
  return answer;
}

// Whoever is signed out has nothing left to confirm.
onSessionChange(() => {
  if (!isSignedIn()) asked?.cancel();
});

/**
 * Makes a call; where the server wants a fresh code first, asks for it and makes the call again.
 * @throws NotConfirmed where the person did not go on
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The question that is open; null while nothing is asked. */
export const useFreshCodeAsk = (): FreshCodeAsk | null =>
  useSyncExternalStore(subscribe, () => asked);
