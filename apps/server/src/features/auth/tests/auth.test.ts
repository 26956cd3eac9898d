import { decodeJwt } from 'jose';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, test } from 'vitest';
import { type CallOptions, describeAccounts } from './accounts.test-setup.ts';

const MINUTE = 60_000;
const ADA = 'ada@example.org';

describeAccounts('signing in', (accounts) => {
  const generate = (email: string, options: CallOptions = {}) =>
    accounts.server.call('POST', '/auth/otp/generate', { ...options, body: { email } });
  const validate = (email: string, code: string, options: CallOptions = {}) =>
    accounts.server.call('POST', '/auth/otp/validate', { ...options, body: { email, code } });
  const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  describe('with a code', () => {
    test('mails six digits that sign in and create the account', async () => {
      const response = await generate(ADA);
      expect(response).toMatchObject({
        status: 200,
        message: 'Code generated and sent to the email',
        data: null,
      });
      const code = accounts.server.codeFor(ADA);
      expect(code).toMatch(/^\d{6}$/u);

      const answer = await validate(ADA, code);
      expect(answer).toMatchObject({
        status: 200,
        message: 'Login successful.',
        data: { exist: false, question: true, agreed: false, roles: ['USER'] },
      });
      const { token } = answer.data as { token: string };
      const [user] = await accounts.rows('users');
      const claims = decodeJwt(token);
      expect(claims).toMatchObject({ sub: user?.['id'], email: ADA, groups: ['User'] });
      expect(Number(claims.exp) - Number(claims.iat)).toBe(7 * 24 * 60 * 60);
      expect((await accounts.server.call('GET', '/user/profile', { token })).status).toBe(200);
    });

    test('ignores the case of an address', async () => {
      await accounts.server.signIn('Ada@Example.ORG');
      await generate(ADA);
      expect((await validate('ADA@example.org', accounts.server.codeFor(ADA))).status).toBe(200);
      expect((await accounts.rows('users')).map((user) => user['email'])).toEqual([ADA]);
    });

    test('does not store codes in clear text', async () => {
      await generate(ADA);
      expect(JSON.stringify(await accounts.rows('sign_in_codes'))).not.toContain(
        accounts.server.codeFor(ADA),
      );
    });

    test('rejects a wrong code with the documented message', async () => {
      await generate(ADA);
      expect(await validate(ADA, wrongFor(accounts.server.codeFor(ADA)))).toMatchObject({
        status: 401,
        code: 'wrong_code',
        message: 'OTP verification failed. Please try again.',
      });
      expect(await accounts.rows('users')).toEqual([]);
    });

    test('accepts a code once', async () => {
      await generate(ADA);
      const code = accounts.server.codeFor(ADA);
      expect((await validate(ADA, code)).status).toBe(200);
      expect((await validate(ADA, code)).code).toBe('wrong_code');
    });

    test('accepts a code once from concurrent callers', async () => {
      await generate(ADA);
      const code = accounts.server.codeFor(ADA);
      const answers = await Promise.all(
        ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((ip) =>
          validate(ADA, code, { ip }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
      expect(await accounts.rows('sessions')).toHaveLength(1);
    });

    test('accepts a code only for its own address', async () => {
      await generate(ADA);
      await generate('eve@example.org');
      expect((await validate('eve@example.org', accounts.server.codeFor(ADA))).status).toBe(401);
    });

    test('accepts a code for ten minutes', async () => {
      await generate(ADA);
      accounts.server.advance(10 * MINUTE - 1);
      expect((await validate(ADA, accounts.server.codeFor(ADA))).status).toBe(200);
      await generate(ADA);
      accounts.server.advance(10 * MINUTE);
      expect((await validate(ADA, accounts.server.codeFor(ADA))).code).toBe('wrong_code');
    });

    test('allows five attempts per code', async () => {
      await generate(ADA);
      const code = accounts.server.codeFor(ADA);
      for (let n = 0; n < 4; n += 1) await validate(ADA, wrongFor(code));
      expect((await validate(ADA, code)).status).toBe(200);

      await generate(ADA);
      const second = accounts.server.codeFor(ADA);
      const codes = [];
      for (let n = 0; n < 5; n += 1) codes.push((await validate(ADA, wrongFor(second))).code);
      expect(codes.slice(0, 4)).toEqual(Array(4).fill('wrong_code'));
      for (const answer of [{ code: codes[4] }, await validate(ADA, second)]) {
        expect(answer).toMatchObject({ code: 'code_used_up' });
      }
    });

    test('invalidates the last code with a new one, and resets the attempts', async () => {
      await generate(ADA);
      const first = accounts.server.codeFor(ADA);
      for (let n = 0; n < 5; n += 1) await validate(ADA, wrongFor(first));
      let second = first;
      while (second === first) {
        await generate(ADA);
        second = accounts.server.codeFor(ADA);
      }
      expect((await validate(ADA, first)).status).toBe(401);
      expect((await validate(ADA, second)).status).toBe(200);
    });

    test.each([
      [{}, 'Email is required.'],
      [{ email: ' ' }, 'Email is required.'],
      [{ email: 'ada' }, 'Please enter a valid email address.'],
      [{ email: 'ada@example.org\r\nBcc: eve@example.org' }, 'Please enter a valid email address.'],
      [{ email: 'a\u0000da@example.org' }, 'Please enter a valid email address.'],
      [{ email: 'ada@example.org,eve@example.org' }, 'Please enter a valid email address.'],
    ])('rejects the address %j', async (body, message) => {
      const answer = await accounts.server.call('POST', '/auth/otp/generate', { body });
      expect(answer).toMatchObject({ status: 400, message });
      expect(accounts.server.mails).toEqual([]);
    });

    test('rejects a code that is not six digits', async () => {
      expect(await validate(ADA, '12345')).toMatchObject({
        status: 400,
        message: 'The code has 6 digits.',
      });
    });

    test('stores where a sign-in came from, with the address that the server saw', async () => {
      const details = {
        ip: '6.6.6.6',
        device: 'Lin\u0000ux',
        location: 'Zürich, Zürich, Switzerland',
      };
      const { token } = await accounts.server.signIn(ADA, { ip: '198.51.100.7', details });
      const { data } = await accounts.server.call('GET', '/user/profile', { token });
      expect(data).toMatchObject({
        ip: '198.51.100.7',
        device: 'Linux',
        location: 'Zürich, Zürich, Switzerland',
        country: 'Switzerland',
      });

      await accounts.server.signIn(ADA, { ip: '198.51.100.8' });
      const later = await accounts.server.call('GET', '/user/profile', { token });
      expect(later.data).toMatchObject({
        ip: '198.51.100.8',
        device: 'Linux',
        country: 'Switzerland',
      });
    });

    test('reports whether artifacts exist', async () => {
      await accounts.restart({}, () => Promise.resolve(5));
      const { answer } = await accounts.server.signIn(ADA);
      expect(answer.data).toMatchObject({ exist: true });
    });
  });

  describe('limits', () => {
    const NEWEST = 'Use the newest mail we sent';

    test('one network gets five mails to an address in 15 minutes, and then refers to the newest', async () => {
      for (let n = 0; n < 5; n += 1) {
        expect((await generate(ADA)).message).toBe('Code generated and sent to the email');
        accounts.server.advance(MINUTE);
      }
      expect(await generate('ADA@example.org')).toMatchObject({ status: 200, message: NEWEST });
      expect(accounts.server.mails).toHaveLength(5);
      expect((await generate(ADA, { ip: '192.0.2.2' })).message).not.toBe(NEWEST);
      expect((await validate(ADA, accounts.server.codeFor(ADA))).status).toBe(200);
    });

    test('all networks together can send twenty mails to an address in 15 minutes', async () => {
      const messages = [];
      for (let n = 0; n < 22; n += 1) {
        messages.push((await generate(ADA, { ip: `192.0.2.${n}` })).message);
      }
      expect(messages.indexOf(NEWEST)).toBe(20);
      expect(messages.at(-1)).toBe(NEWEST);
      expect(accounts.server.mails).toHaveLength(20);
    });

    test('another mail is sent once the newest has expired, despite all limits', async () => {
      for (let n = 0; n < 21; n += 1) await generate(ADA, { ip: `192.0.2.${n}` });
      accounts.server.advance(10 * MINUTE);
      expect((await generate(ADA)).message).not.toBe(NEWEST);
      expect((await generate(ADA)).message).toBe(NEWEST);
      expect(accounts.server.mails).toHaveLength(21);
      expect((await validate(ADA, accounts.server.codeFor(ADA))).status).toBe(200);
    });

    test('concurrent calls do not exceed the limit of mails', async () => {
      await Promise.all(Array.from({ length: 8 }, () => generate(ADA)));
      expect(accounts.server.mails).toHaveLength(5);
    });

    test('allow thirty codes per IP in 15 minutes', async () => {
      for (let n = 0; n < 30; n += 1) {
        expect((await generate(`person${n}@example.org`)).status).toBe(200);
      }
      expect((await generate('person30@example.org')).status).toBe(429);
      expect((await generate('person30@example.org', { ip: '192.0.2.2' })).status).toBe(200);
      accounts.server.advance(15 * MINUTE);
      expect((await generate('person31@example.org')).status).toBe(200);
    });

    test('allow twenty wrong codes per IP in 15 minutes, and then no code at all', async () => {
      await generate(ADA);
      const code = accounts.server.codeFor(ADA);
      for (let n = 0; n < 20; n += 1) {
        expect((await validate(`person${n}@example.org`, '000000')).status).toBe(401);
      }
      const refused = await validate(ADA, code);
      expect(refused).toMatchObject({
        status: 429,
        message: 'Too many wrong codes were entered. Please try again in 15 minutes.',
      });
      expect(refused.headers['retry-after']).toBe('900');
      expect((await validate(ADA, code, { ip: '192.0.2.2' })).status).toBe(200);
    });

    test('do not count correct codes', async () => {
      await accounts.restart({ ENGRAM_RATE_LIMITS: 'on' });
      for (let n = 0; n < 21; n += 1) {
        expect((await accounts.server.signIn(`person${n}@example.org`)).answer.status).toBe(200);
      }
    });

    test('can be switched off', async () => {
      await accounts.restart({ ENGRAM_RATE_LIMITS: 'off' });
      for (let n = 0; n < 35; n += 1) expect((await generate(ADA)).status).toBe(200);
      for (let n = 0; n < 25; n += 1) {
        expect((await validate('eve@example.org', '000000')).status).toBe(401);
      }
      expect(await accounts.rows('attempts')).toEqual([]);
    });

    test('are configurable', async () => {
      await accounts.restart({
        ENGRAM_CODES_PER_ADDRESS: '1',
        ENGRAM_CODES_PER_IP: '2',
        ENGRAM_FAILED_SIGN_INS_PER_IP: '1',
      });
      await generate(ADA);
      expect((await generate(ADA)).message).toBe(NEWEST);
      // Requests without a mail do not count for the network.
      expect((await generate('bob@example.org')).status).toBe(200);
      expect((await generate('cleo@example.org')).status).toBe(429);
      const guess = () => validate('eve@example.org', '000000', { ip: '192.0.2.7' });
      expect([(await guess()).status, (await guess()).status]).toEqual([401, 429]);
    });

    test('attempts are stored without address and IP', async () => {
      await generate(ADA);
      await validate(ADA, wrongFor(accounts.server.codeFor(ADA)));
      const stored = JSON.stringify(await accounts.rows('attempts'));
      expect(stored).not.toContain(ADA);
      expect(stored).not.toContain('192.0.2.1');
    });
  });

  describe('who may sign up', () => {
    test.each(['invited', 'closed'])(
      'treats addresses with and without an account alike while sign-up is %s',
      async (signup) => {
        await accounts.server.signIn(ADA);
        await accounts.restart({ ENGRAM_SIGNUP: signup });
        const member = await generate(ADA);
        const stranger = await generate('eve@example.org');
        expect([stranger.status, stranger.message, stranger.data]).toEqual([
          member.status,
          member.message,
          member.data,
        ]);
        await accounts.server.background.drain();
        expect(accounts.server.codeFor(ADA)).toMatch(/^\d{6}$/u);
        expect(accounts.server.codeFor('eve@example.org')).toBe('');
        expect(accounts.server.mails).toHaveLength(1);
        expect((await validate('eve@example.org', '000000')).code).toBe('wrong_code');
        expect((await validate(ADA, accounts.server.codeFor(ADA))).status).toBe(200);
      },
    );

    test('does not wait for the mail, so that timing reveals nothing', async () => {
      const delivered = Promise.withResolvers<string>();
      const release = Promise.withResolvers<void>();
      const smtp = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        async onData(stream, _session, done) {
          const mail = (await stream.toArray()).join('');
          await release.promise;
          done();
          delivered.resolve(mail);
        },
      });
      smtp.listen(0, '127.0.0.1');
      await once(smtp.server, 'listening');
      const { port } = smtp.server.address() as AddressInfo;

      await accounts.server.signIn(ADA);
      await accounts.restart({ ENGRAM_SIGNUP: 'closed', SMTP_URL: `smtp://127.0.0.1:${port}` });
      expect((await generate(ADA)).status).toBe(200);
      expect((await generate('eve@example.org')).status).toBe(200);
      release.resolve();
      const code = /\b\d{6}\b/u.exec(await delivered.promise)?.[0] ?? '';
      expect((await validate(ADA, code)).status).toBe(200);
      await accounts.restart({});
      await new Promise<void>((resolve) => void smtp.close(resolve));
    });

    test('includes invited users and admins', async () => {
      await accounts.restart({
        ENGRAM_SIGNUP: 'invited',
        ENGRAM_INVITED_EMAILS: 'Grace@Example.org, ',
        ENGRAM_ADMIN_EMAILS: ADA,
      });
      for (const email of ['grace@example.org', ADA]) {
        await generate(email);
        await accounts.server.background.drain();
        expect((await validate(email, accounts.server.codeFor(email))).status).toBe(200);
      }
    });

    test('does not create an account from a code that was sent before sign-up was closed', async () => {
      await generate(ADA);
      const code = accounts.server.codeFor(ADA);
      await accounts.restart({ ENGRAM_SIGNUP: 'closed' });
      expect((await validate(ADA, code)).code).toBe('wrong_code');
      expect(await accounts.rows('users')).toEqual([]);
    });

    test('gives admins their role, also in existing accounts', async () => {
      const { answer } = await accounts.server.signIn(ADA);
      expect(answer.data).toMatchObject({ roles: ['USER'] });
      await accounts.restart({ ENGRAM_ADMIN_EMAILS: 'ADA@example.org' });
      const later = await accounts.server.signIn(ADA);
      expect(later.answer.data).toMatchObject({ roles: ['USER', 'ADMIN'] });
      expect(decodeJwt(later.token)['groups']).toEqual(['User', 'Admin']);
      const { data } = await accounts.server.call('GET', '/user/profile', { token: later.token });
      expect(data).toMatchObject({ role: 'ADMIN' });
    });
  });

  describe('while the mail server is down', () => {
    // Nothing listens on the discard port of the loopback address.
    const down = { SMTP_URL: 'smtp://127.0.0.1:9' };

    test('reports it and invalidates the code', async () => {
      await accounts.restart(down);
      expect(await generate(ADA)).toMatchObject({
        status: 503,
        code: 'mail_unavailable',
        message: 'The mail with your code could not be sent. Please try again in a few minutes.',
      });
      expect(await accounts.rows('sign_in_codes')).toEqual([]);
      expect(accounts.server.warnings).toEqual(['a sign-in code could not be mailed']);
    });

    test('reports it for addresses with and without an account while sign-up is closed', async () => {
      await accounts.server.signIn(ADA);
      await accounts.restart({ ...down, ENGRAM_SIGNUP: 'closed' });
      expect(await generate(ADA)).toMatchObject({ status: 503, code: 'mail_unavailable' });
      expect(await generate('eve@example.org')).toMatchObject({
        status: 503,
        code: 'mail_unavailable',
      });
    });
  });
});
