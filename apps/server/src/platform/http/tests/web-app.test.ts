import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../server.ts';
import { serveWebApp } from '../web-app.ts';

const script = 'export const harbour = 1;\n'.repeat(100);
let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-web-'));
  await mkdir(path.join(folder, 'assets'));
  await mkdir(path.join(folder, 'pages'));
  const pages = [
    { address: '/', file: 'pages/0.html' },
    { address: '/search', file: 'pages/1.html' },
    { address: '/shared/:id', file: 'pages/2.html' },
  ];
  const files: Record<string, string | Buffer> = {
    'index.html': 'any page',
    'robots.txt': 'User-agent: *',
    'pages.json': JSON.stringify(pages),
    'pages/0.html': 'the sign-in page',
    'pages/1.html': 'the search page',
    'pages/2.html': 'a shared answer',
    'assets/a-1234.js': script,
    'assets/a-1234.js.gz': gzipSync(script),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), content);
  }
  app = await createHttpServer({ log: pino({ level: 'silent' }), trustProxy: undefined });
  await serveWebApp(app, folder);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test.each([
  ['/', 'the sign-in page'],
  ['/search', 'the search page'],
  ['/search?q=harbour', 'the search page'],
  ['/search/', 'the search page'],
  ['/shared/a1.b2', 'a shared answer'],
  ['/nowhere', 'any page'],
  ['/shared/a/b', 'any page'],
  ['/pages.json', 'any page'],
  ['/pages/0.html', 'any page'],
])('%s returns %s, which is revalidated each time', async (url, body) => {
  const response = await app.inject({ url });
  expect(response).toMatchObject({ statusCode: 200, body });
  expect(response.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    etag: expect.any(String) as string,
  });
  expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
});

test.each(['/blog/x/%ZZ', '/shared/%', '/%E0%A4%A?q=1'])(
  '%s, which cannot be decoded, returns the page',
  async (url) => {
    const response = await app.inject(url);
    expect(response).toMatchObject({ statusCode: 400, body: 'any page' });
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'self'") as string,
    });
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(400);
  },
);

test.each([
  ['GET', '/v1/artifacts/%ZZ'],
  ['GET', '/v1/%'],
  ['GET', '/assets/%ZZ.js'],
  ['POST', '/blog/%ZZ'],
] as const)(
  '%s %s, which cannot be decoded, is refused with a clear message',
  async (method, url) => {
    const response = await app.inject({ method, url });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      message: 'The address is malformed.',
      code: 'invalid_request',
    });
  },
);

test.each([
  ['/shared/a1.b2', 'noindex, nofollow'],
  ['/shared/a1.b2/', 'noindex, nofollow'],
  ['/Shared/a1.b2', 'noindex, nofollow'],
  ['/search', undefined],
  ['/?shared/', undefined],
])('the rule of %s for search engines is %s', async (url, robots) => {
  expect((await app.inject(url)).headers['x-robots-tag']).toBe(robots);
});

test('a page that did not change is not sent again', async () => {
  const { headers } = await app.inject('/search');
  const revalidated = await app.inject({
    url: '/search',
    headers: { 'if-none-match': headers.etag },
  });
  expect(revalidated).toMatchObject({ statusCode: 304, body: '' });
});

test('assets are cached permanently, and sent compressed', async () => {
  const url = '/assets/a-1234.js';
  const response = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  expect(response.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  });
  expect((await app.inject(url)).body).toBe(script);
});

test.each(['/assets/gone-5678.js', '/v1/nowhere', '/v1', '/v1?q=1'])(
  '%s does not return the page',
  async (url) => {
    expect((await app.inject({ url })).statusCode).toBe(404);
  },
);

test('other files are served with their own type', async () => {
  expect((await app.inject('/robots.txt')).body).toBe('User-agent: *');
});

test('a page runs only scripts of this server, and cannot be framed', async () => {
  const { headers } = await app.inject('/search');
  const policy = String(headers['content-security-policy']).split(';');
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src-attr 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  // No sources from other hosts, and no eval.
  expect(policy.join(' ')).not.toMatch(/unsafe-eval|https?:|\*/u);
  expect(headers['permissions-policy']).toContain(
    'microphone=(self), geolocation=(self), camera=()',
  );
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['x-content-type-options']).toBe('nosniff');
});
