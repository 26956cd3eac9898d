import { endConnection, listConnections, listSecurityEvents } from '@engram/contract';
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
  type Tokens,
} from '../../../tests/connections.test-setup.ts';

describe.each(testDatabases)('an app that a user authorizes (%s)', (database) => {
  const engram = useTestApp({ database });
  let program: OauthProgram;
  let desk: ReturnType<typeof createDesk>;
  let ann: SignedInUser;
  let clientId: string;

  beforeAll(async () => {
    program = oauthProgram(engram.origin);
    desk = createDesk(engram, program);
    ann = await engram.signIn('ann@example.org');
    clientId = clientIdOf(await program.register(aProgram()));
  });

  const request = (overrides: Record<string, string> = {}) => ({
    clientId,
    redirectUri: CALLBACK,
    ...overrides,
  });

  test('gets access by a code with PKCE, and is redirected to any local port', async () => {
    const flow = request({
      redirectUri: 'http://127.0.0.1:49152/callback',
      scope: 'files:read files:write',
    });
    const started = await program.begin(flow);
    expect([started.status, started.location.pathname]).toEqual([
      303,
      `/v1/connect/${started.uid}`,
    ]);
    expect((await started.open(started.location.href)).pathname).toBe(`/connect/${started.uid}`);
    expect(await desk.shown(ann, started)).toEqual({
      name: 'Reading Lamp',
      address: null,
      verified: false,
      kind: 'local',
      scopes: ['files:read', 'files:write'],
      toolsOnly: false,
    });
    const redirect = await desk.answer(ann, started, 'allow');
    expect(redirect.origin + redirect.pathname).toBe('http://127.0.0.1:49152/callback');
    expect(redirect.searchParams.get('state')).toBe(started.state);
    expect(redirect.searchParams.get('iss')).toBe(engram.origin);
    const code = redirect.searchParams.get('code') ?? '';
    const { status, body, headers } = await program.redeem(flow, code, started.codeVerifier);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/u) as string,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/u) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'files:read files:write',
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await statusOf(engram, body['access_token'] as string)).toBe(200);
  });

  test('has no codes and tokens in clear text in the database', async () => {
    const { code, tokens } = await desk.connect(ann, request());
    const { rows } = await engram.deps.database.pool.query<{ row: string }>(
      'SELECT oauth_records::text AS row FROM oauth_records',
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [code, tokens.access_token, tokens.refresh_token]) {
      expect(stored).not.toContain(secret);
    }
  });

  test('is only redirected to its registered addresses, and must use PKCE', async () => {
    const refused = async (overrides: Record<string, string>, more?: Record<string, string>) => {
      const { location } = await program.begin(request(overrides), more);
      return location.pathname + location.search;
    };
    for (const redirectUri of [
      'http://127.0.0.1/other',
      'http://localhost/callback',
      'http://127.0.0.1.example.org/callback',
      'https://127.0.0.1/callback',
      'http://127.0.0.1:1@example.org/callback',
    ]) {
      expect([redirectUri, await refused({ redirectUri })]).toEqual([
        redirectUri,
        '/connect/refused?error=invalid_redirect_uri',
      ]);
    }
    expect(await refused({ clientId: 'nobody' })).toBe('/connect/refused?error=invalid_client');
    for (const [name, value] of [
      ['code_challenge', ''],
      ['code_challenge_method', 'plain'],
    ] as const) {
      const { location } = await program.begin(request(), { [name]: value });
      expect(location.pathname + location.search).toBe('/connect/refused?error=invalid_request');
    }
  });

  test('gets no token for a code without its verifier or with another address', async () => {
    const redeem = async (more: Record<string, string>) => {
      const started = await program.begin(request());
      const redirect = await desk.answer(ann, started, 'allow');
      const code = redirect.searchParams.get('code') ?? '';
      const { status, body } = await program.redeem(request(), code, started.codeVerifier, more);
      return [status, body['error']];
    };
    expect(await redeem({ code_verifier: '' })).toEqual([400, 'invalid_grant']);
    expect(await redeem({ code_verifier: 'x'.repeat(43) })).toEqual([400, 'invalid_grant']);
    expect(await redeem({ redirect_uri: 'http://127.0.0.1:9/callback' })).toEqual([
      400,
      'invalid_grant',
    ]);
    const other = clientIdOf(await program.register(aProgram()));
    expect(await redeem({ client_id: other })).toEqual([400, 'invalid_grant']);
  });

  test('is ended if its code is used twice', async () => {
    const { code, started, tokens } = await desk.connect(ann, request());
    expect(await statusOf(engram, tokens.access_token)).toBe(200);
    const secondUse = await program.redeem(request(), code, started.codeVerifier);
    expect([secondUse.status, secondUse.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await statusOf(engram, tokens.access_token)).toBe(401);
    expect((await program.refresh(clientId, tokens.refresh_token)).status).toBe(400);
  });

  test('gets the tokens of a code once from concurrent requests', async () => {
    const started = await program.begin(request());
    const code = (await desk.answer(ann, started, 'allow')).searchParams.get('code') ?? '';
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => program.redeem(request(), code, started.codeVerifier)),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    // The first one is ended too, because the others may have stolen the code.
    const tokens = answers.map(({ body }) => String(body['access_token']));
    for (const token of tokens) expect(await statusOf(engram, token)).toBe(401);
  });

  test('gets a new refresh token each time, and is ended if an old one is used', async () => {
    const { tokens } = await desk.connect(ann, request());
    const first = await program.refresh(clientId, tokens.refresh_token);
    const renewed = first.body as unknown as Tokens;
    expect(first.status).toBe(200);
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await statusOf(engram, renewed.access_token)).toBe(200);
    const copied = await program.refresh(clientId, tokens.refresh_token);
    expect([copied.status, copied.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await statusOf(engram, renewed.access_token)).toBe(401);
    expect((await program.refresh(clientId, renewed.refresh_token)).status).toBe(400);
  });

  test('only has tokens for the requested resource of this server', async () => {
    const { origin } = engram;
    for (const resource of [
      'https://example.org',
      `${origin}/mcp/other`,
      `${origin}.example.org`,
    ]) {
      const { location } = await program.begin(request({ resource }));
      expect(location.pathname + location.search).toBe('/connect/refused?error=invalid_target');
    }
    const started = await program.begin(request({ resource: `${origin}/mcp` }));
    const code = (await desk.answer(ann, started, 'allow')).searchParams.get('code') ?? '';
    const { codeVerifier } = started;
    const swapped = await program.redeem(request(), code, codeVerifier, { resource: origin });
    expect(swapped.body['error']).toBe('invalid_target');

    const mcp = await desk.connect(ann, request({ resource: `${origin}/mcp` }));
    const refused = await fetch(`${engram.baseUrl}/artifacts`, {
      headers: { authorization: `Bearer ${mcp.tokens.access_token}` },
    });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      401,
      'foreign_access_token',
    ]);
    const { authenticate } = engram.deps.services.connections.service;
    expect(await authenticate(mcp.tokens.access_token, `${origin}/mcp`)).toMatchObject({
      userId: ann.userId,
      readOnly: true,
    });
    const forApi = await desk.connect(ann, request({ resource: `${origin}/` }));
    await expect(authenticate(forApi.tokens.access_token, `${origin}/mcp`)).rejects.toMatchObject({
      code: 'foreign_access_token',
    });
    expect(await statusOf(engram, forApi.tokens.access_token)).toBe(200);
  });

  test('cannot change data with read access, and can never make account calls', async () => {
    const reading = await desk.connect(ann, request());
    expect(reading.tokens.scope).toBe('files:read');
    const writing = await desk.connect(ann, request({ scope: 'files:write files:read' }));
    const statuses = async (token: string) => [
      await statusOf(engram, token),
      await statusOf(engram, token, 'POST', '/keywords/Lamp'),
      await statusOf(engram, token, 'GET', '/api/keys'),
      await statusOf(engram, token, 'GET', '/connections'),
      await statusOf(engram, token, 'DELETE', '/user/profile/delete-account'),
    ];
    expect(await statuses(reading.tokens.access_token)).toEqual([200, 403, 403, 403, 403]);
    expect(await statuses(writing.tokens.access_token)).toEqual([200, 200, 403, 403, 403]);
    const refused = await fetch(`${engram.baseUrl}/keywords/Lamp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reading.tokens.access_token}` },
    });
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="files:write", resource_metadata="${engram.origin}/.well-known/oauth-protected-resource"`,
    );
  });

  test('gets the address of the authorization server with a 401', async () => {
    const challengeOf = async (headers: Record<string, string>) =>
      (await fetch(`${engram.baseUrl}/artifacts`, { headers })).headers.get('www-authenticate');
    const metadata = `resource_metadata="${engram.origin}/.well-known/oauth-protected-resource"`;
    expect(await challengeOf({})).toBe(`Bearer ${metadata}`);
    expect(await challengeOf({ authorization: `Bearer ${'x'.repeat(43)}` })).toBe(
      `Bearer error="invalid_token", ${metadata}`,
    );
    const resource = await program.metadata('/.well-known/oauth-protected-resource/mcp');
    expect(resource.body).toMatchObject({
      resource: `${engram.origin}/mcp`,
      authorization_servers: [engram.origin],
      scopes_supported: ['files:read', 'files:write'],
    });
    for (const path of ['', '/mcp']) {
      const server = await program.metadata(`/.well-known/oauth-authorization-server${path}`);
      expect(server.body).toMatchObject({
        issuer: engram.origin,
        code_challenge_methods_supported: ['S256'],
        token_endpoint: `${engram.origin}/oauth/token`,
      });
      expect(server.body).not.toHaveProperty('jwks_uri');
    }
  });

  test('can revoke its tokens', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { tokens } = await desk.connect(ann, request());
      const body = { client_id: clientId, token: tokens[kind] };
      expect((await program.post('/oauth/revoke', body)).status).toBe(200);
      expect(await statusOf(engram, tokens.access_token)).toBe(401);
      expect((await program.refresh(clientId, tokens.refresh_token)).status).toBe(400);
    }
    const other = clientIdOf(await program.register(aProgram()));
    const { tokens } = await desk.connect(ann, request());
    await program.post('/oauth/revoke', { client_id: other, token: tokens.access_token });
    expect(await statusOf(engram, tokens.access_token)).toBe(200);
  });

  test('is informed if access is denied', async () => {
    const started = await program.begin(request());
    const redirect = await desk.answer(ann, started, 'deny');
    expect(redirect.searchParams.get('error')).toBe('access_denied');
    expect(redirect.searchParams.get('state')).toBe(started.state);
  });

  test('can only be authorized in the browser with the request', async () => {
    const started = await program.begin(request());
    const path = `/connect/${started.uid}/allow`;
    expect((await callAs(engram, ann, 'POST', path)).status).toBe(404);
    const another = await program.begin(request());
    const cookie = another.cookieFor(`/v1/connect/${another.uid}/allow`);
    expect((await callAs(engram, ann, 'POST', path, { cookie })).status).toBe(404);
    const forged = cookie.replace(another.uid, started.uid);
    expect((await callAs(engram, ann, 'POST', path, { cookie: forged })).status).toBe(404);
  });

  test('needs consent each time, and is not redirected before its user has decided', async () => {
    await desk.connect(ann, request());
    const site = 'https://elsewhere.example.org/back';
    const foreign = clientIdOf(await program.register(aProgram({ redirect_uris: [site] })));
    for (const flow of [request(), request({ clientId: foreign, redirectUri: site })]) {
      for (const [name, value] of [
        ['prompt', 'none'],
        ['scope', 'nothing'],
        ['response_type', 'token'],
      ] as const) {
        const { location } = await program.begin(flow, { [name]: value });
        expect(location.origin + location.pathname).toBe(`${engram.origin}/connect/refused`);
        expect(location.searchParams.get('error')).toMatch(/^[a-z_]+$/u);
      }
    }
  });

  test('gets fewer scopes if only reading is granted, and is informed', async () => {
    for (const scope of ['files:read files:write', 'files:write']) {
      const flow = request({ scope });
      const started = await program.begin(flow);
      expect((await desk.shown(ann, started)).scopes).toEqual(['files:read', 'files:write']);
      const redirect = await desk.answer(ann, started, 'allow', { scopes: ['files:read'] });
      const code = redirect.searchParams.get('code') ?? '';
      const { body } = await program.redeem(flow, code, started.codeVerifier);
      const tokens = body as unknown as Tokens;
      expect(tokens.scope).toBe('files:read');
      expect(await statusOf(engram, tokens.access_token)).toBe(200);
      expect(await statusOf(engram, tokens.access_token, 'POST', '/keywords/Lamp')).toBe(403);
      const renewed = await program.refresh(clientId, tokens.refresh_token);
      expect(renewed.body['scope']).toBe('files:read');
    }
    const started = await program.begin(request());
    const path = `/connect/${started.uid}/allow`;
    const cookie = started.cookieFor(`/v1${path}`);
    const body = { scopes: ['files:write'] };
    const refused = await callAs(engram, ann, 'POST', path, { cookie, body });
    expect([refused.status, refused.code]).toEqual([400, 'nothing_granted']);
  });

  test('is shown in the recent activity of its user', async () => {
    const eve = await engram.signIn('eve@example.org');
    await desk.connect(eve, request());
    const [connection] = (await eve.client.call(listConnections, {})).data;
    await eve.client.call(endConnection, { params: { id: connection!.id } });
    const { data } = await eve.client.call(listSecurityEvents, { query: {} });
    expect(data.slice(0, 2).map(({ kind, app }) => [kind, app])).toEqual([
      ['app_ended', 'Reading Lamp'],
      ['app_connected', 'Reading Lamp'],
    ]);
  });

  test('is only redirected with a query, despite other response modes', async () => {
    for (const response_mode of ['form_post', 'fragment']) {
      const started = await program.begin(request(), { response_mode });
      const redirect = await desk.answer(ann, started, 'allow');
      expect(redirect.searchParams.get('code')).toMatch(/^[\w-]{43}$/u);
      expect(redirect.hash).toBe('');
    }
  });

  test("never shows the library's pages, and all responses have the server's headers", async () => {
    const headers = { accept: 'text/html' };
    for (const path of [
      '/oauth/authorize',
      '/oauth/authorize/none',
      '/oauth/authorize?client_id=x',
    ]) {
      const answer = await fetch(engram.origin + path, { headers, redirect: 'manual' });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        303,
        expect.not.stringContaining('<style') as string,
      ]);
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    for (const path of ['/.well-known/openid-configuration', '/jwks', '/oauth/device/x', '/me']) {
      expect([path, (await fetch(engram.origin + path)).status]).toEqual([path, 404]);
    }
    const large = await program.post('/oauth/token', { code: 'x'.repeat(20_000) });
    expect(large.status).toBe(413);
  });
});

describe('under a public address', () => {
  const address = 'https://engram.example.org';
  const engram = useTestApp({ env: { ENGRAM_PUBLIC_URL: address } });

  test("the address is the issuer despite the caller's headers, and cookies require https", async () => {
    const program = oauthProgram(engram.origin);
    const answer = await fetch(`${engram.origin}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example.org', 'x-forwarded-proto': 'http' },
    });
    expect(await answer.json()).toMatchObject({
      issuer: address,
      authorization_endpoint: `${address}/oauth/authorize`,
      registration_endpoint: `${address}/oauth/register`,
    });
    const clientId = clientIdOf(await program.register(aProgram()));
    const flow = program.request({ clientId, redirectUri: CALLBACK });
    const started = await fetch(flow.address, { redirect: 'manual' });
    const cookies = started.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(2);
    for (const cookie of cookies) expect(cookie).toMatch(/; secure/iu);
  });

  test("only pages of the app's own site may request tokens", async () => {
    const program = oauthProgram(engram.origin);
    const redirectUri = 'https://lamp.example.org/back';
    const clientId = clientIdOf(await program.register(aProgram({ redirect_uris: [redirectUri] })));
    const answerFor = async (origin: string) => {
      const body = new URLSearchParams({ client_id: clientId, grant_type: 'refresh_token' });
      const headers = { origin };
      return fetch(`${engram.origin}/oauth/token`, { method: 'POST', headers, body });
    };
    const { headers: own } = await answerFor('https://lamp.example.org');
    expect(own.get('access-control-allow-origin')).toBe('https://lamp.example.org');
    expect(own.get('access-control-expose-headers')).toContain('x-request-id');
    expect(own.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u);
    const { headers: foreign } = await answerFor('https://evil.example.org');
    expect(foreign.get('access-control-allow-origin')).toBeNull();
  });
});
