import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cssVariables, theme } from '../theme.ts';
import { LazyToasts } from './lazy-toasts.tsx';

// public/color-scheme.js reads the same key before the first paint.
const colorScheme = localStorageColorSchemeManager({ key: 'engram-color-scheme' });

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
        <LazyToasts />
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}
