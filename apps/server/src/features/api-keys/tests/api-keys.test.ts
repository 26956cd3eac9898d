import {
  API_KEY_HEADER,
  API_KEY_LIMIT,
  deleteAccount,
  generateApiKey,
  type InputOf,
  isReading,
  listApiKeys,
  listArtifacts,
  revokeApiKey,
  routes,
  uploadArtifacts,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { formOf, plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import { type SignedInUser, type TestApp, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const MINUTE_MS = 60_000;
const INVALID = {
  message: 'This API key is invalid or was revoked.',
  code: 'invalid_api_key',
};
const EXISTS = { status: 409, message: 'API key with name already exists' };

const generate = async (
  { client }: SignedInUser,
  name = 'Nightly import',
  body: InputOf<typeof generateApiKey>['body'] = {},
) => (await client.call(generateApiKey, { params: { name }, body })).data;
const list = async ({ client }: SignedInUser) => (await client.call(listApiKeys, {})).data;
const revoke = ({ client }: SignedInUser, id: string) =>
  client.call(revokeApiKey, { params: { id } });

/** Calls with a key in a header. */
const callsOf = (engram: TestApp) => {
  const { call } = plainCalls(engram);
  return (line: string, key: string, sent: { body?: unknown; token?: string } = {}) =>
    call(line, { ...sent, headers: { [API_KEY_HEADER]: key } });
};

describe.each(testDatabases)('API keys (%s)', (database) => {
  const env = { ENGRAM_ADMIN_EMAILS: 'root@example.org', ENGRAM_FAILED_CALLS_PER_MINUTE: '2' };
  const engram = useTestApp({ database, env });
  const call = callsOf(engram);
  let userCount = 0;
  let ann: SignedInUser;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
  });

  test('a key is shown once: lists mask it, and the database knows only its hash', async () => {
    const generated = await generate(ann);
    expect(generated).toMatchObject({ name: 'Nightly import' });
    expect(generated.apiKey).toMatch(/^eg_[\w-]{43}$/u);
    const second = await generate(ann, 'Über/uns & 50%');
    const listed = await list(ann);
    expect(listed.map(({ name, apiKey }) => [name, apiKey])).toEqual([
      ['Über/uns & 50%', `eg…${second.apiKey.slice(-3)}`],
      ['Nightly import', `eg…${generated.apiKey.slice(-3)}`],
    ]);
    expect(listed[1]).toMatchObject({ id: generated.id, createdDate: generated.createdDate });
    const { rows } = await engram.deps.database.pool.query('SELECT * FROM api_keys');
    expect(JSON.stringify(rows)).not.toContain(generated.apiKey.slice(3, 20));
  });

  test('two keys of a user cannot have names that differ only in notation', async () => {
    await generate(ann, 'Café');
    for (const name of ['Café', 'CAFÉ', ' café ', 'Cafe\u0301']) {
      await expect(generate(ann, name)).rejects.toMatchObject(EXISTS);
    }
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => generate(ann, 'Backup')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    await generate(bob, 'Café');
    await revoke(bob, (await list(bob))[0]?.id ?? '');
    await generate(bob, 'Café');
  });

  test.each([
    ['%20', 'An API key needs a name.'],
    ['a'.repeat(51), 'The name of an API key has at most 50 characters.'],
    ['one%0Atwo', 'The name of an API key needs a letter or a digit, and has only one line.'],
    ['-', 'The name of an API key needs a letter or a digit, and has only one line.'],
  ])('the name %s is rejected', async (name, message) => {
    const { call: plain } = plainCalls(engram);
    const { status, answer } = await plain(`POST /api/keys/generate/${name}`, { token: ann.token });
    expect([status, answer['message']]).toEqual([400, message]);
    expect(await list(ann)).toEqual([]);
  });

  test('the number of keys is limited, and revoking a key frees a slot', async () => {
    await engram.deps.database.pool.query(
      `INSERT INTO api_keys (id, user_id, name, key_hash, masked, created_at)
       SELECT gen_random_uuid(), $1::text::uuid, 'Key ' || n, $1::text || '-' || n, 'eg…xyz', now()
       FROM generate_series(2, $2::int) n`,
      [ann.userId, API_KEY_LIMIT],
    );
    await generate(ann);
    await expect(generate(ann, 'One more')).rejects.toMatchObject({
      status: 409,
      message: 'You can have up to 50 API keys. Revoke one that you no longer use.',
    });
    await revoke(ann, (await list(ann))[0]?.id ?? '');
    await generate(ann, 'One more');
  });

  test('a revoked, unknown or invalid key is rejected', async () => {
    const generated = await generate(ann);
    expect((await call('GET /keywords', generated.apiKey)).status).toBe(200);
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    // Another user's key is not found.
    await expect(revoke(bob, generated.id)).rejects.toMatchObject({ status: 404 });
    expect((await call('GET /keywords', generated.apiKey)).status).toBe(200);
    await revoke(ann, generated.id);
    await expect(revoke(ann, generated.id)).rejects.toMatchObject({ status: 404 });
    const other = `eg_${'x'.repeat(43)}`;
    for (const key of [
      generated.apiKey,
      other,
      generated.apiKey.slice(0, -1),
      'eg_',
      '',
      "' OR 1=1 --",
    ]) {
      expect(await call('GET /keywords', key)).toMatchObject({ status: 401, answer: INVALID });
    }
  });

  test('a call with both a token and a key is rejected', async () => {
    const { apiKey } = await generate(ann);
    expect(await call('GET /keywords', apiKey, { token: ann.token })).toMatchObject({
      status: 400,
      answer: { message: 'Send either a bearer token or an API key, not both.' },
    });
  });

  test("a key has access to its user's files, and its uploads have the source API", async () => {
    const { apiKey } = await generate(ann);
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    await generate(bob);
    const form = formOf({ source: 'Web' }, { name: 'rent.txt', content: `Rent ${userCount}` });
    expect((await call('POST /artifacts/upload', apiKey, { body: form })).status).toBe(200);
    const { data } = await ann.client.call(listArtifacts, { query: {} });
    expect(data.map(({ source, artifactCreatedBy }) => [source, artifactCreatedBy])).toEqual([
      ['API', ann.email],
    ]);
    const files = [{ name: 'bob.txt', content: new Blob(['Bob has a boat.']) }];
    const { artifacts } = (await bob.client.upload(uploadArtifacts, files, {})).data;
    const otherFile = await call(`DELETE /artifacts/${artifacts[0]?.artifactId}`, apiKey);
    expect(otherFile.status).toBe(404);
  });

  test('the last use of a key is stored at most once a minute', async () => {
    const { apiKey } = await generate(ann);
    const lastUsed = async () => {
      await engram.deps.background.drain();
      return (await list(ann))[0]?.lastUsedDate ?? null;
    };
    const use = () => call('GET /keywords', apiKey);
    expect(await lastUsed()).toBeNull();
    await Promise.all([use(), use(), use()]);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await use();
    expect(await lastUsed()).toBe(first);
    engram.advance(MINUTE_MS);
    await use();
    const second = await lastUsed();
    expect(Date.parse(second ?? '') - Date.parse(first ?? '')).toBeGreaterThanOrEqual(MINUTE_MS);
  });

  test('a key works until its expiry, and is then reported as expired', async () => {
    const soon = new Date(engram.deps.now().getTime() + 5 * MINUTE_MS);
    const { apiKey, expiresAt } = await generate(ann, 'Visit', { expiresAt: soon.toISOString() });
    expect(expiresAt).toBe(soon.toISOString());
    expect((await list(ann))[0]).toMatchObject({ expiresAt, readOnly: false });
    engram.advance(4 * MINUTE_MS);
    expect((await call('GET /keywords', apiKey)).status).toBe(200);
    engram.advance(MINUTE_MS);
    expect(await call('GET /keywords', apiKey)).toMatchObject({
      status: 401,
      answer: {
        code: 'api_key_expired',
        message: `This API key expired on ${expiresAt?.slice(0, 10)}. Create a new one.`,
      },
    });
    expect(await list(ann)).toHaveLength(1);
  });

  test.each([
    ['2020-01-01', 'The expiry must be in the future.'],
    ['2020-01-01T00:00:00Z', 'The expiry must be in the future.'],
    ['soon', 'The end of an API key is a time such as 2026-12-31T12:00:00Z, or a day.'],
  ])('a key cannot expire at %s', async (expiresAt, message) => {
    await expect(generate(ann, 'Never', { expiresAt })).rejects.toMatchObject({
      status: 400,
      message,
    });
    expect(await list(ann)).toEqual([]);
  });

  test('the keys of a deleted account are rejected immediately', async () => {
    const { apiKey } = await generate(ann);
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    expect(await call('GET /keywords', apiKey)).toMatchObject({ status: 401, answer: INVALID });
    const { rows } = await engram.deps.database.pool.query(
      'SELECT FROM api_keys WHERE user_id = $1',
      [ann.userId],
    );
    expect(rows).toEqual([]);
  });
});

const sampleLine = ({ method, path }: (typeof routes)[number]): string =>
  `${method} ${path
    .replaceAll(/\{(?:archived|isActive)\}/gu, 'true')
    .replaceAll(/\{\w*[iI]d\}/gu, UNKNOWN)
    .replaceAll(/\{\w+\}/gu, 'word')}`;

describe('the calls of a key', () => {
  const engram = useTestApp({ env: { ENGRAM_ADMIN_EMAILS: 'root@example.org' } });
  const call = callsOf(engram);
  const guarded = routes.filter(({ auth }) => auth !== 'public');

  test('are those that the contract allows, also for admins', async () => {
    const { apiKey } = await generate(await engram.signIn('root@example.org'));
    const outcomes = new Map<string, string>();
    for (const route of guarded) {
      const { status, answer } = await call(sampleLine(route), apiKey);
      // These responses show that the key was accepted.
      const isAccepted = [200, 400, 404, 409, 415, 503].includes(status);
      outcomes.set(route.id, isAccepted ? 'opened' : `${status} ${String(answer['code'])}`);
    }
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(
        guarded.map((route) => [route.id, route.apiKey ? 'opened' : '403 api_key_refused']),
      ),
    );
  });

  test('with read-only access are those that change nothing, including questions', async () => {
    const { apiKey } = await generate(await engram.signIn('ann@example.org'), 'Reader', {
      readOnly: true,
    });
    const outcomes = new Map<string, string>();
    for (const route of guarded.filter((route) => route.apiKey)) {
      const { status, answer } = await call(sampleLine(route), apiKey);
      outcomes.set(route.id, status === 403 ? String(answer['message']) : 'opened');
    }
    const refused =
      'This API key is read-only, but the call changes data. Use a key with write access.';
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(
        guarded
          .filter((route) => route.apiKey)
          .map((route) => [route.id, isReading(route) ? 'opened' : refused]),
      ),
    );
    expect(
      guarded
        .filter(({ reads }) => reads)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([
      'artifacts.checkArtifacts',
      'artifacts.openArtifact',
      'artifacts.zipArtifacts',
      'search.findPassages',
      'search.search',
      'search.transcribe',
    ]);
    const response = await call('POST /search', apiKey, { body: { text: 'Where is the key?' } });
    expect(response.status).toBe(200);
  });

  test('are files, keywords, searching, the history, suggestions, devices, and the profile to read', () => {
    const data = /^\/(?:artifacts|keywords|search|suggestions|questions\/recommendations)(?:\/|$)/u;
    const single = new Set([
      'profile.getProfile',
      // Calls of a device. Only users can control devices.
      'devices.reportDevice',
      'devices.listDevices',
      'devices.endDevice',
    ]);
    const opened = guarded.filter(({ id, path }) => data.test(path) || single.has(id));
    expect(guarded.filter(({ apiKey }) => apiKey)).toEqual(opened);
  });

  test('include public calls, with any key', async () => {
    expect((await call('GET /health', 'eg_nonsense')).status).toBe(200);
  });
});

describe('the limits of a key', () => {
  const engram = useTestApp({
    startAt: new Date('2026-03-10T10:00:00Z'),
    env: {
      ENGRAM_RATE_LIMITS: 'on',
      ENGRAM_FAILED_CALLS_PER_MINUTE: '3',
      ENGRAM_TRUST_PROXY: 'true',
      ENGRAM_KEY_CALL_BURST: '3',
      ENGRAM_KEY_CALLS_PER_SECOND: '0.01',
    },
  });
  const call = callsOf(engram);

  test('reject only that key, report the wait, and accept calls afterwards', async () => {
    const ann = await engram.signIn('ann@example.org');
    const [one, other] = [await generate(ann, 'One'), await generate(ann, 'Other')];
    const use = (key: string) => call('GET /keywords', key);
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await use(one.apiKey)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await use(one.apiKey);
    expect(refused.answer['message']).toBe('Too many calls. Please wait a moment.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(90);
    expect((await use(other.apiKey)).status).toBe(200);
    expect((await list(ann)).map(({ name }) => name)).toEqual(['Other', 'One']);
    engram.advance(100_000);
    expect([(await use(one.apiKey)).status, (await use(one.apiKey)).status]).toEqual([200, 429]);
  });

  test('limit wrong keys per network, but not valid ones', async () => {
    const ann = await engram.signIn('ann@example.org');
    const [known, fresh] = [await generate(ann, 'Known'), await generate(ann, 'Fresh')];
    const { call: plain } = plainCalls(engram);
    const use = async (ip: string, proof: Record<string, string>) => {
      const headers = { ...proof, 'x-forwarded-for': ip };
      const {
        status,
        answer,
        headers: responseHeaders,
      } = await plain('GET /keywords', { headers });
      return {
        status,
        message: answer['message'],
        wait: Number(responseHeaders.get('retry-after')),
      };
    };
    const keyed = (key: string) => ({ [API_KEY_HEADER]: key });
    const wrong = (n: number) => keyed(`eg_${String(n).padStart(43, 'x')}`);
    const statusOf = async (ip: string, proof: Record<string, string>) =>
      (await use(ip, proof)).status;
    // Wrong keys and tokens from a network count together. Calls without either do not count.
    const [one, same, other] = ['2001:db8:1:2::1', '2001:db8:1:2::9', '2001:db8:1:3::1'];
    const start = performance.now();
    expect(await statusOf(one, keyed(known.apiKey))).toBe(200);
    for (const token of ['', '', '', 'Bearer none']) {
      expect(await statusOf(one, { authorization: token })).toBe(401);
    }
    expect(await statusOf(same, wrong(9))).toBe(401);
    expect(await statusOf(one, wrong(2))).toBe(401);
    const refused = await use(one, wrong(3));
    expect(refused).toMatchObject({
      status: 429,
      message:
        'Too many calls with an invalid token or API key from your network. Please wait a moment.',
    });
    expect(refused.wait).toBeLessThanOrEqual(20);
    expect(refused.wait).toBeGreaterThanOrEqual(20 - (performance.now() - start) / 1000);
    expect(await statusOf(same, keyed(fresh.apiKey))).toBe(429);
    expect(await statusOf(one, keyed(known.apiKey))).toBe(200);
    expect(await statusOf(other, wrong(3))).toBe(401);
    await revoke(ann, known.id);
    expect(await statusOf(one, keyed(known.apiKey))).toBe(401);
    expect(await statusOf(one, keyed(known.apiKey))).toBe(429);
    engram.advance(60_000);
    expect(await statusOf(same, keyed(fresh.apiKey))).toBe(200);
    expect(await statusOf(one, wrong(4))).toBe(401);
  });
});
