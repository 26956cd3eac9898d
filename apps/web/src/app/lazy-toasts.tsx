import { notificationsStore } from '@mantine/notifications';
import { startTransition, useEffect, useState, type ComponentType } from 'react';
import { onFirstInteraction } from '../browser/first-interaction.ts';

/** {@link Toasts}, once there is something to say, or somebody who may do what is spoken of. */
export function LazyToasts() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (Toasts) return;
    const load = async (): Promise<void> => {
      try {
        const loaded = await import('./toasts.tsx');
        startTransition(() => setToasts(() => loaded.Toasts));
      } catch {
        // Without a network, and nothing kept yet: the next message tries again, and all are shown.
      }
    };
    const show = (): void => void load();
    if (notificationsStore.getState().notifications.length > 0) show();
    const forget = notificationsStore.subscribe(show);
    const callOff = onFirstInteraction(show);
    return () => {
      forget();
      callOff();
    };
  }, [Toasts]);
  return Toasts && <Toasts />;
}
