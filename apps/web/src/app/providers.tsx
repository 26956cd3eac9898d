import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notificationsStore } from '@mantine/notifications';
import { QueryClientProvider, useQueryClient, type QueryClient } from '@tanstack/react-query';
import {
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { matchPath } from 'react-router';
import { connectApi } from '../api/api.ts';
import { awaitSettings } from '../api/settings.ts';
import { onFirstInteraction } from '../browser/when-idle.ts';
import { Splash } from '../components/logo.tsx';
import { withRecentAuthentication } from '../session/recent-authentication.ts';
import { restoreSession, SessionRestorationContext } from '../session/restore-session.ts';
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
  useWindowEvent('online', () => {
    if (error !== null) retry();
  });
  const restoration = useMemo(() => ({ error, retry }), [error, retry]);
  return ready ? (
    <SessionRestorationContext value={restoration}>{children}</SessionRestorationContext>
  ) : (
    <Splash />
  );
}

export const connectSession = (): void =>
  connectApi({
    token: () => readSession('token'),
    onUnauthorized: endSession,
    withRecentAuthentication,
  });
