import { beforeEach, describe, expect, test } from 'vitest';
import { describeAccounts } from '../../auth/tests/accounts.test-setup.ts';

describeAccounts('the profile', (accounts) => {
  test('a new account has a profile', async () => {
    const { token } = await accounts.server.signIn('Ada@example.org');
    const [user] = await accounts.rows('users');
    expect(await accounts.server.call('GET', '/user/profile', { token })).toMatchObject({
      status: 200,
      data: {
        id: user?.['id'],
        email: 'ada@example.org',
        name: null,
        altEmail: null,
        phone: null,
        role: 'USER',
        country: null,
        profileImage: null,
        ip: '192.0.2.1',
        device: null,
        location: null,
        createdDate: '2026-03-04T10:00:00.000Z',
        isAgreedTerms: false,
      },
    });
  });

  test('the profile contains the picture in base64', async () => {
    const { token } = await accounts.server.signIn('ada@example.org');
    await accounts.database.pool.query(String.raw`UPDATE users SET profile_image = '\xffd8ff'`);
    const { data } = await accounts.server.call('GET', '/user/profile', { token });
    expect(data).toMatchObject({ profileImage: '/9j/' });
  });

  test('accepting the terms is stored with the time of the first acceptance', async () => {
    const { token } = await accounts.server.signIn('ada@example.org');
    const accept = () =>
      accounts.server.call('PUT', '/user/profile', { token, body: { isAgreedTerms: true } });
    expect(await accept()).toMatchObject({
      status: 200,
      message: 'Profile updated successfully!',
      data: { email: 'ada@example.org', isAgreedTerms: true },
    });
    accounts.server.advance(60_000);
    expect((await accept()).status).toBe(200);
    const [user] = await accounts.rows('users');
    expect(user?.['agreed_terms_at']).toEqual(new Date('2026-03-04T10:00:00.000Z'));

    const nextSignIn = await accounts.server.signIn('ada@example.org');
    expect(nextSignIn.answer.data).toMatchObject({ agreed: true });
  });

  describe('profile updates', () => {
    const FILLED = {
      name: 'Ada Lovelace',
      altEmail: 'ada@example.com',
      phone: '(555) 123-4567',
      deviceTimeZone: true,
    };
    let token: string;
    const put = (body: unknown) => accounts.server.call('PUT', '/user/profile', { token, body });

    beforeEach(async () => {
      ({ token } = await accounts.server.signIn('ada@example.org'));
    });

    test('all fields of the call are updated and returned, and no others', async () => {
      const { data } = await accounts.server.call('GET', '/user/profile', { token });
      const before = data as Record<string, unknown>;
      const claims = {
        id: '00000000-0000-4000-8000-000000000000',
        role: 'ADMIN',
        country: 'Nowhere',
        profileImage: 'AAAA',
        ip: '203.0.113.9',
        device: 'Abacus',
        location: 'Moon',
        createdDate: '2020-01-01T00:00:00.000Z',
      };
      expect(
        await put({ ...before, ...claims, ...FILLED, email: 'ADA@example.org' }),
      ).toMatchObject({
        status: 200,
        message: 'Profile updated successfully!',
        data: { ...before, ...FILLED },
      });
      const profile = await accounts.server.call('GET', '/user/profile', { token });
      expect(profile.data).toEqual({ ...before, ...FILLED });
    });

    test.each<[object, object]>([
      [{ name: ' Ada\tKing\n\u0007Byron\u202e ' }, { name: 'Ada King Byron' }],
      [{ name: '\u0001\u200e'.replace('\u200e', '\u2066') }, { name: null }],
      [{ name: '' }, { name: null }],
      [{ name: ' \t ' }, { name: null }],
      [
        { name: null, phone: null, altEmail: '' },
        { name: null, phone: null, altEmail: null },
      ],
      [{ name: 'Zoë 👩‍👩‍👧 李' }, { name: 'Zoë 👩‍👩‍👧 李' }],
      [{ phone: '5551234567' }, { phone: '(555) 123-4567' }],
      [{ phone: '555 123.4567' }, { phone: '(555) 123-4567' }],
      [{ phone: '+4930123456' }, { phone: '+4930123456' }],
      [{ phone: '110' }, { phone: '110' }],
      [{ altEmail: ' other@example.net ' }, { altEmail: 'other@example.net' }],
      [{ deviceTimeZone: false }, { deviceTimeZone: false }],
      [{}, {}],
      [{ isAgreedTerms: false }, { isAgreedTerms: true }],
    ])('some fields are updated: %j', async (part, changed) => {
      await put({ ...FILLED, isAgreedTerms: true });
      const { status, data } = await put(part);
      expect(status).toBe(200);
      expect(data).toMatchObject({ ...FILLED, isAgreedTerms: true, ...changed });
    });

    test.each<[object, number, string | RegExp]>([
      [{ email: 'bob@example.org' }, 403, /^This is not the address of your account\./u],
      [{ email: 'nobody' }, 400, 'Please enter a valid email address.'],
      [{ altEmail: 'nobody' }, 400, 'Please enter a valid email address.'],
      [{ altEmail: 'a@b.de\r\nBcc: c@d.de' }, 400, 'Please enter a valid email address.'],
      [{ phone: 'call me' }, 400, 'Please enter a valid phone number.'],
      [{ phone: '(+)' }, 400, 'Please enter a valid phone number.'],
      [{ phone: '+49 30 1234 5678' }, 400, "'phone' must be at most 14 characters."],
      [{ name: 'x'.repeat(101) }, 400, "'name' must be at most 100 characters."],
      [{ name: 5 }, 400, /name/u],
      [{ isAgreedTerms: 'true' }, 400, "'isAgreedTerms' must be true or false."],
      [{ deviceTimeZone: 1 }, 400, "'deviceTimeZone' must be true or false."],
    ])('an update with %j is refused completely', async (part, status, message) => {
      const refusal = await put({ name: 'Somebody', ...part });
      expect(refusal.status).toBe(status);
      expect(refusal.message).toMatch(message);
      expect(await accounts.rows('users')).toMatchObject([
        { email: 'ada@example.org', name: null, alt_email: null, phone: null },
      ]);
    });
  });

  test('a call without a token is refused', async () => {
    expect((await accounts.server.call('GET', '/user/profile')).status).toBe(401);
    expect((await accounts.server.call('PUT', '/user/profile')).status).toBe(401);
  });
});
