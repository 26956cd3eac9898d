import { nameLocation } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import type { Position } from '../../../browser/position.ts';

const toDegrees = (value: number): string => value.toFixed(2);

/** What a position is called; null where nobody knows. */
export async function namePosition(
  { latitude, longitude }: Position,
  signal: AbortSignal,
): Promise<string | null> {
  const query = { lat: toDegrees(latitude), lon: toDegrees(longitude) };
  return (await api.call(nameLocation, { query }, { signal })).data;
}

/** What a position is called; null without one, and until it is known. */
export function usePlaceName(position: Position | null): string | null {
  const { data = null } = useQuery({
    queryKey: ['place', position],
    queryFn: ({ signal }) => (position ? namePosition(position, signal) : null),
    enabled: position !== null,
    staleTime: Infinity,
    // A place without a name is no failure.
    retry: false,
  });
  return data;
}
