import type { Profile } from '@engram/contract';
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useUpdateProfile } from '../api.ts';
import { formatDateTime, timeZoneName } from '../../../format/format.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { deviceTimeZone } from '../../../format/time-zone.ts';
import { useNow } from '../../../browser/clock.ts';

/**
 * The time zone for times and days: the server's or this device's. Disabled until the profile is
 * loaded.
 */
export function TimeZoneChoice({ profile }: { profile: Profile | undefined }) {
  const server = useAppSettings();
  const device = deviceTimeZone();
  const now = useNow();
  const update = useUpdateProfile();
  const [picked, pick] = useState<boolean | null>(null);
  const [known, setKnown] = useState(profile);
  if (known !== profile) {
    setKnown(profile);
    pick(null);
  }
  const chosen = picked ?? profile?.deviceTimeZone;
  const choose = (value: string): void => {
    pick(value === 'device');
    update.mutate(
      { body: { deviceTimeZone: value === 'device' } },
      {
        onSuccess: () => notifySuccess('Profile updated successfully!'),
        onError(error) {
          pick(null);
          notifyError('The time zone was not changed', error);
        },
      },
    );
  };
  return (
    <Radio.Group
      aria-label="Time zone"
      value={chosen === undefined ? null : chosen ? 'device' : 'server'}
      disabled={profile === undefined}
      onChange={choose}
    >
      <Stack>
        <Radio
          value="server"
          label="This server’s time zone"
          description={`${zoneLabel(server.timeZone)} · now ${formatDateTime(now, server.timeZone)} ${server.timeZoneLabel}`}
        />
        <Radio
          value="device"
          label="This device’s time zone"
          description={`${zoneLabel(device)} · now ${formatDateTime(now, device)} ${timeZoneName(now, device)}`}
        />
      </Stack>
    </Radio.Group>
  );
}

/** 'Los Angeles, America' of 'America/Los_Angeles'. */
const zoneLabel = (timeZone: string): string =>
  timeZone.replaceAll('_', ' ').split('/').toReversed().join(', ');
