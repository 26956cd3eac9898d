import type { Profile } from '@engram/contract';
import { useMemo } from 'react';
import { useKnownProfile } from '../session/account.ts';
import { timeZoneName } from './format.ts';
import { readSession } from '../session/session.ts';
import { useAppSettings } from '../api/settings.ts';

interface TimeZone {
  timeZone: string;
  isDeviceZone: boolean;
  labelOf: (date: string | Date) => string;
}

/** The zone of this device, such as Europe/Berlin. */
export const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The choice stored in this tab, so that a reload does not first show another zone. */
function storedChoice(): boolean {
  try {
    const stored = JSON.parse(readSession('userData') ?? 'null') as Partial<Profile> | null;
    return stored?.deviceTimeZone === true;
  } catch {
    return false;
  }
}

export function useTimeZone(): TimeZone {
  const { timeZone, timeZoneLabel } = useAppSettings();
  const profile = useKnownProfile();
  const isDeviceZone = profile ? profile.deviceTimeZone : storedChoice();
  return useMemo((): TimeZone => {
    if (!isDeviceZone) return { timeZone, isDeviceZone, labelOf: () => timeZoneLabel };
    const zone = deviceTimeZone();
    return { timeZone: zone, isDeviceZone, labelOf: (date) => timeZoneName(date, zone) };
  }, [isDeviceZone, timeZone, timeZoneLabel]);
}
