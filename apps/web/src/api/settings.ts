import type { DataOf } from '@engram/contract';
import { appSettings, settingDefaults } from '@engram/contract/browser';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { callQuery } from './use-call.ts';

export type AppSettings = DataOf<typeof appSettings>;

const defaults: AppSettings = {
  ...settingDefaults,
  codesInLog: false,
  google: null,
  transcription: false,
  contactEmail: null,
  contactPhone: null,
  contactAddress: null,
  contactPosition: null,
  payments: { provider: settingDefaults.payments },
  socialLinks: [],
};

/** How long the first page waits for the settings, in milliseconds. */
const PATIENCE_MS = 1000;

const settingsQuery = { ...callQuery(appSettings, {}), staleTime: Infinity };

/**
 * Loads the settings before the first page is shown, so that its layout does not shift. Resolves
 * when they are loaded, cannot be loaded, or take too long.
 */
export async function awaitSettings(queryClient: QueryClient): Promise<void> {
  const slow = new Promise((resolve) => void setTimeout(resolve, PATIENCE_MS));
  await Promise.race([queryClient.prefetchQuery(settingsQuery), slow]);
}

/** The server's settings, or the defaults until they are loaded, outside of components. */
export const knownSettings = (queries: QueryClient): AppSettings =>
  queries.getQueryData(settingsQuery.queryKey) ?? defaults;

/**
 * The server's settings, or the defaults until they are loaded. `useTimeZone` has the time zone
 * that the user has chosen.
 */
export const useAppSettings = (): AppSettings => useQuery(settingsQuery).data ?? defaults;
