import type { DataOf } from '@engram/contract';
import { appSettings, settingDefaults } from '@engram/contract/browser';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { callQuery } from './use-call.ts';

type Settings = DataOf<typeof appSettings>;

/** The zone that times are shown in is the person's choice: `useTimeZone` knows it. */
export type AppSettings = Omit<Settings, 'timeZone' | 'timeZoneLabel'>;

/** What holds until the server has told its own settings. */
const defaults: Settings = {
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
 * Asks for the settings before a page does, so that it does not move when they come. Resolves when
 * they are there, cannot be had, or are slow.
 */
export async function awaitSettings(queryClient: QueryClient): Promise<void> {
  const slow = new Promise((resolve) => void setTimeout(resolve, PATIENCE_MS));
  await Promise.race([queryClient.prefetchQuery(settingsQuery), slow]);
}

const useSettings = (): Settings => useQuery(settingsQuery).data ?? defaults;

/** The server's settings, or their defaults until they are known, outside of components. */
export const knownSettings = (queries: QueryClient): AppSettings =>
  queries.getQueryData(settingsQuery.queryKey) ?? defaults;

/** The server's settings, or their defaults until they are known. */
export const useAppSettings = (): AppSettings => useSettings();

/** The server's own time zone, whatever the person has chosen. */
export const useServerTimeZone = (): Pick<Settings, 'timeZone' | 'timeZoneLabel'> => useSettings();
