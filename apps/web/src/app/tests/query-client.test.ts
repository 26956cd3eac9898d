import { expect, it } from 'vitest';
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
