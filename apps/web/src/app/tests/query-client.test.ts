import { appSettings, listKeywords } from '@engram/contract/browser';
import { expect, it } from 'vitest';
import { aSession } from '../../tests/factories.test-setup.ts';
import { keyOf } from '../../api/keys.ts';
import { clearSession, storeSession } from '../../session/session.ts';
import { createQueryClient } from '../query-client.ts';

it('the cached data of a user is removed when their session ends, but not the settings', () => {
  const queries = createQueryClient();
  storeSession(aSession());
  queries.setQueryData(keyOf(listKeywords), ['Work']);
  queries.setQueryData(keyOf(appSettings), { timeZone: 'UTC' });
  storeSession(aSession({ token: 'a-newer-token' }));
  expect(queries.getQueryData(keyOf(listKeywords))).toEqual(['Work']);
  clearSession();
  expect(queries.getQueryData(keyOf(listKeywords))).toBeUndefined();
  expect(queries.getQueryData(keyOf(appSettings))).toEqual({ timeZone: 'UTC' });
});
