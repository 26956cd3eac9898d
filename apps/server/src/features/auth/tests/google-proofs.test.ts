import { generateKeyPair, type JWTPayload } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { account, ADA, describeGoogle } from './google-suite.test-setup.ts';

const HOUR = 3_600_000;

describeGoogle('proofs from Google', (google, accounts) => {
  const { start, post, get, profileOf, expectNoAccounts } = google;
  describe('with a code', () => {
    test('uses the page that the server names, and creates the account', async () => {
      const request = google.provider.newRequest('http://localhost/');
      const { redirectUri, state, nonce, codeChallenge, codeVerifier } = request;
      const query = new URLSearchParams({ redirectUri, state, nonce, codeChallenge });
      const response = await get(`/auth/social?${query}`);
      expect(response).toMatchObject({ status: 200, data: { url: expect.any(String) } });

      const redirect = await google.provider.follow((response.data as { url: string }).url);
      expect(redirect.origin + redirect.pathname).toBe(redirectUri);
      expect(redirect.searchParams.get('state')).toBe(state);
      const code = redirect.searchParams.get('code');
      const details = { device: 'Linux', location: 'London, England, United Kingdom' };
      const answer = await post(
        { code, codeVerifier, redirectUri, nonce, ...details },
        { ip: '198.51.100.7' },
      );
      expect(answer).toMatchObject({
        status: 200,
        message: 'Login successful.',
        data: { exist: false, question: true, agreed: false, roles: ['USER'] },
        cookie: expect.stringMatching(/^engram_session=./u),
      });
      expect(await profileOf(answer)).toMatchObject({
        email: ADA,
        name: 'Ada Lovelace',
        ip: '198.51.100.7',
        ...details,
      });
      expect((await get('/keywords', (answer.data as { token: string }).token)).data).toHaveLength(
        6,
      );
      const { cookie = '' } = answer;
      expect((await accounts.server.call('POST', '/auth/refresh', { cookie })).status).toBe(200);
    });

    test('signs in to the existing account', async () => {
      await accounts.server.signIn('Ada@Example.org');
      expect((await post(await google.provider.authorize())).status).toBe(200);
      expect(await accounts.rows('users')).toHaveLength(1);
    });

    test.each([
      ['returns the e-mail only from userinfo', { emailInIdToken: false }],
      ['expects the client secret in the form', { authMethod: 'client_secret_post' as const }],
    ])('works with a provider that %s', async (_, options) => {
      google.provider.configure(options);
      await start();
      const answer = await post(await google.provider.authorize());
      expect(await profileOf(answer)).toMatchObject({ email: ADA, name: 'Ada Lovelace' });
    });

    test('works once', async () => {
      const proof = await google.provider.authorize();
      expect((await post(proof)).status).toBe(200);
      expect(await post(proof)).toMatchObject({ status: 401, code: 'google_refused' });
      expect(await accounts.rows('sessions')).toHaveLength(1);
    });

    test.each([
      ['another nonce', { nonce: 'another nonce' }],
      ['no nonce', { nonce: undefined }],
      ['another verifier', { codeVerifier: 'x'.repeat(43) }],
      ['another address', { redirectUri: 'http://localhost/elsewhere' }],
      ['another code', { code: 'made-up' }],
    ])('does not work with %s', async (_, wrong) => {
      expect(await post({ ...(await google.provider.authorize()), ...wrong })).toMatchObject({
        status: 401,
        code: 'google_refused',
        message: 'Google did not confirm this sign-in.',
        cookie: undefined,
      });
      await expectNoAccounts();
    });

    test('only redirects to this server', async () => {
      const foreign = { redirectUri: 'https://evil.example/' };
      const { state, nonce, codeChallenge } = google.provider.newRequest('');
      const query = new URLSearchParams({ ...foreign, state, nonce, codeChallenge });
      const refused = { status: 400, code: 'foreign_redirect' };
      expect(await get(`/auth/social?${query}`)).toMatchObject(refused);
      expect(await post({ ...(await google.provider.authorize()), ...foreign })).toMatchObject(
        refused,
      );

      await start({ ENGRAM_PUBLIC_URL: 'https://engram.example.org' });
      query.set('redirectUri', 'https://engram.example.org/');
      expect((await get(`/auth/social?${query}`)).status).toBe(200);
    });
  });

  describe('with an ID token', () => {
    /** A nonce of the server, and the cookie of its browser. */
    const newNonce = async () => {
      const { redirectUri, state, codeChallenge } = google.provider.newRequest('http://localhost/');
      const query = new URLSearchParams({ redirectUri, state, codeChallenge });
      const { data, cookies } = await get(`/auth/social?${query}`);
      const { url, nonce } = data as { url: string; nonce: string };
      expect(new URL(url).searchParams.get('nonce')).toBe(nonce);
      return { nonce, cookie: `engram_browser=${cookies[0]?.value}` };
    };
    let issued: Awaited<ReturnType<typeof newNonce>>;
    beforeEach(async () => {
      issued = await newNonce();
    });
    const signInWith = (idToken: string, more: object = {}) =>
      post({ idToken, nonce: issued.nonce, ...more }, { cookie: issued.cookie });
    const claimsNow = (): JWTPayload => {
      const now = Math.floor(accounts.server.now().getTime() / 1000);
      const { issuer: iss, env } = google.provider;
      return {
        ...account,
        iss,
        aud: env.GOOGLE_CLIENT_ID,
        iat: now,
        exp: now + 3600,
        nonce: issued.nonce,
      };
    };
    /** The error code. The sign-in must have had no effect. */
    const refusalOf = async (idToken: string) => {
      const { status, code } = await signInWith(idToken);
      await expectNoAccounts();
      return `${status} ${code}`;
    };

    test('from the provider signs in', async () => {
      const { idToken } = await google.provider.tokens(undefined, issued.nonce);
      expect(await profileOf(await signInWith(idToken))).toMatchObject({ email: ADA });
    });

    test('is only valid in the browser that got its nonce', async () => {
      const idToken = await google.provider.sign(claimsNow());
      const other = await newNonce();
      const { nonce, cookie } = issued;
      const request = { nonce: 'of-the-client-itself', cookie };
      const forged = await google.provider.sign({ ...claimsNow(), nonce: request.nonce });
      const without = await google.provider.sign({ ...claimsNow(), nonce: undefined });
      for (const [body, options] of [
        [{ idToken }, { cookie }],
        [{ idToken, nonce }, {}],
        [{ idToken, nonce }, { cookie: other.cookie }],
        [{ idToken, nonce: other.nonce }, { cookie: other.cookie }],
        [{ idToken: forged, nonce: request.nonce }, { cookie }],
        [{ idToken: forged, nonce }, { cookie }],
        [{ idToken: without }, { cookie }],
        [{ idToken: without, nonce }, { cookie }],
      ] as const) {
        expect(await post(body, options)).toMatchObject({ status: 401, code: 'google_refused' });
      }
      await expectNoAccounts();
      expect((await signInWith(idToken)).status).toBe(200);
    });

    test('ignores other fields of the request', async () => {
      const idToken = await google.provider.sign(claimsNow());
      const lies = { email: 'eve@example.org', name: 'Eve', picture: 'http://x/y', ip: '6.6.6.6' };
      expect(await profileOf(await signInWith(idToken, lies))).toMatchObject({
        email: ADA,
        name: 'Ada Lovelace',
        profileImage: null,
        ip: '192.0.2.1',
      });
      expect(await accounts.rows('users')).toHaveLength(1);
    });

    test.each<[string, JWTPayload]>([
      ['for another client', { aud: 'other-site' }],
      ['for several clients, without naming ours', { aud: ['engram-web', 'other-site'] }],
      ['that another client asked for', { azp: 'other-site' }],
      ['of another provider', { iss: 'https://accounts.google.com' }],
      ['that never expires', { exp: undefined }],
      ['without a subject', { sub: '' }],
    ])('%s is rejected', async (_, wrong) => {
      expect(await refusalOf(await google.provider.sign({ ...claimsNow(), ...wrong }))).toBe(
        '401 google_refused',
      );
    });

    test('is valid until it expires', async () => {
      const idToken = await google.provider.sign(claimsNow());
      accounts.server.advance(HOUR - 1000);
      expect((await signInWith(idToken)).status).toBe(200);
      await accounts.database.pool.query('DELETE FROM users');
      accounts.server.advance(2 * 60_000);
      expect(await refusalOf(idToken)).toBe('401 google_refused');
    });

    test('that was changed or forged is rejected', async () => {
      const good = await google.provider.sign(claimsNow());
      const [head, , signature] = good.split('.');
      const eve = Buffer.from(JSON.stringify({ ...claimsNow(), email: 'eve@example.org' }));
      expect(await refusalOf(`${head}.${eve.toString('base64url')}.${signature}`)).toBe(
        '401 google_refused',
      );
      const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
      expect(await refusalOf(`${unsigned}.${eve.toString('base64url')}.`)).toBe(
        '401 google_refused',
      );
      const { privateKey } = await generateKeyPair('RS256');
      expect(await refusalOf(await google.provider.sign(claimsNow(), {}, privateKey))).toBe(
        '401 google_refused',
      );
      expect(
        await refusalOf(await google.provider.sign(claimsNow(), { kid: 'key-2' }, privateKey)),
      ).toBe('401 google_refused');
      // The public key must not be used as a shared secret, even if the token's header says so.
      const secret = new TextEncoder().encode(google.provider.env.GOOGLE_CLIENT_SECRET.repeat(2));
      expect(
        await refusalOf(await google.provider.sign(claimsNow(), { alg: 'HS256' }, secret)),
      ).toBe('401 google_refused');
      for (const garbage of ['x', 'a.b.c', `${good}.x`])
        expect(await refusalOf(garbage)).toBe('401 google_refused');
    });

    test.each([
      [{ email_verified: false }],
      [{ email_verified: undefined }],
      [{ email_verified: 'no' }],
      [{ email: undefined }],
      [{ email: 'ada@example.org\r\nBcc: eve@example.org' }],
    ])('of a user with %j is rejected', async (wrong) => {
      const idToken = await google.provider.sign({ ...claimsNow(), ...wrong });
      expect(await signInWith(idToken)).toMatchObject({ status: 401, code: 'email_unverified' });
      await expectNoAccounts();
    });
  });

  test('an address that only looks like another in lower case is a different one', async () => {
    await accounts.server.signIn('kim@example.org');
    // The lower case of the Kelvin sign is the letter k.
    google.provider.account = { ...account, email: '\u212aim@example.org' };
    expect(await post(await google.provider.authorize())).toMatchObject({ status: 400 });
    expect(await accounts.rows('sessions')).toHaveLength(1);
  });

  describe('with an access token', () => {
    test('for Engram signs in', async () => {
      const { accessToken } = await google.provider.tokens();
      expect(await profileOf(await post({ accessToken }))).toMatchObject({ email: ADA });
    });

    test('that is invented, or of another site, is rejected', async () => {
      const { accessToken } = await google.provider.tokens(google.provider.otherClient);
      for (const token of [accessToken, 'made-up']) {
        expect(await post({ accessToken: token })).toMatchObject({ code: 'google_refused' });
      }
      await expectNoAccounts();
    });

    test('of a local provider without introspection signs in', async () => {
      google.provider.configure({ introspection: false });
      await start();
      const { accessToken } = await google.provider.tokens();
      expect(await profileOf(await post({ accessToken }))).toMatchObject({ email: ADA });
      expect(await post({ accessToken: 'made-up' })).toMatchObject({ code: 'google_refused' });
    });

    test('of a user with an unverified e-mail is rejected', async () => {
      google.provider.account = { ...account, email_verified: false };
      const { accessToken } = await google.provider.tokens();
      expect(await post({ accessToken })).toMatchObject({ code: 'email_unverified' });
    });
  });
});
