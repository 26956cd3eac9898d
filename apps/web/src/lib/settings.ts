import type { DataOf } from '@engram/contract';
import { appSettings } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { queryKeys } from './query-keys.ts';

export type AppSettings = DataOf<typeof appSettings>;

/** What holds until the server has told its own settings: its defaults. */
const defaults: AppSettings = {
  codesInLog: false,
  google: null,
  mediaLimitMb: 2,
  uploadLimitMb: 512,
  timeZone: 'America/Los_Angeles',
  timeZoneLabel: 'PST',
  contactEmail: null,
  socialLinks: [],
};

/** The server's settings, or their defaults until they are known. */
export function useAppSettings(): AppSettings {
  const { data } = useQuery({
    queryKey: queryKeys.settings,
    queryFn: async ({ signal }) => (await api.call(appSettings, {}, { signal })).data,
    staleTime: Infinity,
  });
  return data ?? defaults;
}
