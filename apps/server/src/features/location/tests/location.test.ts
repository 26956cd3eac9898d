import { getHistoryEntry, nameLocation, search, status } from '@engram/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GeocoderServer, startGeocoder } from '../../../tests/geocoder-server.test-setup.ts';
import { buildTestApp, type TestApp } from '../../../tests/app.test-setup.ts';

let geocoder: GeocoderServer;
let app: TestApp;
beforeAll(async () => {
  geocoder = await startGeocoder();
  app = await buildTestApp({
    env: { ENGRAM_GEOCODER: geocoder.url, ENGRAM_RATE_LIMITS: 'on', ENGRAM_TRUST_PROXY: 'true' },
  });
});
afterAll(async () => {
  await app?.close();
  await geocoder?.close();
});

test('anyone can look up the name of a position, and the server identifies itself', async () => {
  const query = { lat: '38.7223', lon: '-9.1393' };
  const { data } = await app.anonymous.call(nameLocation, { query });
  expect(data).toBe('Lisbon, Portugal');
  expect(geocoder.requests[0]?.userAgent).toMatch(/^Engram\/\d+\.\d+\.\d+$/u);
});

test.each([
  ['lat=38.72', 'The longitude must be a number of degrees from -180 to 180.'],
  ['lat=&lon=1', 'The latitude must be a number of degrees from -90 to 90.'],
  ['lat=90.5&lon=1', 'The latitude must be a number of degrees from -90 to 90.'],
  ['lat=1&lon=-180.1', 'The longitude must be a number of degrees from -180 to 180.'],
  ['lat=1e1&lon=1', 'The latitude must be a number of degrees from -90 to 90.'],
  ['lat=NaN&lon=1', 'The latitude must be a number of degrees from -90 to 90.'],
  ['lat=1&lon=0x10', 'The longitude must be a number of degrees from -180 to 180.'],
  ['lat=1&lon=1%26zoom=18', 'The longitude must be a number of degrees from -180 to 180.'],
  ['lat=1&lat=2&lon=1', 'The latitude must be a number of degrees from -90 to 90.'],
])('%s is not a position', async (query, message) => {
  const response = await fetch(`${app.baseUrl}/location?${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ code: 'invalid_request', message });
});

test('lookups are limited per network', async () => {
  const lookUp = async (lat: number) => {
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    const response = await fetch(`${app.baseUrl}/location?lat=${lat}&lon=7`, { headers });
    return response.status;
  };
  // Many more than the limit, because tokens are refilled meanwhile on a slow machine.
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, n) => lookUp(n)));
  expect(statuses.filter((code) => code === 429).length).toBeGreaterThanOrEqual(3);
  expect(statuses.filter((code) => code === 200).length).toBeGreaterThanOrEqual(20);
});

test('a question is stored with its position, its device and the IP address that the server saw', async () => {
  const { client, token } = await app.signIn('ada@example.org');
  const body = {
    text: 'Where did I park?',
    location: { latitude: 38.72, longitude: -9.14 },
    ipAddress: '6.6.6.6',
    device: 'iPad',
    audio: false,
  };
  const { data } = await client.call(search, { body });
  const query = { id: data.history_id };
  const entry = (await client.call(getHistoryEntry, { query })).data;
  expect(entry).toMatchObject({
    latitude: 38.72,
    longitude: -9.14,
    device: 'iPad',
    ip: '127.0.0.1',
  });

  const unlocated = await client.call(search, {
    body: { text: 'And now?', location: null, audio: false },
  });
  const unlocatedEntry = await client.call(getHistoryEntry, {
    query: { id: unlocated.data.history_id },
  });
  expect(unlocatedEntry.data).toMatchObject({ latitude: null, longitude: null, device: null });

  const invalid = { ...body, location: { latitude: 91, longitude: 0 } };
  const refused = await fetch(`${app.baseUrl}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(invalid),
  });
  expect(refused.status).toBe(400);
});

test('the status shows the geocoder', async () => {
  const { client } = await app.signIn('grace@example.org');
  const { abilities } = (await client.call(status, {})).data;
  const ability = abilities.find(({ name }) => name === 'geocoder');
  const { host } = new URL(geocoder.url);
  expect(ability).toEqual({ name: 'geocoder', on: true, detail: `Place names come from ${host}.` });
});

test('without a geocoder positions have no names', async () => {
  const bare = await buildTestApp();
  const { data } = await bare.anonymous.call(nameLocation, { query: { lat: '1', lon: '2' } });
  expect(data).toBeNull();
  const { client } = await bare.signIn('ada@example.org');
  const { abilities } = (await client.call(status, {})).data;
  expect(abilities).toContainEqual({
    name: 'geocoder',
    on: false,
    detail: 'ENGRAM_GEOCODER is not set: positions have no place names.',
  });
  await bare.close();
});
