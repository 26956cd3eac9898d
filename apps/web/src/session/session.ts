import type { Session } from '@engram/contract';
import { forgetShared } from './forget-shared.ts';

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

/** Calls back whenever something of the session changes; answers how to stop. */
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

/** Whether the session ended because the person signed out, rather than by running out. */
export const leftDeliberately = (): boolean => signedOut;

/** Whether the server ended the session while it was in use, and nobody has signed in since. */
export const hasEnded = (): boolean => ended;

/** Keeps what the server answered to a sign-in. */
export function storeSession(session: Session): void {
  signedOut = false;
  ended = false;
  sessionStorage.setItem(keys.token, session.token);
  sessionStorage.setItem(keys.artifactsExist, String(session.exist));
  sessionStorage.setItem(keys.questionsOpen, String(session.question));
  if (session.roles.includes('ADMIN')) sessionStorage.setItem(keys.isAdmin, 'true');
  changed();
}

/** Forgets everything about the signed-in person, cached lists included. */
export function clearSession(): void {
  sessionStorage.clear();
  changed();
}

/** Forgets the person because the server knows their session no more; they are told so. */
export function endSession(): void {
  // An answer that comes late, after the person has signed out, says nothing new.
  ended ||= isSignedIn();
  clearSession();
}

/** Forgets the person because they asked for it: the next one starts afresh, not where they were. */
export function leaveSession(): void {
  signedOut = true;
  ended = false;
  clearSession();
  forgetShared();
}
