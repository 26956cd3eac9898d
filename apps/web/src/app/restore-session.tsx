import { useEffect, useState, type ReactNode } from 'react';
import { Splash } from '../components/splash.tsx';
import { restoreSession } from '../lib/restore-session.ts';
import { isSignedIn } from '../lib/session.ts';

/** Decides whether somebody is signed in before any page does, so that no page has to guess. */
export function RestoreSession({ children }: { children: ReactNode }) {
  const [ready, setReady] = useState(isSignedIn);
  useEffect(() => {
    if (!ready) void restoreSession().then(() => setReady(true));
  }, [ready]);
  return ready ? children : <Splash />;
}
