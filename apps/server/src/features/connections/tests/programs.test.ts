import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OauthProgram, oauthProgram } from '../../../tests/oauth-program.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import {
  aProgram,
  CALLBACK,
  clientIdOf,
  createDesk,
  statusOf,
} from '../../../tests/connections.test-setup.ts';

const DAY_MS = 86_400_000;

describe.each(testDatabases)('apps that register themselves (%s)', (database) => {
  const engram = useTestApp({ database });
  let program: OauthProgram;

  beforeAll(() => {
    program = oauthProgram(engram.origin);
  });

  test('redirect to https, the local machine or a private-use scheme', async () => {
    const statusFor = async (redirect: string) =>
      (await program.register(aProgram({ redirect_uris: [redirect] }))).status;
    for (const redirect of [
      'https://app.example.org/back',
      'http://localhost:8080/back',
      'http://[::1]/back',
      'http://127.0.0.1/back',
      'org.example.app:/back',
    ]) {
      expect([redirect, await statusFor(redirect)]).toEqual([redirect, 201]);
    }
    for (const redirect of [
      'http://app.example.org/back',
      'http://192.168.0.7/back',
      'https://app.example.org/back#here',
      'http://127.0.0.2/back',
      'https://user:pw@app.example.org/back',
      'https://user@app.example.org/back',
      'https://@app.example.org/back',
      'http://user@localhost/back',
      'org.example.app://user@host/back',
      'org.example.app:/back#here',
      'search-ms:query=x',
      'ms-settings:privacy',
      'chrome://settings',
      'myapp:/back',
      'javascript:alert(1)',
      'data:text/html,x',
      'nowhere',
      `https://app.example.org/${'x'.repeat(3000)}`,
    ]) {
      expect([redirect, await statusFor(redirect)]).toEqual([redirect, 400]);
    }
    const many = Array.from({ length: 21 }, (_, number) => `https://app.example.org/${number}`);
    expect((await program.register(aProgram({ redirect_uris: many }))).status).toBe(400);
  });

  test('have no secret, even if they request one', async () => {
    const { status, body } = await program.register(
      aProgram({ token_endpoint_auth_method: 'client_secret_post', application_type: 'web' }),
    );
    expect([status, body['token_endpoint_auth_method']]).toEqual([201, 'none']);
    expect(body).not.toHaveProperty('client_secret');
  });

  test('get an error for text that cannot be stored', async () => {
    for (const name of ['Lamp\0', 'Lamp \ud800']) {
      const { status, body } = await program.register(aProgram({ client_name: name }));
      expect([name, status, body['error']]).toEqual([name, 400, 'invalid_client_metadata']);
    }
    const post = (path: string, form: string) =>
      fetch(engram.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form,
      });
    const code = 'grant_type=authorization_code&code=x&code_verifier=y&client_id=%00';
    expect(await (await post('/oauth/token', code)).json()).toMatchObject({
      error: 'invalid_client',
    });
    expect(await (await post('/oauth/device', 'client_id=%00')).json()).toMatchObject({
      error: 'invalid_client',
    });
    const clientId = clientIdOf(await program.register(aProgram()));
    const locationOf = async (changed: Record<string, string>) => {
      const { location } = await program.begin({ clientId, redirectUri: CALLBACK }, changed);
      return location.href;
    };
    expect(await locationOf({ client_id: '\0' })).toContain('/connect/refused');
    expect(await locationOf({ state: 'a\0b' })).toContain('/connect/refused?error=invalid_request');
  });

  test('are deleted after a day without a connection', async () => {
    const ann = await engram.signIn('ann@example.org');
    const used = clientIdOf(await program.register(aProgram()));
    const unused = clientIdOf(await program.register(aProgram()));
    await createDesk(engram, program).connect(ann, { clientId: used, redirectUri: CALLBACK });
    engram.advance(DAY_MS + 1000);
    await engram.deps.services.connections.service.cleanUp();
    const locationOf = async (clientId: string) =>
      (await program.begin({ clientId, redirectUri: CALLBACK })).location.pathname;
    expect(await locationOf(used)).toMatch(/^\/v1\/connect\//u);
    expect(await locationOf(unused)).toBe('/connect/refused');
  });
});

describe('registrations', () => {
  const engram = useTestApp({ env: { ENGRAM_RATE_LIMITS: 'on' } });

  test('are limited per network and in total', async () => {
    const program = oauthProgram(engram.origin);
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1) {
      statuses.push((await program.register(aProgram())).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(201));
    expect(statuses.slice(20)).toEqual([429, 429]);
    await engram.deps.database.pool.query(
      "INSERT INTO oauth_clients SELECT n::text, '{}', now() FROM generate_series(1, 1000) AS n",
    );
    engram.advance(3_600_000);
    expect((await program.register(aProgram())).status).toBe(201);
    const { rows } = await engram.deps.database.pool.query('SELECT id FROM oauth_clients');
    expect(rows).toHaveLength(1000);
  });

  test('cannot store more requests than allowed per network, or long ones', async () => {
    const program = oauthProgram(engram.origin);
    engram.advance(3_600_000);
    const clientId = clientIdOf(await program.register(aProgram()));
    const begin = (more: Record<string, string> = {}) =>
      program.begin({ clientId, redirectUri: CALLBACK }, more);
    expect((await begin({ nonce: 'x'.repeat(5000) })).status).toBe(413);
    const large = await program.register(aProgram({ client_name: 'x'.repeat(20_000) }));
    expect([large.status, large.body['error']]).toEqual([413, 'invalid_request']);
    const started = await Promise.all(Array.from({ length: 100 }, () => begin()));
    const accepted = started.filter(({ status }) => status === 303).length;
    expect(accepted).toBeGreaterThanOrEqual(60);
    expect(started.filter(({ status }) => status === 429)).toHaveLength(100 - accepted);
    expect(accepted).toBeLessThan(100);
  });
});

describe('clients behind an unknown proxy', () => {
  const redirectUri = 'https://lamp.example.org/back';
  const engram = useTestApp({
    env: { ENGRAM_RATE_LIMITS: 'on' },
    fetchOutside: async (input) =>
      Response.json(aProgram({ client_id: String(input), redirect_uris: [redirectUri] })),
  });

  test("do not use up each other's document fetches", async () => {
    const program = oauthProgram(engram.origin);
    const locationOf = async (client: string, number: number) => {
      const clientId = `https://lamp.example.org/${client}/${number}.json`;
      const { address } = program.request({ clientId, redirectUri });
      const headers = { 'x-forwarded-for': client, accept: 'text/html' };
      const { headers: responseHeaders } = await fetch(address, { headers, redirect: 'manual' });
      return responseHeaders.get('location') ?? '';
    };
    const first: string[] = [];
    for (let count = 0; count < 40; count += 1) first.push(await locationOf('203.0.113.1', count));
    expect(first.filter((location) => location.includes('refused'))).not.toEqual([]);
    expect(await locationOf('203.0.113.2', 0)).toContain('/v1/connect/');
  });
});

describe('apps whose ID is the address of their metadata', () => {
  const documents: Record<string, unknown> = {};
  const fetched: string[] = [];
  const engram = useTestApp({
    fetchOutside: async (input) => {
      const address = String(input);
      fetched.push(address);
      const document = documents[address];
      return document === undefined
        ? new Response('nothing', { status: 404 })
        : Response.json(document, { headers: { 'cache-control': 'max-age=60' } });
    },
  });
  const home = 'https://lamp.example.org/program.json';
  let program: OauthProgram;
  let ann: SignedInUser;

  beforeAll(async () => {
    program = oauthProgram(engram.origin);
    ann = await engram.signIn('ann@example.org');
    documents[home] = aProgram({
      client_id: home,
      redirect_uris: ['https://lamp.example.org/back'],
    });
  });

  test('are identified by their redirect address if it is another site', async () => {
    const shared = 'https://documents.example.org/claude.json';
    documents[shared] = aProgram({
      client_id: shared,
      client_name: 'Claude',
      redirect_uris: ['https://elsewhere.example.org/back'],
    });
    const started = await program.begin({
      clientId: shared,
      redirectUri: 'https://elsewhere.example.org/back',
    });
    expect(await createDesk(engram, program).shown(ann, started)).toMatchObject({
      address: 'elsewhere.example.org',
      verified: false,
    });
  });

  test('cannot make the server fetch other addresses', async () => {
    const sector = 'https://sector.example.org/list.json';
    const metadata = aProgram({ sector_identifier_uri: sector, subject_type: 'pairwise' });
    expect((await program.register(metadata)).status).toBe(201);
    documents[sector] = [CALLBACK];
    const address = 'https://lamp.example.org/sector.json';
    documents[address] = { ...metadata, client_id: address };
    fetched.length = 0;
    await program.begin({ clientId: address, redirectUri: CALLBACK });
    expect(fetched).toEqual([address]);
  });

  test('are authorized and identified by their address', async () => {
    const desk = createDesk(engram, program);
    const authorization = { clientId: home, redirectUri: 'https://lamp.example.org/back' };
    expect(await desk.shown(ann, await program.begin(authorization))).toMatchObject({
      name: 'Reading Lamp',
      address: 'lamp.example.org',
      verified: true,
      kind: 'site',
    });
    const { tokens } = await desk.connect(ann, authorization);
    expect(await statusOf(engram, tokens.access_token)).toBe(200);
  });

  test('are rejected if the document is missing, has a secret or belongs to another app', async () => {
    documents['https://other.example.org/a.json'] = aProgram({ client_id: home });
    documents['https://other.example.org/b.json'] = aProgram({
      client_id: 'https://other.example.org/b.json',
      client_secret: 'known to all',
    });
    documents['https://other.example.org/c.json'] = aProgram({
      client_id: 'https://other.example.org/c.json',
      client_name: 'x'.repeat(20_000),
    });
    documents['https://other.example.org/e.json'] = aProgram({
      client_id: 'https://other.example.org/e.json',
      redirect_uris: [CALLBACK, 'search-ms:query=x'],
    });
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const clientId = `https://other.example.org/${name}.json`;
      const { location } = await program.begin({ clientId, redirectUri: CALLBACK });
      expect([name, location.pathname]).toEqual([name, '/connect/refused']);
    }
  });
});

describe('metadata of apps', () => {
  const engram = useTestApp();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  let port: number;

  beforeAll(async () => {
    server.listen(0, 'localhost');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());

  test('is only fetched from the public internet', async () => {
    const program = oauthProgram(engram.origin);
    for (const clientId of [
      `https://127.0.0.1:${port}/program.json`,
      `https://[::1]:${port}/program.json`,
      // A name of this machine.
      `https://localhost:${port}/program.json`,
      'https://10.0.0.7/program.json',
      'https://169.254.169.254/latest/meta-data',
      engram.origin,
    ]) {
      const { location } = await program.begin({ clientId, redirectUri: CALLBACK });
      expect([clientId, location.pathname + location.search]).toEqual([
        clientId,
        '/connect/refused?error=invalid_client',
      ]);
    }
    expect(connections).toBe(0);
  });
});
