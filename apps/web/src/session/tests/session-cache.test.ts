import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  cacheInSession,
  clearCache,
  readCache,
  sessionCacheOptions,
  writeCache,
} from '../session-cache.ts';

const HOUR = 3_600_000;

beforeEach(() => sessionStorage.setItem('authToken', 'a-token'));

it('a list is cached for 24 hours as {data, timestamp}', () => {
  writeCache('list', [1, 2], 1000);
  expect(JSON.parse(sessionStorage.getItem('list') ?? '')).toEqual({
    data: [1, 2],
    timestamp: 1000,
  });
  expect(readCache('list', 1000 + 24 * HOUR - 1)).toEqual({ data: [1, 2], timestamp: 1000 });
  expect(readCache('list', 1000 + 24 * HOUR)).toBeUndefined();
});

it('an empty list is not cached, and removes the previous one', () => {
  writeCache('list', [1], 1000);
  writeCache('list', [], 2000);
  expect(sessionStorage.getItem('list')).toBeNull();
});

it('a list that is too long is removed, so that the session has space', () => {
  writeCache('list', ['short']);
  writeCache('list', ['a'.repeat(1_000_000)]);
  expect(sessionStorage.getItem('list')).toBeNull();
});

it('errors of the storage are ignored', () => {
  sessionStorage.setItem('list', '{broken');
  expect(readCache('list')).toBeUndefined();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => writeCache('list', [1])).not.toThrow();
});

it('a list that arrives after the session has ended is not cached', () => {
  sessionStorage.clear();
  writeCache('list', [1]);
  expect(sessionStorage.getItem('list')).toBeNull();
});

it('all lists can be removed together, without other data of the session', () => {
  const session = { authToken: 'a-token', a_exist: 'true', userData: '{"name":"Ann"}' };
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
  writeCache('one', [1]);
  writeCache('other', [2]);
  clearCache();
  expect({ ...sessionStorage }).toEqual(session);
});

it('a list is cached when it is loaded or changed, and shown first on the next page', async () => {
  const client = new QueryClient();
  cacheInSession(client);
  const options = sessionCacheOptions<number[]>('list');
  await client.query({ queryKey: ['list'], queryFn: () => [1], ...options });
  expect(readCache('list')?.data).toEqual([1]);
  client.setQueryData(['list'], [1, 2]);
  client.setQueryData(['another list'], [3]);
  expect(Object.keys(sessionStorage)).toEqual(['authToken', 'list']);
  expect(options.initialData()).toEqual([1, 2]);
});
