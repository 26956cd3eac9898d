import { listKeywords, ready } from '@engram/contract';
import { QueryObserver } from '@tanstack/react-query';
import { expect, it, onTestFinished, vi } from 'vitest';
import { api } from '../../api/api.ts';
import { Refusal, startFakeServer } from '../../tests/fake-server.test-setup.ts';
import { aSession } from '../../tests/factories.test-setup.ts';
import { clearSession, storeSession } from '../../session/session.ts';
import { createQueryClient } from '../query-client.ts';

it('lets go of what a person has loaded when their session ends, but not of the settings', () => {
  const queries = createQueryClient();
  storeSession(aSession());
  queries.setQueryData(['keywords'], ['Work']);
  queries.setQueryData(['settings'], { timeZone: 'UTC' });
  storeSession(aSession({ token: 'a-newer-token' }));
  expect(queries.getQueryData(['keywords'])).toEqual(['Work']);
  clearSession();
  expect(queries.getQueryData(['keywords'])).toBeUndefined();
  expect(queries.getQueryData(['settings'])).toEqual({ timeZone: 'UTC' });
});

it('loads what a server that was away did not give, once it is ready again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isAway = true;
  const away = new Refusal(503, 'The database is away.');
  const server = startFakeServer()
    .on(listKeywords, () => (isAway ? away : []))
    .on(ready, () => (isAway ? away : { status: 'ready' as const, parts: [] }));
  const keywords = new QueryObserver(createQueryClient(), {
    queryKey: ['keywords'],
    queryFn: () => api.call(listKeywords, {}),
  });
  onTestFinished(keywords.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keywords.getCurrentResult().isError).toBe(true);
  expect(server.callsOf(listKeywords)).toHaveLength(3);
  const looks = server.callsOf(ready).length;
  expect(looks).toBeGreaterThan(2);
  isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keywords.getCurrentResult().isSuccess).toBe(true);
  expect(server.callsOf(listKeywords)).toHaveLength(4);
  expect(server.callsOf(ready)).toHaveLength(looks + 1);
});

it('asks no ready server again for what it refuses', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const server = startFakeServer().on(listKeywords, () => new Refusal(500, 'It is broken.'));
  const keywords = new QueryObserver(createQueryClient(), {
    queryKey: ['keywords'],
    queryFn: () => api.call(listKeywords, {}),
  });
  onTestFinished(keywords.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keywords.getCurrentResult().isError).toBe(true);
  expect(server.callsOf(ready)).toEqual([]);
});
