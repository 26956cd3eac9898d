import { beforeAll, describe, expect, test } from 'vitest';
import { type OauthProgram, oauthProgram } from '../../../tests/oauth-program.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { aProgram, callAs, clientIdOf, statusOf } from '../../../tests/connections.test-setup.ts';
import { DEVICE_GRANT } from '../client-rules.ts';
import { isPolledTooSoon } from '../authorization-server.ts';
import { hashOfToken } from '../record-adapter.ts';

interface DeviceAnswer {
  device_code: string;
  user_code: string;
}

describe.each(testDatabases)('a device that shows a code (%s)', (database) => {
  const engram = useTestApp({ database });
  let program: OauthProgram;
  let ann: SignedInUser;
  let clientId: string;

  beforeAll(async () => {
    program = oauthProgram(engram.origin);
    ann = await engram.signIn('ann@example.org');
    const device = aProgram({
      client_name: 'Kitchen Screen',
      // The server never redirects there, so it does not identify the app.
      redirect_uris: ['https://bank.example.org/back'],
    });
    clientId = clientIdOf(await program.register(device));
  });

  const begin = async (scope = 'files:read'): Promise<DeviceAnswer> => {
    const { status, body } = await program.post('/oauth/device', { client_id: clientId, scope });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verification_uri: `${engram.origin}/device`,
      verification_uri_complete: `${engram.origin}/device?user_code=${String(body['user_code'])}`,
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/u) as string,
      interval: 5,
      expires_in: 600,
    });
    return body as unknown as DeviceAnswer;
  };

  const errorOf = async (deviceCode: string) =>
    (await program.poll(clientId, deviceCode)).body['error'];

  const decide = (decision: 'allow' | 'deny' | 'request', userCode: string) =>
    callAs(engram, ann, 'POST', `/connect/device/${decision}`, { body: { userCode } });

  test('is authorized by the code in any notation', async () => {
    const { device_code, user_code } = await begin();
    expect(await errorOf(device_code)).toBe('authorization_pending');
    const typed = ` ${user_code.replace('-', '').toLowerCase()} `;
    expect((await decide('request', typed)).data).toEqual({
      name: 'Kitchen Screen',
      address: null,
      verified: false,
      kind: 'device',
      toolsOnly: false,
      scopes: ['files:read'],
    });
    expect((await decide('allow', typed)).status).toBe(200);
    const { status, body } = await program.poll(clientId, device_code);
    expect([status, body['scope'], body['token_type']]).toEqual([200, 'files:read', 'Bearer']);
    expect(await statusOf(engram, body['access_token'] as string)).toBe(200);
    expect((await program.refresh(clientId, body['refresh_token'] as string)).status).toBe(200);
    expect((await decide('allow', user_code)).status).toBe(404);
  });

  test('is ended if its code is used twice', async () => {
    const { device_code, user_code } = await begin();
    await decide('allow', user_code);
    const { body } = await program.poll(clientId, device_code);
    expect((await program.poll(clientId, device_code)).body['error']).toBe('invalid_grant');
    expect(await statusOf(engram, body['access_token'] as string)).toBe(401);
  });

  test('is informed if access is denied', async () => {
    const { device_code, user_code } = await begin();
    expect((await decide('deny', user_code)).status).toBe(200);
    expect(await errorOf(device_code)).toBe('access_denied');
    expect((await decide('allow', user_code)).status).toBe(404);
  });

  test('must poll five seconds more slowly each time it polls too often', async () => {
    const { device_code } = await begin();
    expect(await errorOf(device_code)).toBe('authorization_pending');
    expect(await errorOf(device_code)).toBe('slow_down');
    engram.advance(6000);
    expect(await errorOf(device_code)).toBe('slow_down');
    engram.advance(16_000);
    expect(await errorOf(device_code)).toBe('authorization_pending');
  });

  test('must also poll more slowly if it alternates between servers', async () => {
    const { device_code } = await begin();
    const { database: shared, now } = engram.deps;
    expect(await errorOf(device_code)).toBe('authorization_pending');
    expect(await isPolledTooSoon(shared, hashOfToken(device_code), now())).toBe(true);
    expect(await errorOf(device_code)).toBe('slow_down');
  });

  test('may be a browser extension, but not a page of a website', async () => {
    const device = { redirect_uris: [], response_types: [], grant_types: [DEVICE_GRANT] };
    const id = clientIdOf(await program.register(aProgram(device)));
    const statusFrom = async (origin: string, client_id: string): Promise<number> => {
      const body = new URLSearchParams({ client_id, scope: 'files:read' });
      const headers = { origin };
      return (await fetch(`${engram.origin}/oauth/device`, { method: 'POST', headers, body }))
        .status;
    };
    expect(await statusFrom('chrome-extension://ngddbapcolikjbgognhlhikimclcdalc', id)).toBe(200);
    expect(await statusFrom('moz-extension://1f3cd08e-8a4f-4b7e-9d1c-2a1b3c4d5e6f', id)).toBe(200);
    expect(await statusFrom('https://evil.example.org', id)).toBe(400);
    expect(await statusFrom('chrome-extension://ngddbapcolikjbgognhlhikimclcdalc', clientId)).toBe(
      400,
    );
  });

  test('has no codes in clear text in the database', async () => {
    const { device_code, user_code } = await begin();
    const { rows } = await engram.deps.database.pool.query<{ row: string }>(
      'SELECT oauth_records::text AS row FROM oauth_records',
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [device_code, user_code, user_code.replace('-', '')]) {
      expect(stored).not.toContain(secret);
    }
  });

  test('cannot be found from the stored hash', async () => {
    const { user_code } = await begin();
    await decide('request', user_code);
    const { rows } = await engram.deps.database.pool.query<{ id: string }>(
      "SELECT id FROM oauth_records WHERE kind = 'DeviceCode'",
    );
    for (const { id } of rows) expect(await errorOf(`sha256:${id}`)).toBe('invalid_grant');
  });

  test('is rejected after ten minutes', async () => {
    const { device_code, user_code } = await begin();
    engram.advance(10 * 60_000 + 1000);
    expect(await errorOf(device_code)).toBe('expired_token');
    expect((await decide('request', user_code)).status).toBe(404);
  });
});

describe('codes of devices', () => {
  const engram = useTestApp({ env: { ENGRAM_RATE_LIMITS: 'on' } });

  test('cannot be guessed', async () => {
    const ann = await engram.signIn('ann@example.org');
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const body = { userCode: 'BCDF-GHJK' };
      statuses.push(
        (await callAs(engram, ann, 'POST', '/connect/device/request', { body })).status,
      );
    }
    expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(404));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });
});
