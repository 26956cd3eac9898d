import { z } from 'zod';
import {
  type FetchBounds,
  fetchBounded,
  UnreachableError,
} from '../../platform/http/bounded-fetch.ts';

export interface Position {
  latitude: number;
  longitude: number;
}

/** Nominatim's level of detail at which the place is a town or city. */
const CITY_ZOOM = 10;

const NAME_LIMIT = 300;

/** https://nominatim.org/release-docs/latest/api/Output/#addressdetails, the smallest place first. */
const LOCALITIES = ['city', 'town', 'village', 'municipality', 'hamlet', 'suburb', 'county'];
const REGIONS = ['state', 'region', 'province', 'state_district', 'county'];

const answerShape = z.union([
  z.object({ address: z.record(z.string(), z.unknown()) }),
  // A position without a place, such as at sea.
  z.object({ error: z.string() }),
]);

const cleaned = (text: unknown): string | null =>
  typeof text === 'string' ? text.replaceAll(/\p{Cc}+/gu, ' ').trim() || null : null;

/** 'locality, region, country' as far as they are known. A city that is its own region is named once. */
function placeName(address: Record<string, unknown>): string | null {
  const first = (names: readonly string[]) =>
    names.map((name) => cleaned(address[name])).find((text) => text !== null);
  const parts = [first(LOCALITIES), first(REGIONS), first(['country'])];
  const name = [...new Set(parts.filter((part) => part !== undefined))].join(', ');
  return name.slice(0, NAME_LIMIT) || null;
}

/**
 * A geocoder with Nominatim's API: https://nominatim.org/release-docs/latest/api/Reverse/. It resolves
 * to the name of a position or null, and rejects with an {@link UnreachableError}.
 */
export function createNominatim(options: {
  /** The address before `/reverse`. */
  baseUrl: string;
  /** Public servers require it to name the app and its operator. */
  userAgent: string;
  bounds: FetchBounds;
}) {
  const { baseUrl, userAgent, bounds } = options;
  return async ({ latitude, longitude }: Position): Promise<string | null> => {
    const query = new URLSearchParams({
      format: 'jsonv2',
      lat: String(latitude),
      lon: String(longitude),
      zoom: String(CITY_ZOOM),
      addressdetails: '1',
      'accept-language': 'en',
    });
    const address = `${baseUrl.replace(/(?<!\/)\/+$/u, '')}/reverse?${query}`;
    const headers = { accept: 'application/json', 'user-agent': userAgent };
    const { status, body } = await fetchBounded(address, { headers }, bounds);
    if (status !== 200) throw new UnreachableError(`The geocoder answers ${status}.`);
    let answer: z.output<typeof answerShape>;
    try {
      answer = answerShape.parse(JSON.parse(body.toString('utf8')));
    } catch (cause) {
      throw new UnreachableError('The geocoder does not answer as Nominatim does.', { cause });
    }
    return 'address' in answer ? placeName(answer.address) : null;
  };
}
