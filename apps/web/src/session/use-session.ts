import { useSyncExternalStore } from 'react';
import { isSignedIn, onSessionChange, readSession } from './session.ts';

/** Whether somebody is signed in; follows sign-in, sign-out and a session that ended. */
export const useSignedIn = (): boolean => useSyncExternalStore(onSessionChange, isSignedIn);

/** Whether the signed-in person has files. */
export const useHasArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'true');

/** Whether it is known that the signed-in person has no files. */
export const useHasNoArtifacts = (): boolean =>
  useSyncExternalStore(onSessionChange, () => readSession('artifactsExist') === 'false');
