import type { Profile } from '@engram/contract';
import { Radio } from '@mantine/core';
import { formatDateTime, timeZoneName } from '../../../format/format.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { useServerTimeZone } from '../../../api/settings.ts';
import { deviceTimeZone } from '../../../format/time-zone.ts';
import { useNow } from '../../../browser/use-now.ts';
import { useUpdateProfile } from '../api/update-profile.ts';
import classes from './time-zone-choice.module.css';

/** In which zone times are shown and days are counted: the server's or this device's. */
export function TimeZoneChoice({ profile }: { profile: Profile }) {
  const server = useServerTimeZone();
  const device = deviceTimeZone();
  const now = useNow();
  const update = useUpdateProfile();
  const chosen = update.isPending
    ? update.variables.deviceTimeZone === true
    : profile.deviceTimeZone;
  const choose = (value: string): void =>
    update.mutate(
      { deviceTimeZone: value === 'device' },
      {
        onSuccess: () => notifySuccess('Profile updated successfully!'),
        onError: (error) => notifyError('The time zone was not changed', error),
      },
    );
  return (
    <Radio.Group
      aria-label="Time zone"
      value={chosen ? 'device' : 'server'}
      onChange={choose}
      className={classes.choices ?? ''}
    >
      <Radio
        value="server"
        label="This server’s time zone"
        description={`${placeOf(server.timeZone)} · now ${formatDateTime(now, server.timeZone)} ${server.timeZoneLabel}`}
      />
      <Radio
        value="device"
        label="This device’s time zone"
        description={`${placeOf(device)} · now ${formatDateTime(now, device)} ${timeZoneName(now, device)}`}
      />
    </Radio.Group>
  );
}

/** 'Los Angeles, America' of 'America/Los_Angeles'. */
const placeOf = (timeZone: string): string =>
  timeZone.replaceAll('_', ' ').split('/').toReversed().join(', ');
