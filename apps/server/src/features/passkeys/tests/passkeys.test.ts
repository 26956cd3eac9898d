import {
  addPasskey,
  deleteAccount,
  listPasskeys,
  listSecurityEvents,
  listSessions,
  type PasskeyAssertion,
  PASSKEY_LIMIT,
  removePasskey,
  renamePasskey,
  type Session,
  startPasskey,
} from '@engram/contract';
import { describe, expect, test } from 'vitest';
import type { SignedInUser, TestApp } from '../../../tests/app.test-setup.ts';
import { createAuthenticator, type Deviations } from '../../../tests/authenticator.test-setup.ts';
import { plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const MINUTE = 60_000;
const REFUSED_SIGN_IN = {
  status: 401,
  answer: {
    code: 'passkey_refused',
    message:
      'The passkey was not accepted. Please try again, or sign in with a code sent to your email.',
  },
};
const REFUSED = {
  status: 400,
  code: 'passkey_refused',
  message: 'The passkey was not accepted. Please try again.',
};

const engram = useTestApp({ env: { ENGRAM_RATE_LIMITS: 'on' } });
let userCount = 0;

const newUser = (): Promise<SignedInUser> => engram.signIn(`ann${(userCount += 1)}@example.org`);

/** A browser without a session, on its sign-in page. */
function newBrowser(app: Pick<TestApp, 'baseUrl'> = engram) {
  const { call } = plainCalls(app);
  let cookie = '';
  const post = async (path: string, body: unknown, headers = {}) => {
    const answer = await call(`POST ${path}`, { body, headers: { cookie, ...headers } });
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
    cookie = cookies.find((pair) => pair.includes('engram_browser')) ?? cookie;
    return answer;
  };
  return {
    post,
    start: async () => (await post('/auth/passkey/options', {})).answer['data'] as object,
    signIn: (credential: PasskeyAssertion) =>
      post('/auth/passkey', { credential, device: 'Linux', location: null }),
  };
}

/** A new passkey of a user, and its authenticator. */
async function addTo(user: SignedInUser, name = 'Laptop') {
  const authenticator = createAuthenticator(engram.origin);
  const { data: options } = await user.client.call(startPasskey, {});
  const credential = authenticator.create(options);
  const { data: passkey } = await user.client.call(addPasskey, { body: { name, credential } });
  return { authenticator, passkey };
}

const kindsOf = async ({ client }: Pick<SignedInUser, 'client'>) =>
  (await client.call(listSecurityEvents, {})).data.map(({ kind, app }) => `${kind} ${app ?? ''}`);

describe('a passkey', () => {
  test('signs in without a code, and opens a session like any other', async () => {
    const ann = await newUser();
    const { authenticator, passkey } = await addTo(ann, '  Chrome on Linux ');
    expect(passkey).toMatchObject({ name: 'Chrome on Linux', lastUsedAt: null });
    const browser = newBrowser();

    const { status, answer, headers } = await browser.signIn(
      authenticator.get(await browser.start()),
    );

    expect([status, answer['message']]).toEqual([200, 'Login successful.']);
    expect(answer['data']).toMatchObject({ agreed: true, roles: ['USER'] });
    expect(headers.getSetCookie().join()).toMatch(/engram_session=.*HttpOnly; SameSite=Strict/u);
    const { call } = plainCalls(engram);
    const { token } = answer['data'] as Session;
    const listed = await call('GET /sessions', { token });
    expect(listed.answer['data']).toContainEqual(
      expect.objectContaining({ current: true, device: 'Linux' }),
    );
    const { data: sessions } = await ann.client.call(listSessions, {});
    expect(sessions).toHaveLength(2);
    const { data: passkeys } = await ann.client.call(listPasskeys, {});
    expect(passkeys).toEqual([
      expect.objectContaining({ id: passkey.id, lastUsedAt: expect.any(String) as string }),
    ]);
    expect(await kindsOf(ann)).toEqual(['sign_in ', 'passkey_added Chrome on Linux', 'sign_in ']);
  });

  test('signs in repeatedly, even if its authenticator has no counter', async () => {
    const { authenticator } = await addTo(await newUser());
    for (const authenticatorData of [
      { counter: 0 },
      { counter: 0 },
      { counter: 5 },
      { counter: 6 },
    ]) {
      const browser = newBrowser();
      const answer = await browser.signIn(
        authenticator.get(await browser.start(), authenticatorData),
      );
      expect(answer.status).toBe(200);
    }
  });

  test('requires the terms to be accepted, as a code does', async () => {
    const ann = await newUser();
    const { authenticator } = await addTo(ann);
    const { pool } = engram.deps.database;
    await pool.query('UPDATE users SET agreed_terms_at = NULL WHERE id = $1', [ann.userId]);
    const browser = newBrowser();
    const { answer } = await browser.signIn(authenticator.get(await browser.start()));
    expect(answer['data']).toMatchObject({ agreed: false });
  });

  test('is renamed, and no longer signs in once it is removed', async () => {
    const ann = await newUser();
    const { authenticator, passkey } = await addTo(ann);
    const params = { id: passkey.id };
    const renamed = await ann.client.call(renamePasskey, { params, body: { name: 'Old laptop' } });
    expect(renamed.data).toMatchObject({ id: passkey.id, name: 'Old laptop' });
    await ann.client.call(removePasskey, { params });
    expect((await ann.client.call(listPasskeys, {})).data).toEqual([]);
    await expect(ann.client.call(removePasskey, { params })).rejects.toMatchObject({
      status: 404,
      code: 'passkey_not_found',
    });
    const browser = newBrowser();
    const answer = await browser.signIn(authenticator.get(await browser.start()));
    expect(answer).toMatchObject(REFUSED_SIGN_IN);
    expect((await kindsOf(ann))[0]).toBe('passkey_removed Old laptop');
  });

  test('is deleted with its account', async () => {
    const ann = await newUser();
    const { authenticator } = await addTo(ann);
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    const browser = newBrowser();
    const answer = await browser.signIn(authenticator.get(await browser.start()));
    expect(answer).toMatchObject(REFUSED_SIGN_IN);
  });

  test('does not sign in to an account whose deletion has begun', async () => {
    const ann = await newUser();
    const { authenticator } = await addTo(ann);
    const { pool } = engram.deps.database;
    await pool.query('UPDATE users SET email = id::text WHERE id = $1', [ann.userId]);
    const browser = newBrowser();
    const answer = await browser.signIn(authenticator.get(await browser.start()));
    expect(answer).toMatchObject(REFUSED_SIGN_IN);
  });
});

describe('the answer of a passkey to a sign-in', () => {
  test.each<[string, Deviations]>([
    ['comes from a page of another origin', { origin: 'https://evil.example' }],
    ['belongs to another domain', { rpId: 'evil.example' }],
    ['names another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['was given without verifying the user', { isUserVerified: false }],
  ])('is refused if it %s', async (_, deviations) => {
    engram.advance(15 * MINUTE);
    const { authenticator } = await addTo(await newUser());
    const browser = newBrowser();
    const wrong = authenticator.get(await browser.start(), deviations);
    expect(await browser.signIn(wrong)).toMatchObject(REFUSED_SIGN_IN);
    expect((await browser.signIn(authenticator.get(await browser.start()))).status).toBe(200);
  });

  test('is refused if its signature is from another passkey', async () => {
    const { authenticator } = await addTo(await newUser());
    const { authenticator: other } = await addTo(await newUser());
    const browser = newBrowser();
    const [own, foreign] = [
      authenticator.get(await browser.start()),
      other.get(await browser.start()),
    ];
    own.response.signature = foreign.response.signature;
    expect(await browser.signIn(own)).toMatchObject(REFUSED_SIGN_IN);
  });

  test('is refused if its counter decreases, which is reported to the user', async () => {
    const ann = await newUser();
    const { authenticator } = await addTo(ann);
    const browser = newBrowser();
    const answers = [];
    for (const counter of [7, 7, 6, 8]) {
      answers.push(await browser.signIn(authenticator.get(await browser.start(), { counter })));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 200]);
    expect(answers[1]).toMatchObject(REFUSED_SIGN_IN);
    expect((await kindsOf(ann)).slice(0, 4)).toEqual([
      'sign_in ',
      'sign_in_failed ',
      'sign_in_failed ',
      'sign_in ',
    ]);
  });

  test('is accepted once', async () => {
    const { authenticator } = await addTo(await newUser());
    const browser = newBrowser();
    // Without a counter, only the challenge shows that the answer was used.
    const answer = authenticator.get(await browser.start(), { counter: 0 });
    const both = await Promise.all([browser.signIn(answer), browser.signIn(answer)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await browser.signIn(answer)).toMatchObject(REFUSED_SIGN_IN);
  });

  test('is accepted for five minutes', async () => {
    const { authenticator } = await addTo(await newUser());
    const browser = newBrowser();
    const [first, second] = [await browser.start(), await browser.start()];
    // A minute before the end, because the clock also runs on.
    engram.advance(4 * MINUTE);
    expect((await browser.signIn(authenticator.get(first))).status).toBe(200);
    engram.advance(MINUTE);
    expect(await browser.signIn(authenticator.get(second))).toMatchObject(REFUSED_SIGN_IN);
  });

  test('is accepted only from the browser that requested it, and only for a challenge of this server', async () => {
    const ann = await newUser();
    const { authenticator } = await addTo(ann);
    const [browser, other] = [newBrowser(), newBrowser()];
    await other.start();
    const options = await browser.start();
    for (const wrongBrowser of [other, newBrowser()]) {
      const answer = await wrongBrowser.signIn(authenticator.get(options));
      expect(answer).toMatchObject(REFUSED_SIGN_IN);
    }
    const { data: toAdd } = await ann.client.call(startPasskey, {});
    const { challenge } = toAdd;
    for (const wrong of [challenge, 'bWFkZSB1cA', '']) {
      const answer = authenticator.get({ ...options, challenge: wrong });
      expect(await browser.signIn(answer)).toMatchObject(REFUSED_SIGN_IN);
    }
    expect((await browser.signIn(authenticator.get(options))).status).toBe(200);
  });

  test('is not accepted from a page of another site', async () => {
    const browser = newBrowser();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const credential = createAuthenticator(engram.origin).get({ challenge: 'x', rpId: 'x' });
    for (const [path, body] of [
      ['/auth/passkey/options', {}],
      ['/auth/passkey', { credential }],
    ] as const) {
      const answer = await browser.post(path, body, headers);
      expect(answer).toMatchObject({ status: 403, answer: { code: 'cross_origin' } });
    }
  });
});

describe('adding a passkey', () => {
  const add = (user: SignedInUser, credential: ReturnType<typeof createAuthenticator>['create']) =>
    user.client
      .call(startPasskey, {})
      .then(({ data }) =>
        user.client.call(addPasskey, { body: { name: 'Laptop', credential: credential(data) } }),
      );

  test.each<[string, Deviations]>([
    ['comes from a page of another origin', { origin: 'https://evil.example' }],
    ['belongs to another domain', { rpId: 'evil.example' }],
    ['was made without verifying the user', { isUserVerified: false }],
    [
      'contains a certificate, which could name an address to fetch',
      { certificate: Buffer.alloc(9) },
    ],
  ])('is refused if it %s', async (_, deviations) => {
    engram.advance(15 * MINUTE);
    const ann = await newUser();
    const { create } = createAuthenticator(engram.origin);
    await expect(add(ann, (options) => create(options, deviations))).rejects.toMatchObject(REFUSED);
    expect((await ann.client.call(listPasskeys, {})).data).toEqual([]);
  });

  test('is refused if the challenge is of another user or session, expired or already used', async () => {
    engram.advance(15 * MINUTE);
    const [ann, bob] = [await newUser(), await newUser()];
    const renewed = await engram.signIn(ann.email);
    const { data: options } = await ann.client.call(startPasskey, {});
    const credential = createAuthenticator(engram.origin).create(options);
    const body = { name: 'Laptop', credential };
    for (const other of [bob, renewed]) {
      await expect(other.client.call(addPasskey, { body })).rejects.toMatchObject(REFUSED);
    }
    const { data: late } = await ann.client.call(startPasskey, {});
    await ann.client.call(addPasskey, { body });
    await expect(ann.client.call(addPasskey, { body })).rejects.toMatchObject(REFUSED);
    // The challenge stays used once the passkey is removed.
    const { data: passkeys } = await ann.client.call(listPasskeys, {});
    await ann.client.call(removePasskey, { params: { id: passkeys[0]?.id ?? '' } });
    await expect(ann.client.call(addPasskey, { body })).rejects.toMatchObject(REFUSED);
    engram.advance(5 * MINUTE);
    const slow = { ...body, credential: createAuthenticator(engram.origin).create(late) };
    await expect(ann.client.call(addPasskey, { body: slow })).rejects.toMatchObject(REFUSED);
    expect((await ann.client.call(listPasskeys, {})).data).toEqual([]);
  });

  test('excludes existing passkeys, and is refused once there are twenty', async () => {
    const ann = await newUser();
    const { authenticator } = await addTo(ann);
    const { data: options } = await ann.client.call(startPasskey, {});
    const { id } = authenticator.get({ challenge: '', rpId: '' });
    expect(options).toMatchObject({
      rp: { id: '127.0.0.1', name: 'Engram' },
      user: { name: ann.email },
      attestation: 'none',
      excludeCredentials: [{ id, type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await engram.deps.database.pool.query(
      `INSERT INTO passkeys SELECT gen_random_uuid(), $1, 'Laptop', n::text, '\\x00', 0, now()
       FROM generate_series(2, ${PASSKEY_LIMIT}) AS n`,
      [ann.userId],
    );
    const full = { status: 409, code: 'too_many_passkeys' };
    await expect(ann.client.call(startPasskey, {})).rejects.toMatchObject(full);
    const body = {
      name: 'Laptop',
      credential: createAuthenticator(engram.origin).create(options),
    };
    await expect(ann.client.call(addPasskey, { body })).rejects.toMatchObject(full);
  });
});

test('the options of a sign-in are the same for everyone, and write nothing', async () => {
  const browser = newBrowser();
  const { challenge, ...options } = (await browser.start()) as { challenge: string };
  expect(options).toEqual({ rpId: '127.0.0.1', timeout: 300_000, userVerification: 'required' });
  expect(Buffer.from(challenge, 'base64url').length).toBeGreaterThan(64);
});

test('used challenges are deleted when they have expired', async () => {
  const count = async () => {
    await engram.deps.services.passkeys.cleanUp();
    const { rows } = await engram.deps.database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM used_challenges',
    );
    return rows[0]?.n;
  };
  engram.advance(5 * MINUTE);
  expect(await count()).toBe(0);
  await addTo(await newUser());
  expect(await count()).toBe(1);
  engram.advance(5 * MINUTE);
  expect(await count()).toBe(0);
});

test('failed sign-ins are limited per network', async () => {
  engram.advance(15 * MINUTE);
  const { authenticator } = await addTo(await newUser());
  const browser = newBrowser();
  const unknown = createAuthenticator(engram.origin);
  const options = await browser.start();
  for (let n = 0; n < 20; n += 1) {
    expect((await browser.signIn(unknown.get(options))).status).toBe(401);
  }
  const answer = await browser.signIn(authenticator.get(options));
  expect(answer).toMatchObject({
    status: 429,
    answer: { message: 'Too many sign-ins failed. Please try again in 15 minutes.' },
  });
  engram.advance(15 * MINUTE);
  expect((await browser.signIn(authenticator.get(await browser.start()))).status).toBe(200);
});

describe('with a public address of the server', () => {
  const origin = 'https://engram.example.org';
  const publicEngram = useTestApp({ env: { ENGRAM_PUBLIC_URL: origin } });

  test('passkeys belong to its domain', async () => {
    const ann = await publicEngram.signIn('ann@example.org');
    const { data: options } = await ann.client.call(startPasskey, {});
    expect(options).toMatchObject({ rp: { id: 'engram.example.org' } });
    const authenticator = createAuthenticator(origin);
    const body = { name: 'Laptop', credential: authenticator.create(options) };
    await ann.client.call(addPasskey, { body });
    const browser = newBrowser(publicEngram);
    const local = { origin: publicEngram.origin, rpId: '127.0.0.1' };
    const wrong = authenticator.get(await browser.start(), local);
    expect(await browser.signIn(wrong)).toMatchObject(REFUSED_SIGN_IN);
    expect((await browser.signIn(authenticator.get(await browser.start()))).status).toBe(200);
  });
});
