import type { Session } from '@engram/contract';
import { forgetShared } from './forget-shared.ts';
import { useSyncExternalStore } from 'react';

/** The session-storage keys of the specification, and no others. */
const keys = {
  token: 'authToken',
  userData: 'userData',
  userInitials: 'userInitials',
  /** 'true' when the person has artifacts. */
  artifactsExist: 'a_exist',
  /** 'true' while the questionnaire is unanswered. */
  questionsOpen: 'q_exits',
  isAdmin: 'is_admin',
  searchHistory: 'searchHistoryKey',
} as const;

type Key = keyof typeof keys;

const listeners = new Set<() => void>();
const changed = (): void => listeners.forEach((listener) => listener());

/** Calls the listener on each change of the session; returns how to stop. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const readSession = (key: Key): string | null => sessionStorage.getItem(keys[key]);

export function writeSession(key: Key, value: string): void {
  sessionStorage.setItem(keys[key], value);
  changed();
}

export const isSignedIn = (): boolean => readSession('token') !== null;

let signedOut = false;
let ended = false;

/** Whether the user signed out, rather than the session running out. */
export const leftDeliberately = (): boolean => signedOut;

/** Whether the server ended the session in use, and nobody has signed in since. */
export const hasEnded = (): boolean => ended;

export function storeSession(session: Session): void {
  signedOut = false;
  ended = false;
  sessionStorage.setItem(keys.token, session.token);
  sessionStorage.setItem(keys.artifactsExist, String(session.exist));
  sessionStorage.setItem(keys.questionsOpen, String(session.question));
  if (session.roles.includes('ADMIN')) sessionStorage.setItem(keys.isAdmin, 'true');
  changed();
}

/** Forgets everything about the signed-in user, with all cached lists. */
export function clearSession(): void {
  sessionStorage.clear();
  changed();
}

/** Ends a session that the server does not know any more; the sign-in page says so. */
export function endSession(): void {
  // An answer may arrive after the user has signed out.
  ended ||= isSignedIn();
  clearSession();
}

/** Signs the user out; the next sign-in starts at the search page. */
export function leaveSession(): void {
  signedOut = true;
  ended = false;
  clearSession();
  forgetShared();
}

export const useSignedIn = (): boolean => useSyncExternalStore(onSessionChange, isSignedIn);

export const useHasArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'true');

/** Whether it is known that the signed-in person has no files. */
export const useHasNoArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'false');
