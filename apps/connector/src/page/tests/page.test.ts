import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Page, startPage } from '../page.ts';
import { SampleConnector, sampleFolder } from './sample-connector.test-setup.ts';

let connector: SampleConnector;
let page: Page;
let home: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'engram-home-'));
  connector = new SampleConnector();
  page = await startPage(connector, { home, onQuit: () => connector.close() });
});
afterEach(async () => {
  await page.close();
  await rm(home, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends a request with any header, unlike `fetch`, which sets some of them. */
async function send(
  method: string,
  address: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ port: page.port, host: '127.0.0.1', path: address, method, headers });
  sent.on('error', reject);
  sent.on('response', async (response) => {
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? '';

/** Signs a browser in, and returns its cookie and the path of its page. */
async function signIn(url = page.newUrl()): Promise<{ Cookie: string; home: string }> {
  const { headers } = await send('GET', `/?token=${tokenOf(url)}`);
  const [Cookie = '', cookiePath = ''] = String(headers['set-cookie']).split('; ');
  return { Cookie, home: cookiePath.slice('Path='.length, -1) };
}

/** Sends a call as the page does. */
async function write(name: string, body: unknown, changed: Record<string, string> = {}) {
  const { Cookie, home } = await signIn();
  const headers = {
    Cookie,
    Origin: `http://127.0.0.1:${page.port}`,
    'Content-Type': 'application/json',
    ...changed,
  };
  return send('POST', `${home}/api/${name}`, headers, body);
}

test('a token authorizes one browser, once', async () => {
  const address = `/?token=${tokenOf(page.newUrl())}`;
  const first = await send('GET', address);
  const cookie = String(first.headers['set-cookie']);
  expect(first.status).toBe(200);
  expect(cookie).toMatch(
    /^engram-connector-\d+=[\w-]{43}; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict$/u,
  );
  expect(await send('GET', address)).toMatchObject({ status: 401 });
  const [Cookie = '', cookiePath = ''] = cookie.split('; ');
  const next = await send('GET', cookiePath.slice('Path='.length), { Cookie });
  expect(next).toMatchObject({ status: 200, body: expect.stringContaining('<div id="page">') });
});

test('each new address has its own token', async () => {
  const [first, second] = [page.newUrl(), page.newUrl()];
  expect(first).not.toBe(second);
  expect((await signIn(first)).Cookie).not.toBe('');
  expect((await signIn(second)).Cookie).not.toBe('');
});

test.each(['/', '/api/events', '/main.ts', '/page.css'])(
  '%s requires the cookie and its path',
  async (address) => {
    const { Cookie, home } = await signIn();
    expect(await send('GET', address)).toMatchObject({ status: 401 });
    expect(await send('GET', address, { Cookie })).toMatchObject({ status: 401 });
    expect(await send('GET', home + address)).toMatchObject({ status: 401 });
    const wrong = { Cookie: `engram-connector-${page.port}=${'a'.repeat(43)}` };
    expect(await send('GET', home + address, wrong)).toMatchObject({ status: 401 });
  },
);

test('requests for a foreign host name that points to this machine are refused', async () => {
  const { Cookie, home } = await signIn();
  const headers = { Cookie, Host: `attacker.example:${page.port}` };
  expect(await send('GET', `${home}/`, headers)).toMatchObject({ status: 421 });
  const token = `/?token=${tokenOf(page.newUrl())}`;
  const answer = await send('GET', token, { Host: 'attacker.example' });
  expect(answer.status).toBe(421);
  expect(answer.headers['set-cookie']).toBeUndefined();
  const local = { ...headers, Host: `localhost:${page.port}` };
  expect(await send('GET', `${home}/`, local)).toMatchObject({ status: 200 });
});

test.each([
  { Origin: 'https://attacker.example' },
  { Origin: 'null' },
  { Origin: 'http://127.0.0.1:1' },
  { 'Sec-Fetch-Site': 'same-site' },
] as Record<string, string>[])('a call from another site is refused: %j', async (headers) => {
  expect(await write('pause', [], headers)).toMatchObject({ status: 403 });
  expect(connector.calls).toEqual([]);
});

test('a call without an origin, without the cookie, or as a form is refused', async () => {
  const type = { 'Content-Type': 'application/json' };
  const { Cookie, home } = await signIn();
  expect(await send('POST', `${home}/api/pause`, { ...type, Cookie }, [])).toMatchObject({
    status: 403,
  });
  expect(await write('pause', [], { Cookie: '' })).toMatchObject({ status: 401 });
  expect(await write('pause', [], { 'Content-Type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(connector.calls).toEqual([]);
});

test('every response has security headers and is never cached', async () => {
  const { Cookie, home } = await signIn();
  for (const address of ['/', `${home}/`, `${home}/page.css`]) {
    const answer = await send('GET', address, { Cookie });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/u,
      ),
    });
  }
});

test('a call reaches the Connector, and its error is returned as a message', async () => {
  expect(await write('pair', [' https://engram.example.org '])).toMatchObject({
    status: 200,
    body: 'null',
  });
  const refused = await write('pair', ['nonsense']);
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.body)).toEqual({ message: 'That is not the address of a server.' });
  expect(connector.calls).toEqual([
    ['pair', 'https://engram.example.org', undefined],
    ['pair', 'nonsense', undefined],
  ]);
});

test.each([
  ['nothing', [], 404],
  ['constructor', [], 404],
  ['changeFolder', ['1', {}], 400],
  ['changeFolder', [1, { intervalMs: 5 }], 400],
  ['changeSettings', [{ bytesPerSecond: -1 }], 400],
  ['pause', [true], 400],
  ['preview', ['a'.repeat(70_000)], 400],
])(
  'the call %s with an invalid argument does not reach the Connector',
  async (name, body, status) => {
    expect(await write(name, body)).toMatchObject({ status });
    expect(connector.calls).toEqual([]);
  },
);

test('only the settings in the call are changed', async () => {
  connector.set({ folders: [sampleFolder({ id: 1 })] });
  await write('changeFolder', [1, { archive: true }]);
  expect(connector.calls).toEqual([['changeFolder', 1, { archive: true }]]);
});

test('a listening client gets every change until the page is closed', async () => {
  const { Cookie, home } = await signIn();
  const address = { port: page.port, host: '127.0.0.1', path: `${home}/api/events` };
  const sent = request({ ...address, headers: { Cookie } });
  sent.end();
  const [response] = await once(sent, 'response');
  response.setEncoding('utf8');
  const [first] = await once(response, 'data');
  expect(first).toContain('"paused":false');
  const nextData = once(response, 'data');
  connector.set({ paused: true });
  expect((await nextData)[0]).toContain('"paused":true');
  const ended = once(response, 'end');
  const closed = page.close();
  expect(connector.listeners).toBe(0);
  connector.set({ paused: false });
  await closed;
  await ended;
});

test('only folders in the home folder are listed', async () => {
  await mkdir(path.join(home, 'Documents/Letters 10'), { recursive: true });
  await mkdir(path.join(home, 'Documents/Letters 9'));
  await mkdir(path.join(home, '.cache'));
  await symlink('/', path.join(home, 'Everything'));
  const list = async (path: string | null) => JSON.parse((await write('directory', [path])).body);
  const top = await list(null);
  expect(top.folders.map(({ name }: { name: string }) => name)).toEqual([
    'Documents',
    'Everything',
  ]);
  const documents = await list(top.folders[0].path);
  expect(documents.folders.map(({ name }: { name: string }) => name)).toEqual([
    'Letters 9',
    'Letters 10',
  ]);
  expect(documents.trail.map(({ name }: { name: string }) => name)).toEqual(['Home', 'Documents']);
  for (const outside of ['/', path.join(home, 'Everything'), path.join(home, '..')]) {
    expect(await list(outside)).toEqual({
      message: 'Only folders in your home folder are listed. Type the path of other folders.',
    });
  }
  expect(await list(path.join(home, 'missing'))).toEqual({ message: 'There is no such folder.' });
});

test('quitting ends the Connector', async () => {
  expect(await write('quit', [])).toMatchObject({ status: 200 });
  await expect.poll(() => connector.calls).toEqual([['close']]);
});
