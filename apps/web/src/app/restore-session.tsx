import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { matchPath } from 'react-router';
import { Splash } from '../components/splash.tsx';
import { restoreSession, SessionRestorationContext } from '../session/restore-session.ts';
import { isSignedIn } from '../session/session.ts';
import { awaitSettings } from '../api/settings.ts';
import { paths } from './paths.ts';

/** A shared answer is for anybody: who reads it is not asked. */
const needsNoSession = (): boolean =>
  isSignedIn() || matchPath(paths.sharedAnswer, window.location.pathname) !== null;

/** Decides whether somebody is signed in before any page does, so that no page has to guess. */
export function RestoreSession({ children }: { children: ReactNode }) {
  const [ready, setReady] = useState(needsNoSession);
  const [error, setError] = useState<unknown>(null);
  const queryClient = useQueryClient();
  const retry = useCallback(() => {
    const settings = awaitSettings(queryClient);
    restoreSession().then(
      async () => {
        await settings;
        setError(null);
        setReady(true);
      },
      (failure: unknown) => {
        setError(failure);
        setReady(true);
      },
    );
  }, [queryClient]);
  useEffect(() => {
    if (!ready) retry();
  }, [ready, retry]);
  // Before what failed is shown: the network may come back right then.
  useLayoutEffect(() => {
    if (error === null) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [error, retry]);
  const restoration = useMemo(() => ({ error, retry }), [error, retry]);
  return ready ? (
    <SessionRestorationContext value={restoration}>{children}</SessionRestorationContext>
  ) : (
    <Splash />
  );
}
