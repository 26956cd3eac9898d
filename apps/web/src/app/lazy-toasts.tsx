import { notificationsStore } from '@mantine/notifications';
import { lazy, startTransition, Suspense, useEffect, useState, type ComponentType } from 'react';
import { onFirstInteraction } from '../lib/first-interaction.ts';

const Toasts = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./toasts.tsx')).Toasts };
  } catch {
    // Offline before anything was kept: the notice of the connection has told so.
    return { default: () => null };
  }
});

/** {@link Toasts}, once there is something to say, or somebody who may do what is spoken of. */
export function LazyToasts() {
  const [wanted, setWanted] = useState(
    () => notificationsStore.getState().notifications.length > 0,
  );
  useEffect(() => {
    if (wanted) return;
    const show = (): void => startTransition(() => setWanted(true));
    const forget = notificationsStore.subscribe(show);
    const callOff = onFirstInteraction(show);
    return () => {
      forget();
      callOff();
    };
  }, [wanted]);
  return (
    wanted && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  );
}
