import type { Profile } from '@engram/contract';
import { useMemo } from 'react';
import { useKnownProfile } from '../session/account.ts';
import { timeZoneName } from './format.ts';
import { readSession } from '../session/session.ts';
import { useServerTimeZone } from '../api/settings.ts';

/** The zone that times are shown and days are counted in. */
export interface TimeZone {
  timeZone: string;
  /** Whether it is this device's; else it is the server's. */
  isOfDevice: boolean;
  /** What stands behind a time, such as PST. */
  labelOf: (date: string | Date) => string;
}

/** The zone of this device, such as Europe/Berlin. */
export const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What the person chose when they were last here in this tab: a reload must not show two zones. */
function keptChoice(): boolean {
  try {
    const kept = JSON.parse(readSession('userData') ?? 'null') as Partial<Profile> | null;
    return kept?.deviceTimeZone === true;
  } catch {
    return false;
  }
}

/** The person's time zone: this device's where they chose so, else the server's. */
export function useTimeZone(): TimeZone {
  const { timeZone, timeZoneLabel } = useServerTimeZone();
  const profile = useKnownProfile();
  const ofDevice = profile ? profile.deviceTimeZone : keptChoice();
  return useMemo((): TimeZone => {
    if (!ofDevice) return { timeZone, isOfDevice: ofDevice, labelOf: () => timeZoneLabel };
    const own = deviceTimeZone();
    return { timeZone: own, isOfDevice: ofDevice, labelOf: (date) => timeZoneName(date, own) };
  }, [ofDevice, timeZone, timeZoneLabel]);
}
