import type { Session } from '@engram/contract';
import { deleteUnsentFiles } from './unsent-databases.ts';
import { useSyncExternalStore } from 'react';

const keys = {
  token: 'authToken',
  userData: 'userData',
  userInitials: 'userInitials',
  /** 'true' if the user has files. */
  artifactsExist: 'a_exist',
  /** 'true' while the questionnaire is unanswered. */
  questionsOpen: 'q_exits',
  isAdmin: 'is_admin',
  searchHistory: 'searchHistoryKey',
} as const;

type Key = keyof typeof keys;

const listeners = new Set<() => void>();
const notifyListeners = (): void => listeners.forEach((listener) => listener());

/** Calls the listener on each change of the session. Returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const readSession = (key: Key): string | null => sessionStorage.getItem(keys[key]);

export function writeSession(key: Key, value: string): void {
  sessionStorage.setItem(keys[key], value);
  notifyListeners();
}

export const isSignedIn = (): boolean => readSession('token') !== null;

let signedOut = false;
let expired = false;

/** Whether the user signed out, rather than the session expiring. */
export const hasSignedOut = (): boolean => signedOut;

/** Whether the server ended the session, and no user has signed in since. */
export const hasEnded = (): boolean => expired;

export function storeSession(session: Session): void {
  signedOut = false;
  expired = false;
  sessionStorage.setItem(keys.token, session.token);
  sessionStorage.setItem(keys.artifactsExist, String(session.exist));
  sessionStorage.setItem(keys.questionsOpen, String(session.question));
  if (session.roles.includes('ADMIN')) sessionStorage.setItem(keys.isAdmin, 'true');
  notifyListeners();
}

/** Deletes all data of the user from session storage. */
export function clearSession(): void {
  sessionStorage.clear();
  notifyListeners();
}

/** Ends a session that the server has ended. The sign-in page says so. */
export function endSession(): void {
  // The response may arrive after the user has signed out.
  expired ||= isSignedIn();
  clearSession();
}

/** Signs the user out. The next sign-in starts at the search page. */
export function leaveSession(): void {
  signedOut = true;
  expired = false;
  clearSession();
  deleteUnsentFiles();
}

export const useSignedIn = (): boolean => useSyncExternalStore(onSessionChange, isSignedIn);

export const useHasArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'true');

export const useHasNoArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'false');
