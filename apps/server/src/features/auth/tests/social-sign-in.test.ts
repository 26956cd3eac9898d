import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { account, ADA, describeGoogle } from './google-suite.test-setup.ts';

describeGoogle('signing in with Google', (google, accounts) => {
  const { start, post, get, profileOf, expectNoAccounts } = google;
  test.each([
    [{}],
    [{ email: ADA }],
    [{ idToken: 'x', accessToken: 'y' }],
    [{ code: 'x' }],
    [{ code: 'x', codeVerifier: 'y'.repeat(43) }],
    [{ code: 'x', codeVerifier: 'short', redirectUri: 'http://localhost/' }],
    [{ code: 'x', codeVerifier: 'y'.repeat(43), redirectUri: 'javascript:alert(1)' }],
  ])('rejects %j', async (body) => {
    expect((await post(body)).status).toBe(400);
  });

  test('rejects calls from other sites', async () => {
    const proof = await google.provider.authorize();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await post(proof, { headers })).toMatchObject({ status: 403, code: 'cross_origin' });
    expect((await post(proof)).status).toBe(200);
  });

  test('does not create accounts if sign-up is closed, and accepts existing ones', async () => {
    await accounts.server.signIn('member@example.org');
    await start({ ENGRAM_SIGNUP: 'closed' });
    expect(await post(await google.provider.authorize())).toMatchObject({
      status: 403,
      code: 'sign_up_closed',
    });
    google.provider.account = { ...account, email: 'member@example.org' };
    expect((await post(await google.provider.authorize())).status).toBe(200);
    expect(await accounts.rows('users')).toHaveLength(1);
  });

  test('gives admins their role', async () => {
    await start({ ENGRAM_ADMIN_EMAILS: ADA, ENGRAM_SIGNUP: 'invited' });
    const answer = await post(await google.provider.authorize());
    expect(answer.data).toMatchObject({ roles: ['USER', 'ADMIN'] });
  });

  test('is rejected after twenty failures from one network, including wrong codes', async () => {
    const options = { ip: '203.0.113.9' };
    const fail = () => post({ idToken: 'x' }, options);
    const answers = await Promise.all(Array.from({ length: 24 }, fail));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    const proof = await google.provider.authorize();
    expect(await post(proof, options)).toMatchObject({
      status: 429,
      message: 'Too many sign-ins failed. Please try again in 15 minutes.',
    });
    const body = { email: ADA, code: '000000' };
    const code = await accounts.server.call('POST', '/auth/otp/validate', { ...options, body });
    expect(code.status).toBe(429);
    expect((await post(proof, { ip: '203.0.113.10' })).status).toBe(200);
  });

  test('does not count successful sign-ins', async () => {
    for (let n = 0; n < 21; n += 1) {
      expect((await post(await google.provider.authorize())).status).toBe(200);
    }
    expect(await accounts.rows('attempts')).toEqual([]);
  });

  describe('stores', () => {
    const photo = () =>
      sharp({ create: { width: 600, height: 300, channels: 3, background: '#c03030' } })
        .png()
        .toBuffer();
    const signIn = async (more: object = {}) => {
      google.provider.account = {
        ...account,
        picture: `${google.provider.issuer}/picture`,
        ...more,
      };
      const answer = await post(await google.provider.authorize());
      expect(answer.status).toBe(200);
      await accounts.server.background.drain();
      return (await profileOf(answer)) as { name: string | null; profileImage: string | null };
    };

    test('the picture as a small square JPEG', async () => {
      google.provider.picture = await photo();
      const { profileImage } = await signIn();
      const image = await sharp(Buffer.from(profileImage ?? '', 'base64')).metadata();
      expect(image).toMatchObject({ format: 'jpeg', width: 256, height: 256 });
    });

    test('no name and photo if the user already has them', async () => {
      await accounts.server.signIn(ADA);
      await accounts.database.pool.query(
        String.raw`UPDATE users SET name = 'Countess', profile_image = '\xffd8ff'`,
      );
      google.provider.picture = await photo();
      google.provider.requests.length = 0;
      expect(await signIn()).toMatchObject({ name: 'Countess', profileImage: '/9j/' });
      expect(google.provider.requests).not.toContain('/picture');
    });

    test('no empty or long name, and none with control characters', async () => {
      expect((await signIn({ name: '   ' })).name).toBeNull();
      expect((await signIn({ name: ` A\u0000da\n${'x'.repeat(500)}` })).name).toBe(
        `A da ${'x'.repeat(195)}`,
      );
    });

    test.each([
      ['missing', null, '/picture'],
      ['not a picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '/picture'],
      ['too large', Buffer.alloc(5_000_001), '/picture'],
      ['on an insecure server', null, 'http://192.0.2.1/picture'],
      ['on this machine', null, 'https://127.0.0.1:9/picture'],
      ['not at a web address', null, 'javascript:alert(1)'],
    ])('no picture, but signs in, if the picture is %s', async (_, bytes, place) => {
      google.provider.picture = bytes;
      const picture = place.startsWith('/') ? `${google.provider.issuer}${place}` : place;
      expect((await signIn({ picture })).profileImage).toBeNull();
      expect(accounts.server.notes).toEqual(["the provider's profile picture could not be stored"]);
    });
  });

  describe('if it is unavailable', () => {
    test('missing settings are reported, and the app shows no button', async () => {
      const { GOOGLE_CLIENT_SECRET: _, ...half } = google.provider.env;
      for (const [env, detail] of [
        [{}, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set.'],
        [half, 'GOOGLE_CLIENT_SECRET is not set.'],
      ] as const) {
        await accounts.restart(env);
        for (const body of [{ idToken: 'x' }, { email: ADA, name: 'Ada', picture: null }]) {
          expect(await post(body)).toMatchObject({ status: 503, code: 'google_off' });
        }
        expect((await get('/settings')).data).toMatchObject({ google: null });
        const { token } = await accounts.server.signIn(ADA);
        const { abilities } = (await get('/status', token)).data as { abilities: unknown[] };
        expect(abilities).toContainEqual({ name: 'google', on: false, detail });
      }
    });

    test('a missing provider is reported with a message, and nothing changes', async () => {
      await accounts.restart({ ...google.provider.env, GOOGLE_ISSUER: 'http://127.0.0.1:9' });
      const { redirectUri, state, nonce, codeChallenge } =
        google.provider.newRequest('http://localhost/');
      const query = new URLSearchParams({ redirectUri, state, nonce, codeChallenge });
      const down = { status: 503, code: 'google_unavailable' };
      expect(await get(`/auth/social?${query}`)).toMatchObject(down);
      expect(await post({ idToken: 'x' })).toMatchObject(down);
      expect((await get('/settings')).data).toMatchObject({ google: { clientId: 'engram-web' } });
      await expectNoAccounts();
      expect(await accounts.rows('attempts')).toEqual([]);
    });

    test.each(['openid-configuration', '/token', '/jwks'])(
      'a response of the provider at %s times out, and sign-in works again later',
      async (place) => {
        const proof = await google.provider.authorize();
        Object.assign(google.provider, { hangsAt: place, hung: Promise.withResolvers<void>() });
        const answer = post(proof);
        await google.provider.hung.promise;
        accounts.server.timeOutCalls();
        expect(await answer).toMatchObject({ status: 503, code: 'google_unavailable' });
        await expectNoAccounts();
        google.provider.hangsAt = null;
        expect((await post(await google.provider.authorize())).status).toBe(200);
      },
    );

    test('an unknown client is not reported as an error of the caller', async () => {
      await start({ GOOGLE_CLIENT_SECRET: 'wrong' });
      expect(await post(await google.provider.authorize())).toMatchObject({
        code: 'google_unavailable',
      });
      expect(accounts.server.warnings).toEqual(['Google sign-in: the provider cannot be used']);
      expect(await accounts.rows('attempts')).toEqual([]);
    });
  });
});
