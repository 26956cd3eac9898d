import { nameLocation } from '@engram/contract/browser';
import { Text } from '@mantine/core';
import { useCall } from '../../../api/use-call.ts';
import { degreesOf } from '../geolocation.ts';

interface AskedFromProps {
  device: string | null;
  latitude: number | null;
  longitude: number | null;
}

const UNKNOWN = 'Unknown Device';

/** The device and place of a question: 'Asked on Windows · Lisbon, Portugal'. Empty if neither is known. */
export default function AskedFrom({ device, latitude, longitude }: AskedFromProps) {
  const position = latitude === null || longitude === null ? null : { latitude, longitude };
  const { data: place } = useCall(nameLocation, position && { query: degreesOf(position) }, {
    staleTime: Infinity,
    // A position without a name is not an error.
    retry: false,
  });
  const known = device === UNKNOWN ? null : device;
  if (!known && !place) return null;
  const text = known
    ? [`Asked on ${known}`, place].filter(Boolean).join(' · ')
    : `Asked in ${place}`;
  return (
    <Text mt={16} size="sm" c="dimmed" truncate title={text}>
      {text}
    </Text>
  );
}
