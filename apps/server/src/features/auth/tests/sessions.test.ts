import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { type CallOptions, describeAccounts } from './accounts.test-setup.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ADA = 'ada@example.org';

describeAccounts('sessions', (accounts) => {
  const generate = (email: string, options: CallOptions = {}) =>
    accounts.server.call('POST', '/auth/otp/generate', { ...options, body: { email } });
  const validate = (email: string, code: string, options: CallOptions = {}) =>
    accounts.server.call('POST', '/auth/otp/validate', { ...options, body: { email, code } });
  const refresh = (cookie: string | undefined, options: CallOptions = {}) =>
    accounts.server.call('POST', '/auth/refresh', { ...options, ...(cookie ? { cookie } : {}) });
  const profileStatus = async (token: string) =>
    (await accounts.server.call('GET', '/user/profile', { token })).status;

  describe('tokens', () => {
    test('are required and verified', async () => {
      const { token } = await accounts.server.signIn(ADA);
      const claims = decodeJwt(token);
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode('a secret that is long enough for tests'));
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
      // Another encoding of the same bytes.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const twin = token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1];
      const bearers = ['', 'x', forged, unsigned, `${token}x`, `${token}=`, twin];
      for (const bearer of bearers) {
        const answer = await accounts.server.call('GET', '/user/profile', { token: bearer });
        expect(answer).toMatchObject({
          status: 401,
          code: 'not_signed_in',
          message: 'Please sign in.',
        });
      }
    });

    test('contain the user, the groups and the expiry', async () => {
      await accounts.restart({ ENGRAM_ADMIN_EMAILS: 'root@example.org' });
      for (const [email, groups] of [
        [ADA, ['User']],
        ['root@example.org', ['User', 'Admin']],
      ] as const) {
        const { token } = await accounts.server.signIn(email);
        const { data } = await accounts.server.call('GET', '/user/profile', { token });
        const { exp = 0, iat = 0, ...claims } = decodeJwt(token);
        expect(claims).toMatchObject({ sub: (data as { id: string }).id, email, groups });
        expect((exp - iat) * 1000).toBe(7 * DAY);
      }
    });

    test('are valid for seven days', async () => {
      const { token } = await accounts.server.signIn(ADA);
      accounts.server.advance(7 * DAY - 1000);
      expect(await profileStatus(token)).toBe(200);
      accounts.server.advance(1000);
      expect(await profileStatus(token)).toBe(401);
    });

    test('and their cookie are invalid after signing out, without ending other sessions', async () => {
      const phone = await accounts.server.signIn(ADA);
      const laptop = await accounts.server.signIn(ADA);
      const out = await accounts.server.call('POST', '/auth/logout', { token: phone.token });
      expect(out).toMatchObject({ status: 200, data: null, cookie: '' });
      expect(await profileStatus(phone.token)).toBe(401);
      expect((await refresh(phone.cookie)).code).toBe('session_ended');
      expect(await profileStatus(laptop.token)).toBe(200);
      expect(
        (await accounts.server.call('POST', '/auth/logout', { token: phone.token })).status,
      ).toBe(401);
    });

    test('are invalid after their session has ended', async () => {
      const { token } = await accounts.server.signIn(ADA);
      await accounts.database.pool.query(`UPDATE sessions SET expires_at = '2026-03-04T10:00:00Z'`);
      expect(await profileStatus(token)).toBe(401);
    });

    test('are invalid after their account was deleted', async () => {
      const { token } = await accounts.server.signIn(ADA);
      await accounts.database.pool.query('DELETE FROM users');
      expect(await profileStatus(token)).toBe(401);
    });
  });

  describe('the session cookie', () => {
    const cookieOf = async () => (await accounts.server.signIn(ADA)).answer.cookies[0];

    test('is not accessible to scripts and other sites', async () => {
      expect(await cookieOf()).toMatchObject({
        name: 'engram_session',
        path: '/v1/auth',
        httpOnly: true,
        sameSite: 'Strict',
      });
      expect(await cookieOf()).not.toHaveProperty('secure');
      await accounts.restart({ ENGRAM_PUBLIC_URL: 'https://engram.example.org' });
      expect(await cookieOf()).toMatchObject({ secure: true });

      await accounts.restart({ ENGRAM_TRUST_PROXY: 'true' });
      const { cookie } = await accounts.server.signIn(ADA);
      for (const [scheme, secure] of [
        ['http', undefined],
        ['https', true],
      ] as const) {
        const headers = { 'x-forwarded-proto': scheme };
        const { cookies } = await accounts.server.call('POST', '/auth/refresh', {
          cookie,
          headers,
        });
        expect(cookies[0]?.secure).toBe(secure);
      }
    });

    test('is stored only as a hash', async () => {
      const { cookie } = await accounts.server.signIn(ADA);
      const secret = cookie.split('.')[1] ?? '';
      expect(secret.length).toBeGreaterThanOrEqual(43);
      expect(JSON.stringify(await accounts.rows('sessions'))).not.toContain(secret);
    });

    test('restores the session in a new tab and is replaced', async () => {
      const { token, cookie } = await accounts.server.signIn(ADA);
      const restored = await refresh(cookie);
      expect(restored).toMatchObject({
        status: 200,
        data: { exist: false, question: true, agreed: false, roles: ['USER'] },
      });
      expect(restored.cookie).not.toBe(cookie);
      const second = (restored.data as { token: string }).token;
      expect(decodeJwt(second)['sid']).toBe(decodeJwt(token)['sid']);
      expect(await profileStatus(second)).toBe(200);
      expect(await profileStatus(token)).toBe(200);
    });

    test('is valid for seven days after each use', async () => {
      let { cookie } = await accounts.server.signIn(ADA);
      for (let week = 0; week < 3; week += 1) {
        accounts.server.advance(7 * DAY - 1);
        const restored = await refresh(cookie);
        expect(restored.status).toBe(200);
        cookie = restored.cookie ?? '';
      }
      accounts.server.advance(7 * DAY);
      expect((await refresh(cookie)).code).toBe('session_ended');
    });

    test('can be used by several tabs concurrently', async () => {
      const { cookie } = await accounts.server.signIn(ADA);
      accounts.server.advance(DAY);
      const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(cookie)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map((answer) => answer.cookie)).size).toBe(1);
      // A slow tab uses the old cookie after another has used the new one.
      accounts.server.advance(5000);
      expect((await refresh(answers[0]?.cookie)).status).toBe(200);
      accounts.server.advance(5000);
      expect((await refresh(cookie)).status).toBe(200);
      accounts.server.advance(MINUTE);
      expect((await refresh(answers[0]?.cookie)).status).toBe(200);
    });

    test('ends the session if a replaced cookie is used later, because it was copied', async () => {
      const { token, cookie } = await accounts.server.signIn(ADA);
      const thief = await refresh(cookie);
      accounts.server.advance(10_001);
      const owner = await refresh(cookie);
      expect(owner).toMatchObject({ status: 401, code: 'session_ended', cookie: '' });
      expect((await refresh(thief.cookie)).status).toBe(401);
      expect(await profileStatus(token)).toBe(401);
    });

    test('must be present and complete', async () => {
      expect(await refresh(undefined)).toMatchObject({
        status: 401,
        code: 'no_session',
        message: 'There is no session to restore. Please sign in.',
      });
      const { cookie } = await accounts.server.signIn(ADA);
      expect((await refresh('engram_session=nonsense')).code).toBe('session_ended');
      expect((await refresh(`${cookie.split('.')[0]}.guess`)).code).toBe('session_ended');
    });

    test('may be missing if a page only checks for a session', async () => {
      const onlyIfAny = { body: { ifAny: true } };
      const noSession = { status: 200, data: null, cookie: '' };
      expect(await refresh(undefined, onlyIfAny)).toMatchObject(noSession);
      expect(await refresh('engram_session=nonsense', onlyIfAny)).toMatchObject(noSession);
      const { cookie } = await accounts.server.signIn(ADA);
      expect(await refresh(cookie, onlyIfAny)).toMatchObject({
        status: 200,
        data: { exist: false },
      });
      expect(
        await refresh(cookie, { ...onlyIfAny, headers: { 'sec-fetch-site': 'cross-site' } }),
      ).toMatchObject({ status: 403 });
    });

    test('is only used by pages of this server', async () => {
      await accounts.restart({ ENGRAM_PUBLIC_URL: 'https://engram.example.org' });
      const { cookie } = await accounts.server.signIn(ADA);
      const allowed: Record<string, string>[] = [
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        { host: 'localhost:3000', origin: 'http://localhost:3000' },
        { host: '127.0.0.1:3000', origin: 'https://engram.example.org' },
      ];
      const foreign: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { host: 'localhost:3000', origin: 'http://localhost:4000' },
        { host: 'localhost:3000', origin: 'null' },
        { host: 'localhost:3000', origin: 'https://evil.example' },
      ];
      for (const headers of foreign) {
        expect(await refresh(cookie, { headers })).toMatchObject({
          status: 403,
          code: 'cross_origin',
          cookie: undefined,
        });
        expect((await validate(ADA, '000000', { headers })).code).toBe('cross_origin');
      }
      let current = cookie;
      for (const headers of allowed) {
        const answer = await refresh(current, { headers });
        expect(answer.status).toBe(200);
        current = answer.cookie ?? '';
      }
    });
  });

  describe('the list of sessions', () => {
    const DEVICE = { device: 'MacOS', location: 'Zürich, Switzerland' };
    const list = async (token: string) =>
      (await accounts.server.call('GET', '/sessions', { token })).data as Record<string, unknown>[];
    const end = (path: string, token: string) =>
      accounts.server.call('DELETE', `/sessions${path}`, { token });

    test('shows where each was opened and last used, and which is the current one', async () => {
      const mac = await accounts.server.signIn(ADA, { ip: '192.0.2.7', details: DEVICE });
      accounts.server.advance(MINUTE);
      const plain = await accounts.server.signIn(ADA, { ip: '192.0.2.8' });
      accounts.server.advance(DAY);
      const at = accounts.server.now();
      await refresh(mac.cookie, { ip: '192.0.2.9' });
      const since = (ms: number) => new Date(at.getTime() + ms).toISOString();
      expect(await list(mac.token)).toEqual([
        {
          id: decodeJwt(mac.token)['sid'],
          ...DEVICE,
          ip: '192.0.2.9',
          createdAt: since(-DAY - MINUTE),
          lastUsedAt: since(0),
          expiresAt: since(7 * DAY),
          current: true,
        },
        {
          id: decodeJwt(plain.token)['sid'],
          device: null,
          location: null,
          ip: '192.0.2.8',
          createdAt: since(-DAY),
          lastUsedAt: since(-DAY),
          expiresAt: since(6 * DAY),
          current: false,
        },
      ]);
    });

    test('can end one session, whose token and cookie are invalid immediately', async () => {
      const stolen = await accounts.server.signIn(ADA);
      const { token } = await accounts.server.signIn(ADA);
      const path = `/${String(decodeJwt(stolen.token)['sid'])}`;
      expect(await end(path, token)).toMatchObject({ status: 200, data: null, cookie: undefined });
      expect(await profileStatus(stolen.token)).toBe(401);
      expect((await refresh(stolen.cookie)).code).toBe('session_ended');
      expect(await list(token)).toHaveLength(1);
      expect(await end(path, token)).toMatchObject({ status: 404, code: 'session_not_found' });
      const current = await end(`/${String(decodeJwt(token)['sid'])}`, token);
      expect(current).toMatchObject({ status: 200, cookie: '' });
      expect(await profileStatus(token)).toBe(401);
    });

    test('does not show or end sessions of other users', async () => {
      const ada = await accounts.server.signIn(ADA);
      const eve = await accounts.server.signIn('eve@example.org');
      expect(await list(eve.token)).toHaveLength(1);
      const foreign = await end(`/${String(decodeJwt(ada.token)['sid'])}`, eve.token);
      expect(foreign).toMatchObject({ status: 404, message: 'There is no such session.' });
      await end('?current=true', eve.token);
      expect(await profileStatus(ada.token)).toBe(200);
    });

    test('can end all other sessions, and the current one on request', async () => {
      const others = [await accounts.server.signIn(ADA), await accounts.server.signIn(ADA)];
      const { token, cookie } = await accounts.server.signIn(ADA);
      expect(await end('', token)).toMatchObject({ data: { ended: 2 }, cookie: undefined });
      for (const other of others) expect(await profileStatus(other.token)).toBe(401);
      expect(await profileStatus(token)).toBe(200);
      const response = await end('?current=true', token);
      expect(response).toMatchObject({ data: { ended: 1 }, cookie: '' });
      expect(await profileStatus(token)).toBe(401);
      expect((await refresh(cookie)).code).toBe('session_ended');
    });
  });

  test('a session ends 90 days after the sign-in, however often it is renewed', async () => {
    let { token, cookie } = await accounts.server.signIn(ADA);
    for (let day = 6; day < 90; day += 6) {
      accounts.server.advance(6 * DAY);
      const restored = await refresh(cookie);
      expect(restored.status).toBe(200);
      cookie = restored.cookie ?? '';
      ({ token } = restored.data as { token: string });
    }
    accounts.server.advance(6 * DAY - 1000);
    expect(await profileStatus(token)).toBe(200);
    accounts.server.advance(1000);
    expect(await profileStatus(token)).toBe(401);
    expect((await refresh(cookie)).code).toBe('session_ended');
    expect(Number(decodeJwt(token).exp) * 1000).toBe(accounts.server.now().getTime());
  });

  describe('with https', () => {
    const https = { ENGRAM_PUBLIC_URL: 'https://engram.example.org' };

    test('cookies have the prefix that only https can set', async () => {
      await accounts.restart(https);
      const response = await generate(ADA);
      expect(response.cookies).toMatchObject([
        { name: '__Secure-engram_browser', httpOnly: true, sameSite: 'Strict', secure: true },
      ]);
      const { answer, token } = await accounts.server.signIn(ADA);
      expect(answer.cookies).toMatchObject([
        { name: '__Secure-engram_session', path: '/v1/auth', secure: true },
      ]);
      const out = await accounts.server.call('POST', '/auth/logout', { token });
      expect(out.cookies).toMatchObject([{ name: '__Secure-engram_session', value: '' }]);
    });

    test('an earlier cookie restores its session once and is replaced', async () => {
      const { cookie } = await accounts.server.signIn(ADA);
      await accounts.restart(https);
      const restored = await refresh(cookie);
      expect(restored.cookies.map(({ name, value }) => [name, value !== ''])).toEqual([
        ['__Secure-engram_session', true],
        ['engram_session', false],
      ]);
      const secured = restored.cookies[0]?.value ?? '';
      accounts.server.advance(MINUTE);
      const planted = await refresh(`engram_session=${secured}`);
      expect(planted).toMatchObject({ status: 401, code: 'session_ended' });
      expect((await refresh(`__Secure-engram_session=${secured}`)).status).toBe(200);
    });
  });

  test('the cleanup deletes only expired rows', async () => {
    const { token } = await accounts.server.signIn(ADA);
    await generate('old@example.org');
    accounts.server.advance(6 * DAY);
    await accounts.server.signIn('grace@example.org');
    await generate('new@example.org');
    await accounts.server.services.auth.cleanUp();
    const emails = (await accounts.rows('sign_in_codes')).map((row) => row['email']);
    expect(new Set(emails)).toEqual(new Set(['new@example.org']));
    expect(await accounts.rows('attempts')).toHaveLength(6);
    expect(await accounts.rows('sessions')).toHaveLength(2);
    expect(await profileStatus(token)).toBe(200);
    accounts.server.advance(DAY);
    await accounts.server.services.auth.cleanUp();
    expect(await accounts.rows('sessions')).toHaveLength(1);
    expect(await accounts.rows('attempts')).toEqual([]);
  });
});
