import { API_KEY_HEADER, revokeApiKey, listApiKeys, uploadArtifacts } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectOverHttp, GENERATIONS, makeKey } from '../../../tests/mcp-clients.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

interface TestRequest {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Sends requests that no client would send. */
async function send(
  { origin }: { origin: string },
  { method = 'POST', body = JSON.stringify(ping), headers = {} }: TestRequest,
) {
  const response = await fetch(`${origin}/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    ...(method === 'POST' ? { body } : {}),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null;
  return { status: response.status, headers: response.headers, text, json };
}

describe('authorization of /mcp', () => {
  const engram = useTestApp({ env: { ENGRAM_PUBLIC_URL: 'https://brain.example.org/' } });
  let ann: SignedInUser;
  let key: string;
  let credentials: Record<string, string>;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    key = await makeKey(ann);
    credentials = { [API_KEY_HEADER]: key };
  });

  const challenge =
    'resource_metadata="https://brain.example.org/.well-known/oauth-protected-resource/mcp"';

  test.each([
    ['no credentials', () => ({})],
    ['an invalid key', () => ({ [API_KEY_HEADER]: `eg_${'x'.repeat(43)}` })],
    ['an invalid bearer token', () => ({ authorization: 'Bearer nonsense' })],
    ['the token of a session', () => ({ authorization: `Bearer ${ann.token}` })],
    ['another scheme', () => ({ authorization: `Basic ${key}` })],
  ])('/mcp refuses %s, and says where to authorize', async (_, headers) => {
    const { status, headers: responseHeaders, json } = await send(engram, { headers: headers() });
    expect(status).toBe(401);
    expect(responseHeaders.get('www-authenticate')).toMatch(/^Bearer /u);
    expect(responseHeaders.get('www-authenticate')).toContain(challenge);
    expect(json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
  });

  test('/mcp accepts a key in its header or as a bearer token, but not both', async () => {
    expect((await send(engram, { headers: credentials })).status).toBe(200);
    expect((await send(engram, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    const both = { ...credentials, authorization: `Bearer ${key}` };
    expect((await send(engram, { headers: both })).status).toBe(400);
  });

  test('/mcp refuses a revoked key from the next call on', async () => {
    const revokedKey = await makeKey(ann);
    const headers = { [API_KEY_HEADER]: revokedKey };
    expect((await send(engram, { headers })).status).toBe(200);
    const { data } = await ann.client.call(listApiKeys, {});
    const [newest] = data;
    await ann.client.call(revokeApiKey, { params: { id: newest?.id ?? '' } });
    expect((await send(engram, { headers })).status).toBe(401);
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])(
    '/mcp refuses pages of %s',
    async (origin) => {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const { status, json } = await send(engram, {
          method,
          headers: { ...credentials, origin },
        });
        expect(status).toBe(403);
        expect(json).toMatchObject({ error: { data: { code: 'foreign_origin' } } });
      }
    },
  );

  test('/mcp accepts pages of its own address', async () => {
    for (const origin of [engram.origin, 'https://brain.example.org']) {
      expect((await send(engram, { headers: { ...credentials, origin } })).status).toBe(200);
    }
  });

  test('/mcp refuses the methods that open or end a session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await send(engram, { method, headers: credentials });
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('/mcp sends the same headers as all other routes, with and without a valid key', async () => {
    for (const headers of [credentials, {}]) {
      const answered = (await send(engram, { headers })).headers;
      expect(answered.get('content-security-policy')).toContain("default-src 'self'");
      expect(answered.get('x-content-type-options')).toBe('nosniff');
      expect(answered.get('strict-transport-security')).toContain('max-age=31536000');
      expect(answered.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u);
      expect(answered.get('permissions-policy')).toContain('camera=()');
      expect(answered.get('cache-control')).toMatch(/no-store|no-cache/u);
      expect(answered.get('mcp-session-id')).toBeNull();
    }
  });

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const toolCall = (args: unknown) =>
    JSON.stringify({
      ...ping,
      method: 'tools/call',
      params: { name: 'search', arguments: args },
    });

  test.each([
    ['invalid JSON', '{"jsonrpc"', 400, -32_700],
    ['an empty body', '', 400, -32_700],
    ['a prototype as member', '{"jsonrpc":"2.0","__proto__":{}}', 400, -32_700],
    ['a batch', JSON.stringify([ping, ping]), 400, -32_600],
    ['an empty batch', '[]', 400, -32_600],
    [
      'a body that is too large',
      JSON.stringify({ ...ping, params: { x: 'x'.repeat(1_100_000) } }),
      413,
      -32_000,
    ],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, expect.any(Number)],
    ['deeply nested lists', deep, 400, expect.any(Number)],
    ['a string', '"ping"', 400, expect.any(Number)],
  ])('/mcp answers %s with an error', async (_, body, status, code) => {
    const response = await send(engram, { body, headers: credentials });
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(response.text).not.toMatch(/at \S+ \(|node_modules/u);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '/mcp does not accept %s',
    async (type) => {
      const headers = { ...credentials, 'content-type': type };
      expect((await send(engram, { headers })).status).toBe(415);
    },
  );

  test('/mcp reports arguments that no tool accepts, and unknown methods', async () => {
    const invalid = [null, [], 'x', { query: { a: 1 } }, { query: ['x'] }, { query: '\0' }];
    for (const request of invalid) {
      const { status, text } = await send(engram, {
        body: toolCall(request),
        headers: credentials,
      });
      expect(status).toBeLessThan(500);
      expect(text).toMatch(/"isError":true|"error"/u);
    }
    const { text } = await send(engram, {
      body: JSON.stringify({ ...ping, method: 'tools/delete' }),
      headers: credentials,
    });
    expect(text).toContain('-32601');
  });
});

describe('rate limits of /mcp', () => {
  const engram = useTestApp({
    env: {
      ENGRAM_RATE_LIMITS: 'on',
      ENGRAM_KEY_CALL_BURST: '3',
      ENGRAM_KEY_CALLS_PER_SECOND: '0.01',
      ENGRAM_FAILED_CALLS_PER_MINUTE: '5',
    },
  });

  test('calls over MCP count towards the limit of their key, and those with invalid keys towards the limit of failed calls', async () => {
    const ann = await engram.signIn('ann@example.org');
    const headers = { [API_KEY_HEADER]: await makeKey(ann) };
    const status = () => fetch(`${engram.baseUrl}/keywords`, { headers });
    expect((await status()).status).toBe(200);
    expect((await send(engram, { headers })).status).toBe(200);
    expect((await status()).status).toBe(200);
    const refused = await send(engram, { headers });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.json).toMatchObject({ error: { message: expect.stringContaining('Too many') } });

    const wrong = () => send(engram, { headers: { authorization: 'Bearer wrong' } });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await wrong()).status);
    expect(statuses.filter((code) => code === 429).length).toBeGreaterThan(0);
    expect(statuses[0]).toBe(401);
  });
});

describe.each(GENERATIONS)('a plan that is used up, with an assistant of %s', (generation) => {
  const engram = useTestApp({ env: { ENGRAM_LIMITS: 'enforce' } });

  test('search and ask report the used-up plan, and each call counts as one question', async () => {
    const ann = await engram.signIn('ann@example.org');
    const file = { name: 'Lease.txt', content: new Blob(['The lease ends in May.']) };
    await ann.client.upload(uploadArtifacts, [file], {});
    await engram.settled();
    const client = await connectOverHttp(engram, generation, await makeKey(ann));
    const call = async (name: string, args: Record<string, string>) =>
      client.callTool({ name, arguments: args });
    // Fifteen questions a day are free.
    for (let n = 0; n < 7; n += 1) {
      expect((await call('search', { query: 'lease' })).isError).toBeUndefined();
      expect((await call('ask', { question: 'When does it end?' })).isError).toBeUndefined();
    }
    const response = await fetch(`${engram.baseUrl}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'When does it end?', audio: false }),
    });
    expect(response.status).toBe(200);
    for (const [name, args] of [
      ['search', { query: 'lease' }],
      ['ask', { question: 'When does it end?' }],
    ] as const) {
      const refused = await call(name, args as unknown as Record<string, string>);
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused.content)).toContain('You have used all 15 questions');
    }
    // Existing files can still be read.
    expect((await call('list_files', {})).isError).toBeUndefined();
    await client.close();
  });
});
