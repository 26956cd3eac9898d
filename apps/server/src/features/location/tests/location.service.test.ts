import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../platform/clock.ts';
import { type Limit, noLimit } from '../../../platform/limits/limit.ts';
import { createTokenBuckets } from '../../../platform/limits/limits.ts';
import {
  type GeocoderBehavior,
  type GeocoderServer,
  LISBON,
  startGeocoder,
} from '../../../tests/geocoder-server.test-setup.ts';
import { createLocation } from '../location.service.ts';

/** A clock that tests advance. */
function createTestClock() {
  let now = 1_000_000;
  const timers = new Map<object, { at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    setTimeout(run, milliseconds) {
      const timer = {};
      timers.set(timer, { at: now + milliseconds, run });
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as object),
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    for (const [timer, { at, run }] of timers) {
      if (at > now) continue;
      timers.delete(timer);
      run();
    }
  };
  return { clock, pass };
}

let geocoder: GeocoderServer;
let warnings: unknown[];
let time: ReturnType<typeof createTestClock>;
let service: ReturnType<typeof createLocation>;

beforeEach(async () => {
  geocoder = await startGeocoder();
  time = createTestClock();
  warnings = [];
  service = createService();
});
afterEach(() => geocoder.close());

const noop = (): void => {};
const network = (key = '192.0.2.1') => [{ key, times: 1 }];

const createService = (limit: Limit = noLimit) =>
  createLocation({
    config: { geocoder: `${geocoder.url}/nominatim/` },
    userAgent: 'Engram/1.2.3',
    providers: { outside: () => ({ fetch, clock: time.clock }) },
    log: { warn: (details: unknown) => void warnings.push(details) },
    limits: {
      limitOf: () => limit,
      paceOf: () => createTokenBuckets({ perSecond: 1, burst: 1 }, time.clock.now),
    },
  });

/** Requests a name, and advances the clock to the next lookup. */
async function requestName(latitude: number, longitude: number, ip = '192.0.2.1') {
  const answer = await service.name({ latitude, longitude }, network(ip));
  time.pass(1000);
  return answer;
}

test('requests a town in English by a rounded position, and identifies itself', async () => {
  expect(await requestName(38.722_252, -9.139_337)).toBe('Lisbon, Portugal');
  expect(geocoder.requests).toEqual([
    {
      path: '/nominatim/reverse',
      query: {
        format: 'jsonv2',
        lat: '38.72',
        lon: '-9.14',
        zoom: '10',
        addressdetails: '1',
        'accept-language': 'en',
      },
      userAgent: 'Engram/1.2.3',
    },
  ]);
});

test.each<[string | null, GeocoderBehavior]>([
  [
    'Ely, England, United Kingdom',
    { kind: 'place', address: { town: 'Ely', state: 'England', country: 'United Kingdom' } },
  ],
  [
    'Zürich, Switzerland',
    { kind: 'place', address: { city: 'Zürich', state: 'Zürich', country: 'Switzerland' } },
  ],
  ['Greenland', { kind: 'place', address: { country: 'Greenland' } }],
  ['Lon don', { kind: 'place', address: { city: '\u0000Lon\ndon ', state: 7, country: {} } }],
  [null, { kind: 'place', address: {} }],
  [null, { kind: 'nowhere' }],
])('returns the name %s', async (expected, behavior) => {
  geocoder.behave(behavior);
  expect(await requestName(1, 2)).toBe(expected);
  // Missing names are cached too.
  expect(await requestName(1.001, 2.001)).toBe(expected);
  expect(geocoder.requests).toHaveLength(1);
});

test('caches a place for a month', async () => {
  await requestName(38.72, -9.14);
  time.pass(29 * 86_400_000);
  await requestName(38.7249, -9.1351);
  expect(geocoder.requests).toHaveLength(1);
  time.pass(2 * 86_400_000);
  await requestName(38.72, -9.14);
  expect(geocoder.requests).toHaveLength(2);
});

test('looks up a position once for concurrent requests', async () => {
  const position = { latitude: -0.001, longitude: 0.001 };
  const lookups = [1, 2, 3].map(() => service.name(position, network()));
  expect(await Promise.all(lookups)).toEqual(Array(3).fill('Lisbon, Portugal'));
  expect(geocoder.requests.map(({ query }) => [query['lat'], query['lon']])).toEqual([['0', '0']]);
});

test('makes one request per second, and skips positions that would wait long', async () => {
  const lookups = Array.from({ length: 8 }, (_, n) =>
    service.name({ latitude: n, longitude: n }, network()),
  );
  expect(await Promise.all(lookups.slice(5))).toEqual([null, null, null]);
  for (let n = 1; n <= 5; n += 1) {
    expect(await lookups[n - 1]).toBe('Lisbon, Portugal');
    time.pass(999);
    expect(geocoder.requests).toHaveLength(n);
    time.pass(1);
  }
  expect(geocoder.requests).toHaveLength(5);
});

test.each<[string, GeocoderBehavior]>([
  ['refuses', { kind: 'status', status: 429 }],
  ['is broken', { kind: 'status', status: 500 }],
  ['redirects', { kind: 'status', status: 302 }],
  ['sends a page', { kind: 'text', text: '<html>' }],
  ['sends JSON of another shape', { kind: 'text', text: '[]' }],
  ['sends an endless response', { kind: 'text', text: `"${'x'.repeat(200_000)}"` }],
])('a geocoder that %s gives no name and is paused', async (_, behavior) => {
  geocoder.behave(behavior, LISBON);
  expect(await requestName(1, 2)).toBeNull();
  expect(warnings).toHaveLength(1);
  expect(await requestName(1, 2)).toBeNull();
  expect(geocoder.requests).toHaveLength(1);
  time.pass(30_000);
  expect(await requestName(1, 2)).toBe('Lisbon, Portugal');
});

test('stops waiting for a geocoder that does not respond', async () => {
  geocoder.behave({ kind: 'hang' });
  const lookups = [1, 2].map((n) => service.name({ latitude: n, longitude: n }, network()));
  await geocoder.received(1);
  time.pass(4000);
  expect(await Promise.all(lookups)).toEqual([null, null]);
  expect(geocoder.requests).toHaveLength(1);
});

test('limits lookups per network, except for cached positions', async () => {
  service = createService(
    Object.assign(async (key: string) => (key === '192.0.2.66' ? 7 : 0), { giveBack: noop }),
  );
  await expect(requestName(1, 2, '192.0.2.66')).rejects.toMatchObject({
    status: 429,
    headers: { 'retry-after': '7' },
  });
  expect(geocoder.requests).toEqual([]);
  await requestName(1, 2);
  expect(await requestName(1, 2, '192.0.2.66')).toBe('Lisbon, Portugal');
});
