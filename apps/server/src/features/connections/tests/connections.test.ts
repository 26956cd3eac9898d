import {
  deleteAccount,
  endConnection,
  endConnections,
  listConnections,
  listSecurityEvents,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OauthProgram, oauthProgram } from '../../../tests/oauth-program.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import {
  aProgram,
  CALLBACK,
  callAs,
  clientIdOf,
  createDesk,
  statusOf,
} from '../../../tests/connections.test-setup.ts';

const HOUR_MS = 3_600_000;

describe.each(testDatabases)('connected apps (%s)', (database) => {
  const engram = useTestApp({ database });
  let program: OauthProgram;
  let desk: ReturnType<typeof createDesk>;
  let clientId: string;

  beforeAll(async () => {
    program = oauthProgram(engram.origin);
    desk = createDesk(engram, program);
    clientId = clientIdOf(await program.register(aProgram()));
  });

  const request = () => ({ clientId, redirectUri: CALLBACK, scope: 'files:read files:write' });
  const listOf = async ({ client }: SignedInUser) => (await client.call(listConnections, {})).data;
  const eventsOf = async ({ client }: SignedInUser) =>
    (await client.call(listSecurityEvents, { query: {} })).data.map(({ kind }) => kind);

  test('are listed for their user, with their permissions and last use', async () => {
    const ann = await engram.signIn('ann@example.org');
    expect(await listOf(ann)).toEqual([]);
    const { tokens } = await desk.connect(ann, request());
    expect(await listOf(ann)).toEqual([
      {
        id: expect.any(String) as string,
        name: 'Reading Lamp',
        address: null,
        verified: false,
        kind: 'local',
        scopes: ['files:read', 'files:write'],
        connectedAt: expect.any(String) as string,
        lastUsedAt: null,
      },
    ]);
    expect(await eventsOf(ann)).toContain('app_connected');

    const lastUse = async () => {
      await statusOf(engram, tokens.access_token);
      await engram.deps.background.drain();
      return (await listOf(ann))[0]?.lastUsedAt;
    };
    const first = await lastUse();
    expect(first).not.toBeNull();
    engram.advance(30_000);
    expect(await lastUse()).toBe(first);
    engram.advance(31_000);
    expect(await lastUse()).not.toBe(first);
  });

  test('are ended with their tokens, one or all, which is logged', async () => {
    const bob = await engram.signIn('bob@example.org');
    const connection = await desk.connect(bob, request());
    const two = await desk.connect(bob, request());
    const three = await desk.connect(bob, request());
    const [newest] = await listOf(bob);
    await bob.client.call(endConnection, { params: { id: newest!.id } });
    expect(await statusOf(engram, three.tokens.access_token)).toBe(401);
    expect((await program.refresh(clientId, three.tokens.refresh_token)).status).toBe(400);
    expect(await statusOf(engram, two.tokens.access_token)).toBe(200);
    await expect(
      bob.client.call(endConnection, { params: { id: newest!.id } }),
    ).rejects.toMatchObject({ status: 404 });

    const { data } = await bob.client.call(endConnections, {});
    expect(data).toEqual({ ended: 2 });
    for (const { tokens } of [connection, two]) {
      expect(await statusOf(engram, tokens.access_token)).toBe(401);
      expect((await program.refresh(clientId, tokens.refresh_token)).status).toBe(400);
    }
    expect((await eventsOf(bob)).filter((kind) => kind === 'app_ended')).toHaveLength(2);
  });

  test('that used a copied token are ended, which is reported to the user', async () => {
    const cem = await engram.signIn('cem@example.org');
    const { tokens } = await desk.connect(cem, request());
    await program.refresh(clientId, tokens.refresh_token);
    await program.refresh(clientId, tokens.refresh_token);
    expect(await listOf(cem)).toEqual([]);
    expect(await eventsOf(cem)).toContain('app_ended');
  });

  test('need recent authentication to be authorized', async () => {
    const fay = await engram.signIn('fay@example.org');
    engram.advance(16 * 60_000);
    const started = await program.begin(request());
    const path = `/connect/${started.uid}/allow`;
    const cookie = started.cookieFor(`/v1${path}`);
    const { status, code } = await callAs(engram, fay, 'POST', path, { cookie });
    expect([status, code]).toEqual([403, 'fresh_code_needed']);
    expect((await desk.answer(fay, started, 'deny')).searchParams.get('error')).toBe(
      'access_denied',
    );
  });

  test('end with the account', async () => {
    const dan = await engram.signIn('dan@example.org');
    const { tokens } = await desk.connect(dan, request());
    const waiting = await program.begin(request());
    await desk.answer(dan, waiting, 'allow');
    await dan.client.call(deleteAccount, { body: { email: dan.email } });
    expect(await statusOf(engram, tokens.access_token)).toBe(401);
    expect((await program.refresh(clientId, tokens.refresh_token)).status).toBe(400);
    const { rows } = await engram.deps.database.pool.query(
      'SELECT FROM oauth_records WHERE user_id = $1',
      [dan.userId],
    );
    expect(rows).toEqual([]);
  });

  test('have access for an hour, can refresh it, and are removed once the refresh token expires', async () => {
    const eve = await engram.signIn('eve@example.org');
    const { tokens } = await desk.connect(eve, request());
    engram.advance(HOUR_MS + 1000);
    expect(await statusOf(engram, tokens.access_token)).toBe(401);
    const renewed = await program.refresh(clientId, tokens.refresh_token);
    expect(await statusOf(engram, renewed.body['access_token'] as string)).toBe(200);
    engram.advance(61 * 24 * HOUR_MS);
    const late = await program.refresh(clientId, renewed.body['refresh_token'] as string);
    expect(late.body['error']).toBe('invalid_grant');
    await engram.deps.services.connections.service.cleanUp();
    const counts = async (table: string) =>
      (
        await engram.deps.database.pool.query(`SELECT FROM ${table} WHERE user_id = $1`, [
          eve.userId,
        ])
      ).rows.length;
    expect([await counts('connections'), await counts('oauth_records')]).toEqual([0, 0]);
  });
});
