import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { cssVariables, theme } from '../theme.ts';

// public/color-scheme.js reads the same key before the first paint.
const colorScheme = localStorageColorSchemeManager({ key: 'engram-color-scheme' });

// Nothing has to be said before the page is there.
const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));

interface ProvidersProps {
  queryClient: QueryClient;
  children: ReactNode;
}

/** What every page stands in: the look, the toasts and the cache of the server's answers. */
export function Providers({ queryClient, children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <Toasts />
        </Suspense>
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}
