import {
  API_KEY_HEADER,
  endConnection,
  endDevice,
  generateApiKey,
  listConnections,
  listDevices,
  listSecurityEvents,
} from '@engram/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aProgram,
  CALLBACK,
  clientIdOf,
  createDesk,
} from '../../../tests/connections.test-setup.ts';
import { deviceFolder, shaOf } from '../../../tests/device-folder.test-setup.ts';
import { type OauthProgram, oauthProgram } from '../../../tests/oauth-program.test-setup.ts';
import { plainCalls, type SentCall } from '../../../tests/plain-calls.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const aDevice = { name: 'Home-PC', platform: 'Linux', version: '0.1.0' };

describe.each(testDatabases)('access to a device (%s)', (database) => {
  const engram = useTestApp({ database });
  const { call } = plainCalls(engram);
  let program: OauthProgram;
  let desk: ReturnType<typeof createDesk>;
  let clientId: string;
  let userCount = 0;
  let ann: SignedInUser;

  beforeAll(async () => {
    program = oauthProgram(engram.origin);
    desk = createDesk(engram, program);
    clientId = clientIdOf(await program.register(aProgram()));
  });

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
  });

  /** Authorizes an app and returns its token. */
  const connect = async (scope = 'files:read files:write') => {
    const { tokens } = await desk.connect(ann, { clientId, redirectUri: CALLBACK, scope });
    return tokens.access_token;
  };
  const keyOf = async (body: { readOnly?: boolean } = {}) => {
    const { data } = await ann.client.call(generateApiKey, { params: { name: 'PC' }, body });
    return { headers: { [API_KEY_HEADER]: data.apiKey } };
  };
  const register = async (as: SentCall): Promise<string> => {
    const { answer } = await call('POST /devices', { ...as, body: aDevice });
    return (answer['data'] as { id: string }).id;
  };
  const report = async (as: SentCall, id: string) =>
    (await call('POST /devices', { ...as, body: { ...aDevice, id } })).status;
  const devices = async () => (await ann.client.call(listDevices, {})).data.map(({ id }) => id);

  test('is limited to the connection that registered it', async () => {
    const [mine, other] = [{ token: await connect() }, { token: await connect() }];
    const id = await register(mine);
    expect(await report(mine, id)).toBe(200);
    for (const stranger of [other, await keyOf()]) {
      expect(await report(stranger, id)).toBe(404);
      expect((await call(`DELETE /devices/${id}`, stranger)).status).toBe(404);
    }
    expect(await devices()).toEqual([id]);
    expect((await call('GET /artifacts', mine)).status).toBe(200);
  });

  test('ends with the device, including tokens, and is logged', async () => {
    const token = await connect();
    const id = await register({ token });
    await ann.client.call(endDevice, { params: { id } });
    expect((await call('GET /artifacts', { token })).status).toBe(401);
    expect((await ann.client.call(listConnections, {})).data).toEqual([]);
    expect(await devices()).toEqual([]);
    const events = (await ann.client.call(listSecurityEvents, { query: {} })).data;
    expect(events.map(({ kind }) => kind)).toContain('app_ended');
  });

  test('can be ended by the device itself, and with its connection', async () => {
    const [one, two] = [{ token: await connect() }, { token: await connect() }];
    const id = await register(one);
    expect((await call(`DELETE /devices/${id}`, one)).status).toBe(200);
    expect((await call('GET /artifacts', one)).status).toBe(401);
    await register(two);
    const [connection] = (await ann.client.call(listConnections, {})).data;
    await ann.client.call(endConnection, { params: { id: connection?.id ?? '' } });
    expect(await devices()).toEqual([]);
  });

  test('is possible with the API key that registered it, which is not revoked with the device', async () => {
    const key = await keyOf();
    const id = await register(key);
    expect(await report(key, id)).toBe(200);
    const response = await call(`PUT /devices/${id}`, { ...key, body: { paused: true } });
    expect([response.status, response.answer['code']]).toEqual([403, 'api_key_refused']);
    expect((await call(`DELETE /devices/${id}`, key)).status).toBe(200);
    expect((await call('GET /devices', key)).status).toBe(200);
  });

  test('is not possible with read-only credentials', async () => {
    const token = await connect('files:read');
    expect((await call('POST /devices', { token, body: aDevice })).status).toBe(403);
    const key = await keyOf({ readOnly: true });
    expect((await call('POST /devices', { ...key, body: aDevice })).status).toBe(403);
    const files = [{ sha256: shaOf('x'), size: 1, path: 'Papers/x.txt' }];
    expect((await call('POST /artifacts/check', { ...key, body: { files } })).status).toBe(200);
  });

  test('validates reports, and explains what is wrong', async () => {
    const folder = deviceFolder(engram, ann);
    const pc = await folder.register();
    const id = await folder.send(pc, { path: 'Papers/a.txt', text: `A plain file ${userCount}.` });
    const place = async (body: object) =>
      (
        await call(`PUT /artifacts/${id}/place`, {
          token: ann.token,
          body: { deviceId: pc, path: 'Papers/a.txt', ...body },
        })
      ).status;
    for (const odd of ['/a', 'a/', 'a//b', '..', 'a/./b', String.raw`a\b`, 'a\nb', '']) {
      expect([odd, await place({ path: odd })]).toEqual([odd, 400]);
    }
    for (const modifiedAt of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+10:00', 'soon']) {
      expect([modifiedAt, await place({ modifiedAt })]).toEqual([modifiedAt, 400]);
    }
    expect(await place({ path: 'Papers/\ud800.txt', modifiedAt: '1969-07-20T20:17:00Z' })).toBe(
      200,
    );
    const uploading = folder.upload(pc, [
      { path: 'Papers/b.txt', text: 'b', modifiedAt: '0000-01-01T00:00:00Z' },
    ]);
    await expect(uploading).rejects.toMatchObject({ status: 400 });
    const odd = await folder.upload(pc, [
      { path: 'Papers/\ud800.txt', text: `odd ${userCount}`, modifiedAt: '9999-12-31T23:59:59Z' },
    ]);
    expect(odd.artifacts).toHaveLength(1);
    const words = {
      ...aDevice,
      name: 'PC\u0000\ud800',
      report: { folders: [], refused: [{ path: 'a\u0000b', reason: '\ud800' }], currentAt: null },
    };
    expect((await call('POST /devices', { token: ann.token, body: words })).status).toBe(200);
    const many = Array.from({ length: 1001 }, () => ({ sha256: shaOf('x'), size: 1, path: 'a' }));
    const check = (files: object[]) =>
      call('POST /artifacts/check', { token: ann.token, body: { files } });
    expect((await check(many)).status).toBe(400);
    expect((await check(many.slice(1))).status).toBe(200);
    expect((await check([{ sha256: 'x', size: 1, path: 'a' }])).status).toBe(400);
    expect((await check([{ sha256: shaOf('x').toUpperCase(), size: -1, path: 'a' }])).status).toBe(
      400,
    );
  });
});
