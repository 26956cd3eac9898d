import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { HttpError } from '../errors.ts';
import { openEventStream } from '../event-stream.ts';
import { createHttpServer } from '../server.ts';
import { serveWebApp } from '../web-app.ts';

interface Line {
  reqId?: string;
  msg: string;
  code?: string;
}

const lines: Line[] = [];
const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line) as Line) });
const app = await createHttpServer({ log, trustProxy: undefined });
const afterwards: (() => void)[] = [];
let origin: string;

/** A service that has the log of the server but not the request. */
async function serve(name: unknown): Promise<string> {
  await Promise.resolve();
  log.warn(`served ${String(name)}`);
  return 'done';
}

app.get('/served', async ({ query }) => serve((query as { name?: string }).name));
app.post('/posted', async ({ body }) => serve((body as { name: string }).name));
app.get('/refused', () => Promise.reject(new HttpError(409, 'no_way', 'It is refused.')));
app.get('/broken', () => Promise.reject(new Error('inside')));
app.get('/streamed', async (_request, reply) => {
  const stream = openEventStream(reply);
  stream.send('delta', { text: 'a' });
  return stream.end();
});
app.get('/begun', async () => {
  const finished = new Promise<void>((resolve) => afterwards.push(resolve));
  void finished.then(() => log.warn('done after the answer'));
  return 'begun';
});
await serveWebApp(app, null);

beforeAll(async () => {
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());
beforeEach(() => void lines.splice(0));

const ask = async (path: string, id?: string, init: RequestInit = {}) => {
  const headers = { ...init.headers, ...(id === undefined ? {} : { 'x-request-id': id }) };
  const answer = await fetch(origin + path, { ...init, headers });
  await answer.arrayBuffer();
  return answer.headers.get('x-request-id');
};

const FRESH = /^[0-9a-f]{8}-[0-9a-f-]{27}$/u;

test.each([
  '/served',
  '/refused',
  '/broken',
  '/streamed',
  '/nothing-is-here',
  '/v1/%zz',
  `/${'x'.repeat(3000)}`,
])('the response to %.20s has a new request id, or that of the request', async (path) => {
  const [first, second] = [await ask(path), await ask(path)];
  expect([first, second]).toEqual([expect.stringMatching(FRESH), expect.stringMatching(FRESH)]);
  expect(first).not.toBe(second);
  expect(await ask(path, 'proxy_7.Trace-1')).toBe('proxy_7.Trace-1');
});

test.each(['x'.repeat(65), 'two words', 'a,b', '{"a":1}', '\u00e4', ''])(
  '%j is not accepted as a request id',
  async (id) => {
    expect(await ask('/served', id)).toMatch(FRESH);
  },
);

test.each(['/refused', '/broken', '/v1/%zz', '/nothing-is-here'])(
  'log entries of %s have the id of the response',
  async (path) => {
    const id = await ask(path);
    expect(lines.map(({ reqId }) => reqId)).toEqual([id]);
  },
);

test('a refusal is logged at debug level, and a server error always', async () => {
  await ask('/refused');
  await ask('/broken');
  expect(lines).toMatchObject([
    { level: 20, code: 'no_way', route: '/refused', msg: 'call refused' },
    { level: 50, route: '/broken', msg: 'call failed' },
  ]);
});

test('a service that does not know its request logs the id of that request', async () => {
  const body = JSON.stringify({ name: 'second' });
  const headers = { 'content-type': 'application/json' };
  await Promise.all([
    ask('/served?name=first', 'one'),
    ask('/posted', 'two', { method: 'POST', headers, body }),
  ]);
  expect(lines.map(({ reqId, msg }) => [reqId, msg]).sort()).toEqual([
    ['one', 'served first'],
    ['two', 'served second'],
  ]);
});

test('work after the response has no request id', async () => {
  const closed = new Promise((resolve) =>
    app.server.once('request', (_, to) => to.once('close', resolve)),
  );
  await ask('/begun');
  await closed;
  for (const end of afterwards) end();
  await Promise.resolve();
  expect(lines).toMatchObject([{ msg: 'done after the answer' }]);
  expect(lines[0]).not.toHaveProperty('reqId');
});

test('a request that is not valid HTTP is answered with an id, too', async () => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write('hello\r\n\r\n');
  expect(await text(socket)).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/u);
});
