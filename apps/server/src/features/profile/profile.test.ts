import { expect, test } from 'vitest';
import { describeAccounts } from '../auth/accounts.test-server.ts';

describeAccounts('the profile', (accounts) => {
  test('shows a new account', async () => {
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

  test('shows the picture in base64', async () => {
    const { token } = await accounts.server.signIn('ada@example.org');
    await accounts.database.pool.query(String.raw`UPDATE users SET profile_image = '\xffd8ff'`);
    const { data } = await accounts.server.call('GET', '/user/profile', { token });
    expect(data).toMatchObject({ profileImage: '/9j/' });
  });

  test('keeps that the terms were accepted, and when that was first', async () => {
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

    const again = await accounts.server.signIn('ada@example.org');
    expect(again.answer.data).toMatchObject({ agreed: true });
  });

  test.each([{ isAgreedTerms: false }, {}, { isAgreedTerms: 'true' }])(
    'refuses %j, for terms can only be accepted',
    async (body) => {
      const { token } = await accounts.server.signIn('ada@example.org');
      expect(await accounts.server.call('PUT', '/user/profile', { token, body })).toMatchObject({
        status: 400,
        message: 'The terms can only be accepted.',
      });
    },
  );

  test('needs a token', async () => {
    expect((await accounts.server.call('GET', '/user/profile')).status).toBe(401);
    expect((await accounts.server.call('PUT', '/user/profile')).status).toBe(401);
  });
});
