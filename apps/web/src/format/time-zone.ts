import type { Profile } from '@engram/contract';
import { useMemo } from 'react';
import { useKnownProfile } from '../session/account.ts';
import { timeZoneName } from './format.ts';
import { readSession } from '../session/session.ts';
import { useAppSettings } from '../api/settings.ts';

export interface TimeZone {
  timeZone: string;
  isOfDevice: boolean;
  labelOf: (date: string | Date) => string;
}

/** The zone of this device, such as Europe/Berlin. */
export const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The choice as last stored in this tab, so that a reload does not show another zone first. */
function keptChoice(): boolean {
  try {
    const kept = JSON.parse(readSession('userData') ?? 'null') as Partial<Profile> | null;
    return kept?.deviceTimeZone === true;
  } catch {
    return false;
  }
}

export function useTimeZone(): TimeZone {
  const { timeZone, timeZoneLabel } = useAppSettings();
  const profile = useKnownProfile();
  const ofDevice = profile ? profile.deviceTimeZone : keptChoice();
  return useMemo((): TimeZone => {
    if (!ofDevice) return { timeZone, isOfDevice: ofDevice, labelOf: () => timeZoneLabel };
    const own = deviceTimeZone();
    return { timeZone: own, isOfDevice: ofDevice, labelOf: (date) => timeZoneName(date, own) };
  }, [ofDevice, timeZone, timeZoneLabel]);
}
