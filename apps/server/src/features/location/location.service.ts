import { nameLocation } from '@engram/contract';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import {
  fetchBounded,
  type FetchBounds,
  UnreachableError,
} from '../../platform/http/bounded-fetch.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { assertWithin, type Network, networksOf } from '../../platform/http/networks.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';

/** Lookups per network: one every two seconds, in bursts of up to 20. */
const LOOKUP_RATE = { perSecond: 0.5, burst: 20 };

/** The usage policy of the public Nominatim allows one request per second. */
const GEOCODER_RATE = { perSecond: 1, burst: 1 };

const BOUNDS = { timeoutMs: 4000, maxBytes: 131_072 };

const MAX_QUEUED = 4;
const SKIPPED = new Error('The lookup was skipped.');

const CACHE = { max: 5000, ttl: 30 * 86_400_000 };

const PAUSE_MS = 30_000;

const TOO_MANY = 'Too many places were requested. Please wait a moment.';

/** To about a kilometer, which is enough for a town. The exact position does not leave the server. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100 + 0;

/**
 * Finds the names of positions. The sign-in page calls it without a session, so it must not be an open
 * proxy: positions are rounded and cached, and lookups are limited per network and in total.
 */
export function createLocation({
  config: { geocoder: baseUrl },
  providers,
  limits,
  userAgent,
  log,
}: Pick<Core, 'userAgent'> & {
  config: Pick<Core['config'], 'geocoder'>;
  providers: Pick<Core['providers'], 'outside'>;
  limits: Pick<Core['limits'], 'limitOf' | 'paceOf'>;
  log: Pick<Core['log'], 'warn'>;
}) {
  const { fetch, clock } = providers.outside(baseUrl);
  const limit = limits.limitOf('named places', LOOKUP_RATE);
  const pace = limits.paceOf('geocoder', GEOCODER_RATE);
  const lookUp = baseUrl
    ? createNominatim({ baseUrl, userAgent, bounds: { fetch, clock, ...BOUNDS } })
    : null;
  const limiter = createFairLimiter({
    concurrency: 1,
    maxQueued: MAX_QUEUED,
    whenFull: () => SKIPPED,
  });
  const names = new LRUCache<string, Promise<string | null>>({
    ...CACHE,
    perf: { now: clock.now },
    // Reads the injected clock each time.
    ttlResolution: 0,
  });
  let pausedUntil = Number.NEGATIVE_INFINITY;

  async function waitForPace(): Promise<void> {
    for (;;) {
      const seconds = await pace(baseUrl ?? '');
      if (seconds <= 0) return;
      const ms = Math.ceil(seconds * 1000);
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));
    }
  }

  async function lookUpPaced(position: Position): Promise<string | null> {
    await waitForPace();
    if (!lookUp || clock.now() < pausedUntil) throw SKIPPED;
    return lookUp(position);
  }

  /** The name of a position; null if it is unknown or the geocoder failed. @throws HttpError 429 */
  async function name(
    { latitude, longitude }: Position,
    networks: readonly Network[],
  ): Promise<string | null> {
    if (!lookUp) return null;
    const position = { latitude: rounded(latitude), longitude: rounded(longitude) };
    const key = `${position.latitude},${position.longitude}`;
    const cached = names.get(key);
    if (cached) return cached;
    if (clock.now() < pausedUntil) return null;
    await assertWithin(limit, networks, TOO_MANY);
    const queued = names.get(key);
    if (queued) return queued;
    const named = limiter
      .run('', null, () => lookUpPaced(position))
      .catch((error: unknown) => {
        names.delete(key);
        if (error === SKIPPED) return null;
        log.warn({ err: error }, 'a position could not be named');
        pausedUntil = clock.now() + PAUSE_MS;
        return null;
      });
    names.set(key, named);
    return named;
  }

  return {
    name,
    routes(mount: Mount): void {
      mount(nameLocation, async ({ query: { lat, lon }, request }) => ({
        data: await name({ latitude: lat, longitude: lon }, networksOf(request)),
      }));
    },
    describe: (): { on: boolean; detail: string } =>
      baseUrl
        ? { on: true, detail: `Place names come from ${new URL(baseUrl).host}.` }
        : { on: false, detail: 'ENGRAM_GEOCODER is not set: positions have no place names.' },
  };
}

export interface Position {
  latitude: number;
  longitude: number;
}

const CITY_ZOOM = 10;

const NAME_LIMIT = 300;

/** https://nominatim.org/release-docs/latest/api/Output/#addressdetails, smallest first. */
const LOCALITIES = ['city', 'town', 'village', 'municipality', 'hamlet', 'suburb', 'county'];
const REGIONS = ['state', 'region', 'province', 'state_district', 'county'];

const answerShape = z.union([
  z.object({ address: z.record(z.string(), z.unknown()) }),
  // A position without a place, such as at sea.
  z.object({ error: z.string() }),
]);

const cleaned = (text: unknown): string | null =>
  typeof text === 'string' ? text.replaceAll(/\p{Cc}+/gu, ' ').trim() || null : null;

/** 'locality, region, country', without unknown and repeated parts. */
function placeName(address: Record<string, unknown>): string | null {
  const first = (names: readonly string[]) =>
    names.map((name) => cleaned(address[name])).find((text) => text !== null);
  const parts = [first(LOCALITIES), first(REGIONS), first(['country'])];
  const name = [...new Set(parts.filter((part) => part !== undefined))].join(', ');
  return name.slice(0, NAME_LIMIT) || null;
}

/**
 * A geocoder with Nominatim's API (https://nominatim.org/release-docs/latest/api/Reverse/). It resolves
 * to the name of a position or null, and rejects with an {@link UnreachableError}.
 */
function createNominatim(options: {
  baseUrl: string;
  /** Public servers require the name of the app and its operator. */
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
    if (status !== 200) throw new UnreachableError(`The geocoder answered with status ${status}.`);
    let answer: z.output<typeof answerShape>;
    try {
      answer = answerShape.parse(JSON.parse(body.toString('utf8')));
    } catch (cause) {
      throw new UnreachableError('The geocoder does not have the API of Nominatim.', { cause });
    }
    return 'address' in answer ? placeName(answer.address) : null;
  };
}
