import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { FetchBounds } from '../../platform/http/bounded-fetch.ts';
import { assertWithin, type Network } from '../../platform/http/networks.ts';
import type { Limit } from '../../platform/limits/limit.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import { createNominatim, type Position } from './nominatim.ts';

export interface LocationDependencies {
  /** Base address of a server with Nominatim's API; without one positions stay unnamed. */
  geocoder: string | undefined;
  userAgent: string;
  fetch: FetchBounds['fetch'];
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Positions that a caller's network may have looked up. */
  limit: Limit;
  /** Positions that the geocoder looks up for all callers together, by its address. */
  pace: Limit;
}

/** How long a lookup may take, in milliseconds, and most bytes of its answer. */
const BOUNDS = { timeoutMs: 4000, mostBytes: 131_072 };

/** Positions that wait at each server until the one before them is looked up. */
const MOST_WAITING = 4;
const FULL = new Error('Too many positions wait.');

/** Names that are remembered, and for how long in milliseconds: places are seldom renamed. */
const REMEMBERED = { max: 5000, ttl: 30 * 86_400_000 };

/** How long a geocoder that failed is left alone, in milliseconds. */
const REST_MS = 30_000;

const TOO_MANY = 'Too many places were asked for. Please wait a moment.';

/** To about a kilometre: enough for the name of a town, and no more than that leaves this server. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100 + 0;

/**
 * Names positions. Anybody may ask, as the sign-in carries the name before there is a session, so
 * that nobody can use this server as a proxy: positions are rounded and remembered, lookups are
 * limited for each network, and all of them together go out at the geocoder's pace.
 */
export function createLocationService(deps: LocationDependencies) {
  const { geocoder: baseUrl, userAgent, fetch, clock, log, limit, pace } = deps;
  const lookUp = baseUrl
    ? createNominatim({ baseUrl, userAgent, bounds: { fetch, clock, ...BOUNDS } })
    : null;
  const limiter = createFairLimiter({
    concurrency: 1,
    maxQueued: MOST_WAITING,
    whenFull: () => FULL,
  });
  const names = new LRUCache<string, { name: string | null }>({
    ...REMEMBERED,
    perf: { now: clock.now },
    // Read from the injected clock each time.
    ttlResolution: 0,
  });
  const underWay = new Map<string, Promise<string | null>>();
  let restsUntil = Number.NEGATIVE_INFINITY;

  async function nameOf(key: string, position: Position): Promise<string | null> {
    // Whoever waited for their turn need not wait for one that is known to fail.
    if (!lookUp || clock.now() < restsUntil) return null;
    try {
      const name = await lookUp(position);
      names.set(key, { name });
      return name;
    } catch (error) {
      log.warn({ err: error }, 'a position could not be named');
      restsUntil = clock.now() + REST_MS;
      return null;
    }
  }

  /** Waits until the geocoder may be asked again. */
  async function paced(): Promise<void> {
    for (;;) {
      const seconds = await pace(baseUrl ?? '');
      if (seconds <= 0) return;
      const ms = Math.ceil(seconds * 1000);
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));
    }
  }

  /** Null where too many wait already. */
  function begin(key: string, position: Position): Promise<string | null> {
    const lookup = limiter
      .run('', null, () => paced().then(() => nameOf(key, position)))
      .catch((error: unknown) => {
        if (error === FULL) return null;
        throw error;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, lookup);
    return lookup;
  }

  return {
    /**
     * What a position is called; null where nobody knows, or nobody could be asked.
     * @throws HttpError 429 when the caller's network has asked for too many.
     */
    async name(
      { latitude, longitude }: Position,
      networks: readonly Network[],
    ): Promise<string | null> {
      if (!lookUp) return null;
      const position = { latitude: rounded(latitude), longitude: rounded(longitude) };
      const key = `${position.latitude},${position.longitude}`;
      const known = names.get(key);
      if (known) return known.name;
      const running = underWay.get(key);
      if (running) return running;
      if (clock.now() < restsUntil) return null;
      await assertWithin(limit, networks, TOO_MANY);
      // Somebody else may have asked meanwhile.
      return underWay.get(key) ?? begin(key, position);
    },

    /** Whether positions are named, and why not where they are not. */
    describe: (): { on: boolean; detail: string } =>
      baseUrl
        ? { on: true, detail: `Positions are named by ${new URL(baseUrl).host}.` }
        : { on: false, detail: 'No geocoder is set (ENGRAM_GEOCODER): positions stay unnamed.' },
  };
}

export type LocationService = ReturnType<typeof createLocationService>;
