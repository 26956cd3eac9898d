import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as library from '../engram-kb.ts';
import { Engram, type EngramOptions } from '../engram-kb.ts';
import { http, startOddServer } from './odd-server.test-setup.ts';

const ID = '0b2f1c9e-6a53-4d5e-9f3e-111111111111';
const OK = http('200 OK', '{"message": "OK", "data": ["When does the lease end?"]}');
const device = { name: 'Home-PC', platform: 'Linux', version: '1' };
const place = { path: 'Papers/a.txt', deviceId: ID };
const report = { name: 'Papers', state: 'current', files: 1, waiting: 0, refused: 0 };
let odd: Awaited<ReturnType<typeof startOddServer>>;
let folder: string;
let waits: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-kb-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
// Each test has its own server, because a call that a test aborted may arrive during the next one.
beforeEach(async () => {
  odd = await startOddServer();
});
afterEach(async () => {
  await odd.close();
  waits = [];
  vi.unstubAllEnvs();
});

const connect = (options: EngramOptions = {}): Engram =>
  new Engram({
    baseUrl: odd.url,
    apiKey: 'eg_test',
    sleep: (ms) => Promise.resolve(waits.push(ms)),
    ...options,
  });

/** The error of a call. */
async function failureOf(call: Promise<unknown>): Promise<library.EngramError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof library.EngramError) return error;
  throw new Error('The call did not fail with an EngramError.', { cause: error });
}

async function readAll<T>(from: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const event of from) read.push(event);
  return read;
}

describe('an error response', () => {
  test.each([
    [400, library.BadRequestError],
    [401, library.AuthenticationError],
    [402, library.PaymentRequiredError],
    [403, library.PermissionDeniedError],
    [404, library.NotFoundError],
    [409, library.ConflictError],
    [410, library.GoneError],
    [413, library.TooLargeError],
    [415, library.UnsupportedTypeError],
    [416, library.RangeNotSatisfiableError],
    [418, library.APIError],
    [429, library.RateLimitError],
    [500, library.ServerError],
    [503, library.ServiceUnavailableError],
    [507, library.InsufficientStorageError],
  ])('with %d has its own error class', async (status, kind) => {
    const body = JSON.stringify({ message: 'A sentence.', code: 'a_code' });
    odd.replies.push(http(`${status} Odd`, body, { 'retry-after': '7', 'x-request-id': 'r-1' }));
    const error = await failureOf(connect({ maxRetries: 0 }).suggestions());
    expect(error).toMatchObject({
      name: kind.name,
      status,
      code: 'a_code',
      message: 'A sentence.',
      retryAfterMs: 7_000,
      requestId: 'r-1',
    });
    expect(error.constructor).toBe(kind);
  });

  test('in HTML from a proxy is an APIError too', async () => {
    odd.replies.push(http('404 Not Found', '<h1>nginx</h1>'));
    expect(await failureOf(connect().suggestions())).toMatchObject({ code: 'http', status: 404 });
  });
});

describe('a call is retried', () => {
  test('twice, with a growing backoff or after the time that the server requests', async () => {
    odd.replies.push(http('503 Busy'), http('429 Slow', '', { 'retry-after': '3' }), OK);
    expect(await connect().suggestions()).toEqual(['When does the lease end?']);
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(3_000);
    expect(waits[1]).toBeLessThanOrEqual(3_250);
    odd.replies.push(...Array.from({ length: 3 }, () => http('503 Busy')));
    expect(await failureOf(connect().suggestions())).toBeInstanceOf(
      library.ServiceUnavailableError,
    );
    expect(odd.requests).toHaveLength(6);
  });

  test('not if the server requests a wait of minutes', async () => {
    odd.replies.push(http('429 Slow', '', { 'retry-after': '600' }));
    expect((await failureOf(connect().suggestions())).retryAfterMs).toBe(600_000);
    expect(waits).toEqual([]);
  });

  test('only if it was not counted, in case of a question', async () => {
    odd.replies.push(http('503 Busy', '', { 'retry-after': '1' }));
    expect(await failureOf(connect().ask('When?'))).toBeInstanceOf(library.ServiceUnavailableError);
    odd.replies.push((socket) => socket.destroy());
    expect(await failureOf(connect().ask('When?'))).toMatchObject({
      name: 'ConnectionFailedError',
      reached: true,
    });
    expect(waits).toEqual([]);
    odd.replies.push(http('429 Slow', '', { 'retry-after': '1' }), http('402 Used up'));
    expect(await failureOf(connect().askStream('When?').answer)).toMatchObject({ status: 402 });
    expect([waits.length, odd.requests.length]).toEqual([1, 4]);
  });

  test('up to three attempts if the server is down', async () => {
    const stopped = await startOddServer();
    await stopped.close();
    const error = await failureOf(connect({ baseUrl: stopped.url }).ask('When?'));
    expect(error).toMatchObject({ name: 'ConnectionFailedError', reached: false });
    expect(waits).toHaveLength(2);
  });

  test.each(['sync', 'async'])(
    'with the next token of a function after a 401: %s',
    async (kind) => {
      const tokens = ['old', 'new', 'older', 'last', ''];
      const next = () => tokens.shift() ?? '';
      const token = kind === 'sync' ? next : () => Promise.resolve(next());
      odd.replies.push(http('401 Old'), OK, http('401 Old'), http('401 Old'));
      const engram = new Engram({ baseUrl: odd.url, token });
      await engram.suggestions();
      expect(await failureOf(engram.suggestions())).toMatchObject({ status: 401 });
      expect(odd.requests.map(({ headers }) => headers['authorization'])).toEqual([
        'Bearer old',
        'Bearer new',
        'Bearer older',
        'Bearer last',
      ]);
      expect(await failureOf(engram.suggestions())).toMatchObject({
        message: 'The token is empty.',
      });
      expect(odd.requests).toHaveLength(4);
    },
  );

  test('not with a stream of bytes, which can be read only once', async () => {
    const stream = () => new Blob(['note']).stream() as ReadableStream<Uint8Array>;
    odd.replies.push(http('503 Busy'));
    const refused = connect().files.upload(stream(), { name: 'a.txt' });
    expect(await failureOf(refused)).toMatchObject({ status: 503 });
    expect(odd.requests[0]?.headers['transfer-encoding']).toBe('chunked');
    odd.replies.push(http('503 Busy'));
    await failureOf(connect().files.upload(stream(), { name: 'a.txt', size: 4 }));
    expect(Number(odd.requests[1]?.headers['content-length'])).toBe(odd.requests[1]?.body.length);
    odd.replies.push(http('503 Busy'), http('402 Full'));
    const bytes = new TextEncoder().encode('note');
    await failureOf(connect().files.upload(bytes, { name: 'a"\r\n.txt', keywords: ['Home'] }));
    expect(odd.requests[3]?.body).toContain('filename="a%22%0D%0A.txt"');
    expect(odd.requests[3]?.body).toContain('name="keywords"\r\n\r\n["Home"]');
  });
});

describe('a server that fails', () => {
  test.each(['an answer', 'a stream'])('times out if it does not respond: %s', async (kind) => {
    odd.replies.push(() => undefined);
    const engram = connect({ timeout: 50, maxRetries: 0 });
    const call = kind === 'an answer' ? engram.suggestions() : engram.askStream('When?').answer;
    expect(await failureOf(call)).toBeInstanceOf(library.TimedOutError);
  });

  test.each(['no json', '[]', '{"data": 7}', '{"message": "OK"}', '{"data": [7]}'])(
    'gives an error if the response is %s',
    async (body) => {
      odd.replies.push(http('200 OK', body));
      const error = await failureOf(connect().suggestions());
      expect(error).toBeInstanceOf(library.MalformedResponseError);
    },
  );

  const DELTA = 'event: delta\ndata: {"text": "In May."}\n\n';
  const stream = (events: string, length?: string): string =>
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n${length ? `content-length: ${length}\r\n` : ''}\r\n${events}`;

  test.each([
    ['ends early', stream(DELTA), library.StreamBrokenError],
    ['breaks off', stream(DELTA, '9000'), library.StreamBrokenError],
    ['sends nothing', stream('', '9000'), library.StreamBrokenError],
    ['sends no JSON', stream('event: delta\ndata: {\n\n'), library.MalformedResponseError],
    [
      'has an invalid event',
      stream('event: done\ndata: {"text": 1}\n\n'),
      library.MalformedResponseError,
    ],
    [
      'sends an error',
      stream('event: error\ndata: {"message": "No.", "code": "busy"}\n\n'),
      library.AnswerFailedError,
    ],
  ])('is reported if its stream %s', async (_, reply, kind) => {
    odd.replies.push(reply, reply);
    expect(await failureOf(readAll(connect().askStream('When?')))).toBeInstanceOf(kind);
    expect(await failureOf(connect().askStream('When?').answer)).toBeInstanceOf(kind);
  });

  test('leaves no partial file if a download is interrupted', async () => {
    odd.replies.push(http('200 OK', 'half', { 'content-length': '900' }));
    const saved = connect().history.audio(ID, path.join(folder, 'answer.mp3'));
    expect(await failureOf(saved)).toBeInstanceOf(library.StreamBrokenError);
    expect(await readdir(folder)).toEqual([]);
  });

  test('may send unknown events', async () => {
    odd.replies.push(stream(`event: later\ndata: {}\n\n${DELTA}`));
    const events = connect().askStream('When?')[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({
      done: false,
      value: { type: 'delta', text: 'In May.' },
    });
    await events.return(undefined);
  });

  test('is disconnected if its stream is no longer read', async () => {
    const disconnected = Promise.withResolvers<void>();
    odd.replies.push((socket: Socket) => {
      socket.write(stream(DELTA, '9000'));
      socket.on('close', () => disconnected.resolve());
    });
    const answer = connect().askStream('When?');
    for await (const event of answer) {
      expect(event.type).toBe('delta');
      break;
    }
    await disconnected.promise;
    expect(await failureOf(answer.answer)).toBeInstanceOf(library.StreamBrokenError);
  });

  test('is disconnected if the caller aborts', async () => {
    const stop = new AbortController();
    odd.replies.push(() => stop.abort(new Error('Enough.')));
    await expect(connect().suggestions({ signal: stop.signal })).rejects.toThrow('Enough.');
    await expect(connect().ask('When?', { signal: stop.signal })).rejects.toThrow('Enough.');
    await expect(connect().askStream('When?', { signal: stop.signal }).answer).rejects.toThrow(
      'Enough.',
    );
    expect(odd.requests).toHaveLength(1);
  });
});

describe('invalid input is refused before anything is sent', () => {
  test.each<[string, (engram: Engram) => unknown]>([
    ['no question', (engram) => engram.ask(' ')],
    ['a long question', (engram) => engram.ask('a'.repeat(301))],
    ['no question to stream', (engram) => engram.askStream('')],
    ['two words as a keyword', (engram) => engram.ask('When?', { keywords: ['two words'] })],
    ['a keyword outside a list', (engram) => engram.ask('When?', { keywords: 'Home' })],
    ['a long keyword', (engram) => engram.ask('When?', { keywords: ['a'.repeat(26)] })],
    ['an invalid id', (engram) => engram.ask('When?', { after: '../7' })],
    ['a web address as a file', (engram) => engram.files.upload(new URL('https://example.org/a'))],
    ['a folder as a file', (engram) => engram.files.upload(folder)],
    ['bytes without a name', (engram) => engram.files.upload(new Uint8Array(3))],
    ['no source', (engram) => engram.files.upload(7 as never)],
    [
      'a path that leaves the folder',
      (engram) => engram.files.check([['Papers/../a', new Uint8Array(3)]]),
    ],
    ['an invalid digest', (engram) => engram.files.check([['a.txt', { sha256: 'f00', size: 1 }]])],
    ['an invalid time', (engram) => engram.files.place(ID, { ...place, modifiedAt: new Date('') })],
    ['an invalid device id', (engram) => engram.files.place(ID, { ...place, deviceId: 'mine' })],
    ['a device without a name', (engram) => engram.devices.register({ ...device, name: ' ' })],
    ['no folders', (engram) => engram.devices.report({ ...device, id: ID }, {} as never)],
    [
      'a negative number of files',
      (engram) =>
        engram.devices.report({ ...device, id: ID }, { folders: [{ ...report, files: -1 }] }),
    ],
    [
      'an empty folder state',
      (engram) =>
        engram.devices.report({ ...device, id: ID }, { folders: [{ ...report, state: '' }] }),
    ],
    ['a file outside a list', (engram) => engram.files.uploadMany('a.txt')],
    ['no files', (engram) => engram.files.uploadMany([])],
    ['a negative wait', (engram) => engram.files.addText('A note.', { wait: -1 })],
    ['an unknown status', (engram) => engram.files.list('', { status: 'LOST' as never })],
    ['an unknown order', (engram) => engram.files.list('', { sort: 'colour' as never })],
    ['an empty page', (engram) => engram.files.list('', { pageSize: 0 })],
    ['a word instead of a file id', (engram) => engram.files.delete('all')],
    ['nothing to delete', (engram) => engram.files.deleteMany([])],
    ['no keyword', (engram) => engram.keywords.add('')],
  ])('%s', async (_, call) => {
    const error = await failureOf((async () => call(connect()))());
    expect(error).toBeInstanceOf(library.ArgumentError);
    expect(odd.requests).toEqual([]);
  });

  test.each<[string, (engram: Engram, missing: string) => Promise<unknown>]>([
    ['to upload', (engram, missing) => engram.files.upload(missing)],
    ['among several to upload', (engram, missing) => engram.files.uploadMany([missing])],
    ['to check', (engram, missing) => engram.files.check([['a.txt', missing]])],
    ['to transcribe', (engram, missing) => engram.transcribe(missing)],
    ['to write into', (engram, missing) => engram.history.audio(ID, path.join(missing, 'a.mp3'))],
  ])('a missing path, %s, fails as in Node', async (_, call) => {
    const missing = path.join(folder, 'missing');
    await expect(call(connect(), missing)).rejects.toMatchObject({ code: 'ENOENT', path: missing });
    expect(odd.requests).toEqual([]);
  });

  test.each<[string, (engram: Engram) => unknown]>([
    // @ts-expect-error The compiler refuses each of them too.
    ['of a question', (engram) => engram.ask('When?', { keyword: ['Home'] })],
    // @ts-expect-error
    ['of a stream', (engram) => engram.askStream('When?', { keyword: ['Home'] })],
    // @ts-expect-error
    ['of a list', (engram) => engram.files.list('', { rows: 3 })],
    // @ts-expect-error
    ['of the history', (engram) => engram.history.list('', { rows: 3 })],
    // @ts-expect-error
    ['of an upload', (engram) => engram.files.upload(new Blob(['a']), { name: 'a', tags: [] })],
    // @ts-expect-error
    ['of a change', (engram) => engram.history.update(ID, { bookmark: true })],
    // @ts-expect-error
    ['of a call without any', (engram) => engram.profile({ timeout: 1_000 })],
    // @ts-expect-error
    ['of a client', () => new Engram({ apiKey: 'k', retries: 3 })],
  ])('an unknown option %s', async (_, call) => {
    await expect((async () => call(connect()))()).rejects.toThrow(TypeError);
    expect(odd.requests).toEqual([]);
  });

  test('wrong settings', () => {
    vi.stubEnv('ENGRAM_API_KEY', '');
    const wrong: EngramOptions[] = [
      {},
      { baseUrl: 'localhost:3000', apiKey: 'k' },
      { baseUrl: 'ftp://localhost', apiKey: 'k' },
      { apiKey: 'two words' },
      { apiKey: 'a\r\nb' },
      { apiKey: 'k', token: 't' },
      { apiKey: '' },
      { token: '' },
      { baseUrl: '', apiKey: 'k' },
      { apiKey: 'k', timeout: 0 },
      { apiKey: 'k', maxRetries: -1 },
    ];
    for (const options of wrong) {
      expect(() => new Engram(options)).toThrow(library.ArgumentError);
    }
  });
});

test('the environment and a custom fetch are used', async () => {
  vi.stubEnv('ENGRAM_BASE_URL', `${odd.url}/v1/`);
  vi.stubEnv('ENGRAM_API_KEY', 'eg_mine');
  odd.replies.push(OK, OK);
  const customFetch: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-mine': 'yes' } });
  await new Engram({ fetch: customFetch }).suggestions();
  expect(odd.requests[0]?.headers).toMatchObject({
    'engram-api-key': 'eg_mine',
    'x-mine': 'yes',
    'user-agent': 'engram-kb/0.1.0',
  });
  await new Engram({ token: 'a-token' }).suggestions();
  expect(odd.requests[1]?.headers['authorization']).toBe('Bearer a-token');
  expect(odd.requests[1]?.headers).not.toHaveProperty('engram-api-key');
});

test('options override the defaults of a call, and undefined is ignored', async () => {
  odd.replies.push(http('402 Used up'), http('402 Used up'), http('402 Used up'));
  const engram = connect();
  await failureOf(engram.ask('When?', { audio: true, after: undefined }));
  await failureOf(engram.ask('When?', { audio: undefined }));
  await failureOf(engram.files.list('a b', { archived: false, pageSize: undefined }).toArray());
  expect(odd.requests.map(({ body }) => body)).toEqual([
    '{"text":"When?","audio":true}',
    '{"text":"When?","audio":false}',
    '',
  ]);
  expect(odd.requests[2]?.line).toBe('GET /v1/artifacts?limit=100&q=a+b&archived=false HTTP/1.1');
});
