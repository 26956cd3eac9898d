import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
});

async function call(path: string, body?: string, type = 'application/json') {
  const response = await fetch(engram.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${ann.token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

const cursor = (...parts: unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

test.each([
  ['/search', '[]', 'The request body must be an object.'],
  ['/search', '{"text":"x","keywords":"Home"}', "'keywords' must be a list."],
  ['/search', '{"text":"x","audio":"yes"}', "'audio' must be true or false."],
  [
    '/search',
    '{"text":"x","location":{"latitude":91,"longitude":0}}',
    "'location.latitude' must be at most 90.",
  ],
  ['/search', `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'Please enter a question.'],
  ['/search', '['.repeat(300_000), 'The request body is not valid JSON.'],
  ['/search', '{"text":"x","__proto__":{"a":1}}', 'The request body is not valid JSON.'],
  ['/search', String.raw`{"text":"\u0000"}`, 'Please enter a question.'],
  ['/keywords/add', '{}', "'keyword' is missing."],
  [
    '/keywords/add',
    String.raw`{"keyword":"a\u0000"}`,
    'A keyword can only contain letters and digits.',
  ],
  ['/artifacts?limit=0', undefined, "'limit' must be at least 1."],
  ['/artifacts?limit=1001', undefined, "'limit' must be at most 1000."],
  ['/artifacts?limit=many', undefined, "'limit' must be a number."],
  ['/artifacts?limit=1.5', undefined, "'limit' must be a whole number."],
  [
    '/artifacts?sort=evil',
    undefined,
    "'sort' must be one of: created, -created, name, -name, size, -size.",
  ],
  [`/artifacts?q=${'x'.repeat(301)}`, undefined, "'q' must be at most 300 characters."],
  ['/artifacts/%zz/text', undefined, 'The address is malformed.'],
] as const)('%s %j returns a clear message', async (path, body, message) => {
  expect(await call(path, body)).toEqual({ status: 400, message, code: 'invalid_request' });
});

test.each([
  ['created', 'never'],
  ['created', 1e300],
  ['created', '0000-01-01T00:00:00Z'],
  ['created', '+275760-09-13T00:00:00Z'],
  ['size', 'large'],
  ['size', 1.5],
  ['size', 1e300],
  ['name', 5],
])('a list does not continue from a %s of %j', async (sort, value) => {
  const place = cursor(sort, value, ann.userId);
  const refused = { status: 400, code: 'invalid_cursor' };
  expect(await call(`/artifacts?limit=1&sort=${sort}&cursor=${place}`)).toMatchObject(refused);
  expect(await call(`/search/history/all?cursor=${cursor(value, ann.userId)}`)).toMatchObject(
    refused,
  );
});

test.each(['/artifacts?q=%00', '/search/history/all?q=%00a'])(
  '%s finds nothing, and is not an error',
  async (path) => {
    expect(await call(path)).toMatchObject({ status: 200, data: [] });
  },
);

test('a question with characters that no database stores is stored without them', async () => {
  const body = String.raw`{"text":"Is a\u0000 b \ud800 there?","device":"Li\u0000nux"}`;
  expect(await call('/search', body)).toMatchObject({
    status: 200,
    data: { text: 'Is a b \ufffd there?' },
  });
});

test('a plain string is not accepted as a question', async () => {
  expect(await call('/search', 'x', 'text/plain')).toMatchObject({
    status: 415,
    message: 'This call does not accept the content type of the request body.',
  });
});

test.each([
  ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'This is not a valid request.'],
  ['hello\r\n\r\n', 400, 'This is not a valid request.'],
  [
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    431,
    'The headers of the request are too large.',
  ],
])('%.20j is refused as an invalid request', async (sent, status, message) => {
  const socket = connect(Number(new URL(engram.origin).port), '127.0.0.1');
  socket.write(sent);
  const answer = await text(socket);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    message,
    code: 'invalid_request',
  });
});
