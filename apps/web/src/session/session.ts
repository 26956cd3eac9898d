import type { Session } from '@engram/contract';
import { createStore } from '../browser/store.ts';
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
} as const;

type Key = keyof typeof keys;

const changes = createStore(0);
const notifyListeners = (): void => changes.set(changes.get() + 1);

/** Calls the listener on each change of the session. Returns a function that unsubscribes. */
export const onSessionChange = changes.subscribe;

export const readSession = (key: Key): string | null => sessionStorage.getItem(keys[key]);

export function writeSession(key: Key, value: string): void {
  sessionStorage.setItem(keys[key], value);
  notifyListeners();
}

export const isSignedIn = (): boolean => readSession('token') !== null;

/** How the last session ended. */
let ending: 'signed out' | 'expired' | null = null;

export const hasSignedOut = (): boolean => ending === 'signed out';
export const hasEnded = (): boolean => ending === 'expired';

export function storeSession(session: Session): void {
  ending = null;
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
  if (isSignedIn()) ending = 'expired';
  clearSession();
}

/** Signs the user out. The next sign-in starts at the search page. */
export function leaveSession(): void {
  ending = 'signed out';
  clearSession();
  deleteUnsentFiles();
}

export const useSignedIn = (): boolean => useSyncExternalStore(onSessionChange, isSignedIn);

export const useHasArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'true');

export const useHasNoArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'false');
