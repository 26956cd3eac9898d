import { Text } from '@mantine/core';
import { formatDateTime } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';

/** Since when a link works. */
export function SharedSince({ date }: { date: string }) {
  const { timeZone, labelOf } = useTimeZone();
  return (
    <Text span size="sm" c="dimmed">
      Shared since{' '}
      <time dateTime={date}>
        {formatDateTime(date, timeZone)} {labelOf(date)}
      </time>
    </Text>
  );
}
