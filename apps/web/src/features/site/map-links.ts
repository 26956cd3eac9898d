import type { AppSettings } from '../../api/settings.ts';

type Position = NonNullable<AppSettings['contactPosition']>;

const MAP = 'https://www.openstreetmap.org';

/** How far the map shows to each side, in degrees; about a kilometre to the north. */
const REACH = 0.008;

/** The map's own page: at a position, or looking for an address; null where there is neither. */
export function mapLink(position: Position | null, address: string | null): string | null {
  if (position) {
    const { latitude, longitude } = position;
    return `${MAP}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  }
  return address && `${MAP}/search?query=${encodeURIComponent(address)}`;
}

const within = (limit: number, value: number): string =>
  Math.min(limit, Math.max(-limit, value)).toFixed(5);

/** The map around a position, to be shown in a frame. */
export function mapFrame({ latitude, longitude }: Position): string {
  // Degrees of longitude are shorter the further from the equator they are.
  const wide = (2 * REACH) / Math.max(Math.cos((latitude * Math.PI) / 180), 0.05);
  const box = [
    within(180, longitude - wide),
    within(90, latitude - REACH),
    within(180, longitude + wide),
    within(90, latitude + REACH),
  ].join(',');
  const query = new URLSearchParams({
    bbox: box,
    layer: 'mapnik',
    marker: `${latitude},${longitude}`,
  });
  return `${MAP}/export/embed.html?${query}`;
}

/** A phone number as links want it: its digits, and the plus in front. */
export const phoneLink = (phone: string): string => `tel:${phone.replaceAll(/[^\d+]/gu, '')}`;
