import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { whenQuiet } from '../browser/when-quiet.ts';

const Installation = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./installation.tsx')).Installation };
  } catch {
    // Offline before anything was kept: the page goes on without what would be said about it.
    return { default: () => null };
  }
});

/** {@link Installation}, once the page has loaded what it needs itself, or has lost the network. */
export function LazyInstallation() {
  const [wanted, setWanted] = useState(() => !navigator.onLine);
  useEffect(() => {
    const show = (): void => setWanted(true);
    window.addEventListener('offline', show);
    const callOff = whenQuiet(show);
    return () => {
      window.removeEventListener('offline', show);
      callOff();
    };
  }, []);
  return (
    wanted && (
      <Suspense>
        <Installation />
      </Suspense>
    )
  );
}
