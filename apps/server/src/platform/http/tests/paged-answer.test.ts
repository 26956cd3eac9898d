import { request as httpRequest } from 'node:http';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HttpError } from '../errors.ts';
import { replyInPages } from '../paged-answer.ts';
import { createHttpServer } from '../server.ts';

let app: FastifyInstance;
let origin: string;
let pages: () => AsyncGenerator<unknown[]>;
let total: number | undefined;

beforeEach(async () => {
  total = undefined;
  app = await createHttpServer({ log: pino({ level: 'silent' }), trustProxy: undefined });
  app.get('/list', async (request, reply) => {
    await replyInPages(request, reply, 'OK', { pages: pages(), total });
    return reply;
  });
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

const list = async (encoding = 'identity'): Promise<unknown> =>
  (await fetch(`${origin}/list`, { headers: { 'accept-encoding': encoding } })).json();

test.each(['identity', 'gzip'])('pages are combined to one list (%s)', async (encoding) => {
  pages = async function* () {
    yield [{ n: 1 }, { n: 2 }];
    yield [];
    yield [{ n: 3 }];
  };
  const data = [{ n: 1 }, { n: 2 }, { n: 3 }];
  expect(await list(encoding)).toEqual({ message: 'OK', data, nextCursor: null, total: 3 });
  total = 40;
  expect(await list(encoding)).toMatchObject({ data, total: 40 });
});

test('no pages, and pages without rows, result in an empty list', async () => {
  const empty = { message: 'OK', data: [], nextCursor: null, total: 0 };
  pages = async function* () {};
  expect(await list()).toEqual(empty);
  pages = async function* () {
    yield [];
  };
  expect(await list()).toEqual(empty);
});

test('a failure before the first page returns its status and message', async () => {
  pages = async function* () {
    yield await Promise.reject<unknown[]>(new HttpError(503, 'closed', 'Not now.'));
  };
  const response = await fetch(`${origin}/list`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ message: 'Not now.', code: 'closed' });
});

test.each(['identity', 'gzip'])('a later failure aborts the response (%s)', async (encoding) => {
  pages = async function* () {
    yield [1];
    throw new Error('The database is gone.');
  };
  await expect(list(encoding)).rejects.toThrow(/terminated|fetch failed/u);
});

test('reading stops when the caller disconnects', async () => {
  const ended = Promise.withResolvers<void>();
  pages = async function* () {
    try {
      for (;;) {
        yield ['x'.repeat(100_000)];
        await new Promise(setImmediate);
      }
    } finally {
      ended.resolve();
    }
  };
  const call = httpRequest(`${origin}/list`, (response) => {
    response.once('data', () => call.destroy());
  });
  call.on('error', () => undefined).end();
  await expect(ended.promise).resolves.toBeUndefined();
});
