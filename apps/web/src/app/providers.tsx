import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notificationsStore } from '@mantine/notifications';
import { QueryClientProvider, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { matchPath } from 'react-router';
import { connectApi } from '../api/api.ts';
import { awaitSettings } from '../api/settings.ts';
import { onFirstInteraction } from '../browser/when-idle.ts';
import { Splash } from '../components/logo.tsx';
import { withRecentAuthentication } from '../session/recent-authentication.ts';
import { restorationError, restoreSession } from '../session/restore-session.ts';
import { endSession, isSignedIn, readSession } from '../session/session.ts';
import { theme } from '../theme.ts';
import { paths } from './paths.ts';

function LazyToasts() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (Toasts) return;
    const load = async (): Promise<void> => {
      try {
        const loaded = await import('./toasts.tsx');
        startTransition(() => setToasts(() => loaded.Toasts));
      } catch {
        // Offline. The next message tries again and shows all messages.
      }
    };
    const show = (): void => void load();
    if (notificationsStore.getState().notifications.length > 0) show();
    const unsubscribe = notificationsStore.subscribe(show);
    const cancel = onFirstInteraction(show);
    return () => {
      unsubscribe();
      cancel();
    };
  }, [Toasts]);
  return Toasts && <Toasts />;
}

const colorScheme = localStorageColorSchemeManager({ key: 'engram-color-scheme' });

interface ProvidersProps {
  queryClient: QueryClient;
  children: ReactNode;
}

export const Providers = ({ queryClient, children }: ProvidersProps) => (
  <MantineProvider theme={theme} colorSchemeManager={colorScheme} defaultColorScheme="auto">
    <QueryClientProvider client={queryClient}>
      <LazyToasts />
      {children}
    </QueryClientProvider>
  </MantineProvider>
);

/** Shared answers are public, so their page does not restore the session. */
const needsNoSession = (): boolean =>
  isSignedIn() || matchPath(paths.sharedAnswer, window.location.pathname) !== null;

export function RestoreSession({ children }: { children: ReactNode }) {
  const [ready, setReady] = useState(needsNoSession);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (ready) return;
    const settings = awaitSettings(queryClient);
    void restoreSession()
      .then(() => settings)
      .then(() => setReady(true));
  }, [ready, queryClient]);
  useWindowEvent('online', () => {
    if (restorationError.get() !== null && !isSignedIn()) void restoreSession();
  });
  return ready ? children : <Splash />;
}

export const connectSession = (): void =>
  connectApi({
    token: () => readSession('token'),
    onUnauthorized: endSession,
    withRecentAuthentication,
  });
