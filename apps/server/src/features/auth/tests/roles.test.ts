import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getProfile, listUsers } from '@engram/contract';
import { createClient } from '@engram/client';
import { expect, test } from 'vitest';
import { buildTestApp } from '../../../tests/app.test-setup.ts';
import { describeAccounts } from './accounts.test-setup.ts';

describeAccounts('who is an admin', (accounts) => {
  const restartWith = (ENGRAM_ADMIN_EMAILS: string) => accounts.restart({ ENGRAM_ADMIN_EMAILS });
  const roleOf = async (token: string) => {
    const { data } = await accounts.server.call('GET', '/user/profile', { token });
    return (data as { role: string }).role;
  };

  test('follows the settings after a start, also in open sessions', async () => {
    await restartWith('ada@example.org');
    const ada = await accounts.server.signIn('Ada@example.org');
    const bob = await accounts.server.signIn('bob@example.org');
    expect([await roleOf(ada.token), await roleOf(bob.token)]).toEqual(['ADMIN', 'USER']);

    await restartWith('eve@example.org, BOB@example.org');
    await accounts.server.services.auth.assignRoles();
    expect([await roleOf(ada.token), await roleOf(bob.token)]).toEqual(['USER', 'ADMIN']);

    await accounts.restart({});
    await accounts.server.services.auth.assignRoles();
    expect([await roleOf(ada.token), await roleOf(bob.token)]).toEqual(['USER', 'USER']);
  });

  test('is determined at every sign-in', async () => {
    await restartWith('ada@example.org');
    await accounts.server.signIn('ada@example.org');
    await accounts.restart({});
    const { answer, token } = await accounts.server.signIn('ada@example.org');
    expect(answer.data).toMatchObject({ roles: ['USER'] });
    expect(await roleOf(token)).toBe('USER');
  });
});

test('the start of the server removes the role of users who are no longer named', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-roles-'));
  const first = await buildTestApp({ dataDir, env: { ENGRAM_ADMIN_EMAILS: 'ada@example.org' } });
  const ada = await first.signIn('ada@example.org');
  expect((await ada.client.call(listUsers, {})).total).toBe(1);
  await first.close();

  const next = await buildTestApp({ dataDir });
  const client = createClient({ baseUrl: next.baseUrl, token: () => ada.token });
  expect((await client.call(getProfile, {})).data.role).toBe('USER');
  await expect(client.call(listUsers, {})).rejects.toMatchObject({ status: 403 });
  await next.close();
  await rm(dataDir, { recursive: true });
});
