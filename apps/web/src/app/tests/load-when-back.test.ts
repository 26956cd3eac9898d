import { listKeywords, ready } from '@engram/contract';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../api/api.ts';
import { type FakeServer, Refusal, startFakeServer } from '../../tests/fake-server.test-setup.ts';
import { createQueryClient } from '../query-client.ts';

const UNAVAILABLE_STATUSES = new Refusal(503, 'The database is away.');
const READY = { status: 'ready' as const, parts: [] };
const MINUTE_MS = 60_000;

let server: FakeServer;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  server = startFakeServer();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Loads the keywords, as a page does. */
function loadKeywords() {
  const keywords = new QueryObserver(createQueryClient(), {
    queryKey: ['keywords'],
    queryFn: () => api.call(listKeywords, {}),
  });
  stop = keywords.subscribe(() => undefined);
  return keywords;
}

test('requests that failed while the server was down are repeated once it is ready', async () => {
  let isUnavailable = true;
  server
    .on(listKeywords, () => (isUnavailable ? UNAVAILABLE_STATUSES : []))
    .on(ready, () => (isUnavailable ? UNAVAILABLE_STATUSES : READY));
  const keywords = loadKeywords();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(keywords.getCurrentResult().isError).toBe(true);
  expect(server.callsOf(listKeywords)).toHaveLength(3);
  const pollCount = server.callsOf(ready).length;
  expect(pollCount).toBeGreaterThan(2);
  isUnavailable = false;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(keywords.getCurrentResult().isSuccess).toBe(true);
  expect(server.callsOf(listKeywords)).toHaveLength(4);
  expect(server.callsOf(ready)).toHaveLength(pollCount + 1);
});

test('a request that fails on a ready server too is repeated only once', async () => {
  server.on(listKeywords, () => UNAVAILABLE_STATUSES).on(ready, () => READY);
  const keywords = loadKeywords();
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(keywords.getCurrentResult().isError).toBe(true);
  expect(server.callsOf(listKeywords)).toHaveLength(6);
  expect(server.callsOf(ready)).toHaveLength(1);
});

test('a server that responds with errors is not polled', async () => {
  server.on(listKeywords, () => new Refusal(500, 'It is broken.'));
  const keywords = loadKeywords();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(keywords.getCurrentResult().isError).toBe(true);
  expect(server.callsOf(ready)).toEqual([]);
});
