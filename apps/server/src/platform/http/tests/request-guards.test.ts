import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startForwardingProxy } from '../../../tests/forwarding-proxy.test-setup.ts';
import type { SignedInUser, TestApp } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { HttpError } from '../errors.ts';
import { createHttpServer, type ServerOptions } from '../server.ts';
import { createTokenBuckets } from '../../limits/limits.ts';

type Body = string | ReadableStream;

const START = new Date('2026-03-10T10:00:00Z');
const MINUTE = 60_000;

/** Statuses of calls, with the number of each. */
async function tally(
  calls: number,
  call: () => Promise<Response>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let remaining = calls;
  const callRepeatedly = async (): Promise<void> => {
    while (remaining > 0) {
      remaining -= 1;
      const answer = await call();
      await answer.body?.cancel();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, callRepeatedly));
  return counts;
}

const keywords = (url: string, token: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/keywords`, { headers: { authorization: `Bearer ${token}`, ...headers } });

/** A correctly signed token whose session has ended. */
async function deadToken(engram: TestApp): Promise<string> {
  const { token } = await engram.signIn('gone@example.org');
  await fetch(`${engram.baseUrl}/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  return token;
}

describe('calls with an invalid token', () => {
  const engram = useTestApp({
    startAt: START,
    env: {
      ENGRAM_RATE_LIMITS: 'on',
      ENGRAM_TRUST_PROXY: 'loopback',
      ENGRAM_CALLS_PER_SECOND: '0.1',
      ENGRAM_FAILED_CALLS_PER_MINUTE: '60',
    },
  });
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  let ann: SignedInUser;
  let dead: string;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    dead = await deadToken(engram);
  });

  test('a thousand invalid tokens exhaust the limit of their network, and of no other', async () => {
    const [office, neighbor] = ['2001:db8:1:2::1', '2001:db8:1:3::1'];
    expect((await keywords(engram.origin, ann.token, from(office))).status).toBe(200);
    let host = 0;
    const counts = await tally(1000, () => {
      host += 1;
      return keywords(engram.origin, dead, from(`2001:db8:1:2::${host.toString(16)}`));
    });
    expect(counts[401]).toBeLessThan(300);
    expect(counts[401]! + counts[429]!).toBe(1000);
    // One call per second is allowed again, so the last of several concurrent calls are refused.
    const more = Array.from({ length: 20 }, () => keywords(engram.origin, dead, from(office)));
    const refused = (await Promise.all(more)).find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused?.json()).toEqual({
      message:
        'Too many calls with an invalid token or API key from your network. Please wait a moment.',
      code: 'too_many_requests',
    });
    // Signed-in users of the same network can continue, and so can every client of the next one.
    expect((await keywords(engram.origin, ann.token, from(office))).status).toBe(200);
    expect((await keywords(engram.origin, dead, from(neighbor))).status).toBe(401);
    engram.advance(MINUTE);
    expect((await keywords(engram.origin, dead, from(office))).status).toBe(401);
  });

  test('a hundred users behind one address do not exhaust it', async () => {
    const { token } = await engram.signIn('bob@example.org');
    const counts = await tally(190, () => keywords(engram.origin, token, from('192.0.2.20')));
    expect(counts).toEqual({ 200: 190 });
    expect((await keywords(engram.origin, dead, from('192.0.2.20'))).status).toBe(401);
  });

  test('calls without a token, and public calls, share a limit per network', async () => {
    for (const path of ['/v1/keywords', '/v1/health']) {
      const ip = `192.0.2.${path.length}`;
      const counts = await tally(400, () => fetch(engram.origin + path, { headers: from(ip) }));
      expect(counts[429]).toBeGreaterThan(0);
      expect((await fetch(engram.origin + path, { headers: from('192.0.2.99') })).status).not.toBe(
        429,
      );
    }
  });
});

describe('behind a proxy that is not configured', () => {
  const engram = useTestApp({
    startAt: START,
    env: {
      ENGRAM_RATE_LIMITS: 'on',
      ENGRAM_CALL_BURST: '10',
      ENGRAM_CALLS_PER_SECOND: '0.001',
    },
  });

  test('one client cannot lock out another, whatever headers it sends', async () => {
    const { token } = await engram.signIn('ann@example.org');
    const dead = await deadToken(engram);
    const loud = await startForwardingProxy(engram.origin, '198.51.100.7');
    const quiet = await startForwardingProxy(engram.origin, '198.51.100.8');
    let call = 0;
    const counts = await tally(1000, () => {
      call += 1;
      return keywords(loud.url, dead, { 'x-forwarded-for': `198.51.100.8, 10.0.0.${call % 250}` });
    });
    expect(counts[429]).toBeGreaterThan(800);
    expect((await keywords(quiet.url, token)).status).toBe(200);
    expect((await keywords(quiet.url, dead)).status).toBe(401);
    await Promise.all([loud.close(), quiet.close()]);
  });

  test('clients with forged addresses share a limit', async () => {
    let visitor = 0;
    const counts = await tally(300, () => {
      visitor += 1;
      const ip = `203.${visitor >> 8}.${visitor & 255}.1`;
      return fetch(`${engram.origin}/v1/health`, { headers: { 'x-forwarded-for': ip } });
    });
    expect(counts).toEqual({ 200: 200, 429: 100 });
  });
});

describe('request bodies', () => {
  const engram = useTestApp();
  const json = { 'content-type': 'application/json' };
  const large = JSON.stringify({ email: 'ann@example.org', more: 'x'.repeat(20_000) });
  const post = (path: string, body: Body, headers: Record<string, string> = json) =>
    fetch(engram.baseUrl + path, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

  test.each<[string, Body, Record<string, string>]>([
    ['JSON', large, json],
    ['a form', 'a&'.repeat(10_000), { 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSON in chunks', new Blob([large]).stream(), json],
  ])('the body of an unknown client is limited to 16 kB: %s', async (_, body, headers) => {
    const answer = await post('/auth/otp/generate', body, headers);
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { message: 'The request body is too large.', code: 'invalid_request' },
    ]);
  });

  test('a body is read only after the sender is authenticated', async () => {
    expect((await post('/search', '{"text":')).status).toBe(401);
    const { token } = await engram.signIn('ann@example.org');
    const known = { ...json, authorization: `Bearer ${token}` };
    expect((await post('/search', '{"text":', known)).status).toBe(400);
    const long = JSON.stringify({ keyword: 'x'.repeat(900_000) });
    const answer = await post('/keywords/add', long, known);
    expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
    expect(answer.status).toBe(400);
    const form = { ...known, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post('/keywords/add', `keyword=${'x'.repeat(20_000)}`, form)).status).toBe(413);
  });

  test('the upload of a signed-out client is cut off if it continues', async () => {
    const sending = request(`${engram.baseUrl}/artifacts/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    const closed = new Promise((resolve) => sending.on('error', () => {}).on('close', resolve));
    const piece = Buffer.alloc(65_536);
    let sent = 0;
    const send = (): void => {
      if (sending.destroyed) return;
      sent += piece.length;
      sending.write(piece, () => setImmediate(send));
    };
    send();
    await closed;
    // Socket buffers add some bytes.
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('connections of a server', () => {
  const opened: FastifyInstance[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await Promise.all(opened.splice(0).map((app) => app.close()));
  });

  const open = async (options: Partial<ServerOptions> = {}) => {
    const warnings: string[] = [];
    const log = pino(
      { level: 'warn' },
      { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
    );
    const app = await createHttpServer({ log, trustProxy: undefined, ...options });
    opened.push(app);
    app.get('/', () => 'here');
    app.post('/json', () => 'taken');
    app.post(
      '/refused',
      { onRequest: () => Promise.reject(new HttpError(403, 'no', 'No.')) },
      () => 'never',
    );
    app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    app.post('/upload', async ({ raw }) => {
      let size = 0;
      for await (const bytes of raw) size += (bytes as Buffer).length;
      return String(size);
    });
    const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
    const dial = (): Socket => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      return socket.on('error', () => undefined);
    };
    return { app, warnings, dial };
  };

  const SOON = { headersMs: 200, bodyMs: 200, uploadMs: 200, uploadBytes: 1000 };
  const head = (path: string, type: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n', 408],
    ['a body', `${head('/json', 'application/json', 100)}{"text":`, 408],
    ['an upload', `${head('/upload', 'multipart/form-data; boundary=x', 100)}--x`, 408],
    ['a refused body', `${head('/refused', 'application/json', 100)}{`, 403],
  ])('the server does not wait endlessly for %s', async (_, sent, status) => {
    const { dial } = await open({ arrival: SOON });
    const socket = dial();
    socket.write(sent);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
    expect(answer).toContain(status === 408 ? 'The request took too long to arrive.' : 'No.');
  });

  test('a connection that sends nothing is closed', async () => {
    const { dial } = await open({ arrival: SOON });
    expect(await text(dial())).toMatch(/^(?:HTTP\/1.1 408 |$)/u);
  });

  test('an upload is accepted as long as it makes progress', async () => {
    const { dial } = await open({
      arrival: { headersMs: 20_000, bodyMs: 1000, uploadMs: 2000, uploadBytes: 10 },
    });
    const pieces = 25;
    const piece = 'x'.repeat(1000);
    const socket = dial();
    socket.write(head('/upload', 'multipart/form-data; boundary=x', pieces * piece.length));
    const timer = setInterval(() => socket.write(piece), 100);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(timer);
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /u);
  });

  test('connections beyond the limit of one network are closed', async () => {
    // A nearby address may be a proxy, so its limit is twenty times as high.
    const { dial } = await open({ connections: 1 });
    const connections = Array.from({ length: 20 }, dial);
    await Promise.all(connections.map((socket) => once(socket, 'connect')));
    expect(await text(dial())).toBe('');
    connections[0]!.destroy();
    await once(connections[0]!, 'close');
    await expect
      .poll(() => {
        const socket = dial();
        socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
        return text(socket);
      })
      .toContain('here');
  });

  test('a server on loopback answers only under its own names', async () => {
    const { app } = await open({ publicUrl: 'https://engram.example.org' });
    const statusFor = async (host: string, headers = {}) =>
      (await app.inject({ url: '/', headers: { host, ...headers } })).statusCode;
    for (const host of [
      'localhost:3000',
      '127.0.0.1:3000',
      '[::1]:3000',
      'engram.example.org',
      'engram.example.org:8443',
      'my.localhost',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', '192.168.1.4:3000', 'localhost.evil.example', '%']) {
      expect([host, await statusFor(host)]).toEqual([host, 421]);
    }
    const forwarded = { 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' };
    expect(await statusFor('evil.example', forwarded)).toBe(421);
    const answer = await app.inject({ url: '/', headers: { host: 'evil.example' } });
    expect(answer.json()).toEqual({
      message:
        'This server does not accept this host name. Its operator must set ENGRAM_PUBLIC_URL to the address that users open.',
      code: 'foreign_host',
    });
  });

  test('a server that others can reach answers under every name', async () => {
    const { app } = await open({ host: '0.0.0.0' });
    const answer = await app.inject({ url: '/', headers: { host: 'nas.local' } });
    expect(answer.statusCode).toBe(200);
  });

  test('Strict-Transport-Security is sent if the public address uses https', async () => {
    const header = async (publicUrl?: string) => {
      const { app } = await open({ publicUrl });
      return (await app.inject('/')).headers['strict-transport-security'];
    };
    expect(await header('https://engram.example.org')).toBe('max-age=31536000');
    expect(await header('http://engram.example.org')).toBeUndefined();
    expect(await header()).toBeUndefined();
  });

  test('an ignored X-Forwarded-For is logged once, with the setting to change', async () => {
    const { app, warnings } = await open();
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    await app.inject({ url: '/', headers });
    await app.inject({ url: '/', headers });
    expect(warnings).toEqual([expect.stringContaining('set ENGRAM_TRUST_PROXY=127.0.0.1')]);
    const trusting = await open({ trustProxy: 'loopback' });
    await trusting.app.inject({ url: '/', headers });
    await trusting.app.inject({ url: '/' });
    expect(trusting.warnings).toEqual([]);
  });

  test('requests other than calls are limited per network', async () => {
    const pages = createTokenBuckets({ perSecond: 1, burst: 2 }, () => 0);
    const { app } = await open({ pages });
    const statuses = [];
    for (const url of ['/', '/nothing', '/', '/nothing']) {
      statuses.push((await app.inject(url)).statusCode);
    }
    expect(statuses).toEqual([200, 404, 429, 429]);
  });
});
