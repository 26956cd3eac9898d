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

const TIMEOUT_MS = 1000;

const settingsQuery = { ...callQuery(appSettings, {}), staleTime: Infinity };

/**
 * Loads the settings before the first page, so that its layout does not shift. Resolves when they are
 * loaded, or after an error or a timeout.
 */
export async function awaitSettings(queryClient: QueryClient): Promise<void> {
  const timeout = new Promise((resolve) => void setTimeout(resolve, TIMEOUT_MS));
  await Promise.race([queryClient.prefetchQuery(settingsQuery), timeout]);
}

/** The server's settings, or the defaults until they are loaded, outside of components. */
export const knownSettings = (queries: QueryClient): AppSettings =>
  queries.getQueryData(settingsQuery.queryKey) ?? defaults;

/**
 * The server's settings, or the defaults until they are loaded. The user's time zone is in
 * `useTimeZone`.
 */
export const useAppSettings = (): AppSettings => useQuery(settingsQuery).data ?? defaults;
