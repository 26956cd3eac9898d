import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptsGzip } from '../compression.ts';
import { createHttpServer } from '../server.ts';

const long = 'the harbour at noon '.repeat(500);
let app: FastifyInstance;

beforeAll(async () => {
  app = await createHttpServer({ log: pino({ level: 'silent' }), trustProxy: undefined });
  app.get('/v1/long', () => ({ data: long }));
  app.get('/v1/short', () => ({ data: 'short' }));
  app.get('/v1/auth/long', () => ({ data: long }));
  app.get('/v1/text', (_request, reply) => reply.type('text/plain').send(long));
  app.get('/v1/bytes', (_request, reply) => reply.type('image/png').send(Buffer.from(long)));
  app.get('/v1/events', (_request, reply) =>
    reply.type('text/event-stream').send(Readable.from([long])),
  );
});
afterAll(() => app.close());

const get = (url: string, accepted = 'gzip, deflate, br') =>
  app.inject({ url, headers: { 'accept-encoding': accepted } });

test.each(['/v1/long', '/v1/text'])('%s is compressed, and arrives complete', async (url) => {
  const { headers, rawPayload } = await get(url);
  expect(headers['content-encoding']).toBe('gzip');
  expect(headers['vary']).toBe('accept-encoding');
  expect(Number(headers['content-length'])).toBe(rawPayload.length);
  expect(rawPayload.length).toBeLessThan(long.length / 10);
  expect(gunzipSync(rawPayload).toString()).toContain(long);
});

test('a client that does not accept gzip gets an uncompressed response', async () => {
  const { headers, body } = await get('/v1/long', 'identity');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['vary']).toBe('accept-encoding');
  expect(body).toContain(long);
});

test.each([
  ['/v1/short', 'short answers'],
  ['/v1/auth/long', 'answers with a token'],
  ['/v1/bytes', 'files'],
  ['/v1/events', 'events'],
])('%s is not compressed: %s', async (url) => {
  expect((await get(url)).headers['content-encoding']).toBeUndefined();
});

test.each([
  [undefined, false],
  ['', false],
  ['br', false],
  ['gzip', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip; q=nonsense', false],
])('Accept-Encoding is respected: %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});
