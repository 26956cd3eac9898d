import { request } from 'node:http';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../server.ts';
import { serveShareTarget } from '../web-app.ts';

const app = await createHttpServer({ log: pino({ level: 'silent' }), trustProxy: undefined });
let origin: string;

beforeAll(async () => {
  await serveShareTarget(app);
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const form = (): FormData => {
  const data = new FormData();
  data.set('files', new File(['%PDF-1.7'], 'Lease.pdf', { type: 'application/pdf' }));
  return data;
};

test.each<[string, RequestInit]>([
  ['a form with a file', { body: form() }],
  ['a truncated form', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
  ['fields', { body: new URLSearchParams({ text: 'Hello' }) }],
  ['broken JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
  ['bytes of unknown type', { body: new Uint8Array([0, 255]) }],
  ['nothing', {}],
])('%s is redirected to the page that explains what to do', async (_, init) => {
  const answer = await fetch(`${origin}/share`, { method: 'POST', redirect: 'manual', ...init });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/share/again');
  expect(await answer.text()).toBe('');
});

test('a file far above the limit of other calls can be uploaded completely', async () => {
  const size = 20_000_000;
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sending = request(`${origin}/share`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': size },
    });
    sending.on('error', reject);
    sending.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sending.end(Buffer.alloc(size));
  });
  expect(status).toBe(303);
});
