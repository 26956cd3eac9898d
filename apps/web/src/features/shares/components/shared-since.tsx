import { Text } from '@mantine/core';
import { formatDateTime } from '../../../format/format.ts';

/** Since when a link works. */
export function SharedSince({ date }: { date: string }) {
  return (
    <Text span size="sm" c="dimmed">
      Shared since <time dateTime={date}>{formatDateTime(date)}</time>
    </Text>
  );
}
