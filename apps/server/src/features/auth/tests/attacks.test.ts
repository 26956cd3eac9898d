import { expect, test } from 'vitest';
import { type CallOptions, describeAccounts } from './accounts.test-setup.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ADA = 'ada@example.org';

describeAccounts('signing in under attack', (accounts) => {
  /** Calls from one network that store cookies as a browser does. */
  const newBrowser = (ip: string) => {
    const jar = new Map<string, string>();
    const call = async (path: string, body: object, options: CallOptions = {}) => {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const headers = cookie ? { cookie } : {};
      const answer = await accounts.server.call('POST', path, { ip, body, ...headers, ...options });
      for (const { name, value } of answer.cookies) jar.set(name, value);
      // Later events have later times.
      accounts.server.advance(1);
      return answer;
    };
    const ask = async (email = ADA) => {
      const answer = await call('/auth/otp/generate', { email });
      return { status: answer.status, message: answer.message, code: codeOf(email) };
    };
    const enter = (code: string, email = ADA) => call('/auth/otp/validate', { email, code });
    const open = (link: URL) =>
      call('/auth/link', Object.fromEntries(new URLSearchParams(link.hash.slice(1))));
    return {
      jar,
      call,
      ask,
      enter,
      open,
      signIn: async () => enter((await ask()).code),
    };
  };
  const codeOf = (email: string) => accounts.server.codeFor(email);
  const wrongFor = (code: string, guess = 1) =>
    String((Number(code) + guess) % 1_000_000).padStart(6, '0');
  const program = (ip = '198.51.100.66') => ({
    async enter(code: string, email = ADA) {
      const body = { email, code };
      const answer = await accounts.server.call('POST', '/auth/otp/validate', { ip, body });
      accounts.server.advance(1);
      return answer;
    },
    ask: (email = ADA) =>
      accounts.server.call('POST', '/auth/otp/generate', { ip, body: { email } }),
  });
  const eventsOf = async (token: string) => {
    const { data } = await accounts.server.call('GET', '/security/events?limit=100', { token });
    return (data as { kind: string; ip: string }[]).map(({ kind, ip }) => `${kind} ${ip}`);
  };

  test("a stranger can neither use up nor invalidate the code of a user's browser", async () => {
    const ada = newBrowser('192.0.2.1');
    const { code } = await ada.ask();
    const stranger = program();
    for (let n = 1; n <= 6; n += 1) {
      const { status, code: refusal } = await stranger.enter(wrongFor(code, n));
      expect([status, refusal]).toEqual([401, n < 5 ? 'wrong_code' : 'code_used_up']);
    }
    // Even the correct code is now rejected.
    expect((await stranger.enter(code)).code).toBe('code_used_up');
    const eve = newBrowser('198.51.100.7');
    await eve.ask();
    await eve.ask();
    expect((await ada.enter(wrongFor(code))).code).toBe('wrong_code');
    expect((await ada.enter(code)).status).toBe(200);
    for (const caller of [ada, eve]) expect((await caller.enter(code)).status).toBe(401);
    expect((await stranger.enter(code)).status).toBe(401);
  });

  test('a cookie does not give access to the attempts of others, and an invented one has none', async () => {
    const ada = newBrowser('192.0.2.1');
    const { code } = await ada.ask();
    const outcomes: string[] = [];
    for (let n = 1; n <= 6; n += 1) {
      const eve = newBrowser('198.51.100.7');
      eve.jar.set('engram_browser', String(n).padStart(43, 'x'));
      outcomes.push((await eve.enter(wrongFor(code, n))).code);
    }
    expect(outcomes).toEqual([
      ...Array<string>(4).fill('wrong_code'),
      'code_used_up',
      'code_used_up',
    ]);
    expect((await ada.enter(code)).status).toBe(200);
  });

  test('a user can enter the newest code on another device', async () => {
    const { code } = await newBrowser('192.0.2.1').ask();
    const phone = newBrowser('192.0.2.2');
    expect((await phone.enter(code)).status).toBe(200);
  });

  test('strangers who use up all limits of an address cannot lock out a new browser', async () => {
    const statuses = new Set<number>();
    for (let n = 1; n <= 30; n += 1) {
      const eve = newBrowser(`198.51.100.${n}`);
      const { code } = await eve.ask();
      for (let guess = 1; guess <= 5; guess += 1) await eve.enter(wrongFor(code, guess));
      for (let guess = 1; guess <= 5; guess += 1)
        await program(`198.51.100.${n}`).enter(wrongFor(code, guess));
      statuses.add((await eve.enter(wrongFor(code))).status);
    }
    expect(statuses).toContain(429);
    const ada = newBrowser('192.0.2.1');
    expect(await ada.ask()).toMatchObject({ status: 200, message: 'Use the newest mail we sent' });
    expect(await ada.enter(codeOf(ADA))).toMatchObject({
      status: 429,
      message:
        'Too many wrong codes were entered for this address. Use the link in the newest mail we sent, or try again in 24 hours.',
    });
    expect((await ada.open(accounts.server.linkFor(ADA))).status).toBe(200);
  });

  test("a stranger's codes and wrong attempts do not affect another browser in the same network", async () => {
    const eve = newBrowser('192.0.2.1');
    for (let n = 0; n < 4; n += 1) {
      const { code } = await eve.ask();
      for (let guess = 1; guess <= 5; guess += 1) await eve.enter(wrongFor(code, guess));
    }
    for (let guess = 1; guess <= 20; guess += 1)
      await program('192.0.2.1').enter(wrongFor('000000', guess));
    expect((await newBrowser('192.0.2.1').signIn()).status).toBe(200);
  });

  test('wrong attempts without a cookie in one network do not count in another', async () => {
    const { code } = await program('192.0.2.1')
      .ask()
      .then(() => ({ code: codeOf(ADA) }));
    for (let guess = 1; guess <= 20; guess += 1)
      await program('198.51.100.66').enter(wrongFor(code, guess));
    expect((await program('198.51.100.66').enter(code)).status).toBe(429);
    expect((await program('192.0.2.1').enter(code)).status).toBe(200);
  });

  test('failures in the same network do not lock out a known browser', async () => {
    const ada = newBrowser('192.0.2.1');
    await ada.signIn();
    const neighbor = program('192.0.2.1');
    for (let n = 0; n < 20; n += 1) await neighbor.enter('000000', `person${n}@example.org`);
    expect((await neighbor.enter('000000')).status).toBe(429);
    expect((await ada.signIn()).status).toBe(200);
  });

  test('guessing ends after a hundred wrong codes a day from all networks', async () => {
    const ada = newBrowser('192.0.2.1');
    const { data } = await ada.signIn();
    const { token } = data as { token: string };
    let guesses = 0;
    // A new code and five guesses every quarter of an hour, each from another network.
    const attack = async (hours: number) => {
      for (let quarter = 0; quarter < hours * 4; quarter += 1) {
        const eve = newBrowser(`198.51.100.${quarter}`);
        const { code } = await eve.ask();
        for (let n = 1; n <= 5; n += 1) {
          if ((await eve.enter(wrongFor(code, n))).status === 401) guesses += 1;
        }
        accounts.server.advance(15 * MINUTE);
      }
    };
    await attack(6);
    expect(guesses).toBe(100);
    expect((await ada.signIn()).status).toBe(200);

    accounts.server.advance(18 * HOUR - 1);
    await attack(6);
    expect(guesses).toBe(200);
    expect((await ada.signIn()).status).toBe(200);
    const events = await eventsOf(token);
    expect(events.filter((event) => event.startsWith('locked_out')).length).toBeGreaterThan(0);
  });

  test('guessing without a cookie ends after a fifth of that per network', async () => {
    const guesses: number[] = [];
    for (let network = 1; network <= 6; network += 1) {
      let accepted = 0;
      for (let round = 0; round < 5; round += 1) {
        await newBrowser('192.0.2.9').ask();
        for (let n = 1; n <= 5; n += 1) {
          const { status } = await program(`198.51.100.${network}`).enter(wrongFor(codeOf(ADA), n));
          if (status === 401) accepted += 1;
        }
        accounts.server.advance(15 * MINUTE);
      }
      guesses.push(accepted);
    }
    expect(guesses).toEqual([20, 20, 20, 20, 20, 0]);
    expect((await newBrowser('198.51.100.1').signIn()).status).toBe(200);
  });

  test('a link works once, in any browser, for ten minutes, and invalidates the code of its mail', async () => {
    await newBrowser('192.0.2.1').ask();
    const link = accounts.server.linkFor(ADA);
    expect(link.origin).toBe('http://localhost');
    const phone = newBrowser('192.0.2.2');
    expect((await phone.open(link)).status).toBe(200);
    for (const answer of [await phone.open(link), await phone.enter(codeOf(ADA))]) {
      expect(answer.status).toBe(401);
    }
    await phone.ask();
    accounts.server.advance(10 * MINUTE);
    expect(await phone.open(accounts.server.linkFor(ADA))).toMatchObject({
      status: 401,
      code: 'invalid_link',
    });
  });

  test('a link only signs in its own address, and its key is not stored', async () => {
    await newBrowser('192.0.2.1').ask();
    const link = accounts.server.linkFor(ADA);
    const eve = newBrowser('192.0.2.1');
    await eve.ask('eve@example.org');
    const forEve = new URL(link);
    forEve.hash = link.hash.replace('ada', 'eve');
    expect((await eve.open(forEve)).status).toBe(401);
    const stored = JSON.stringify(await accounts.rows('sign_in_links'));
    expect(stored).not.toContain(new URLSearchParams(link.hash.slice(1)).get('key'));
    expect((await eve.open(link)).status).toBe(200);
  });

  test('entering the code invalidates the link of its mail', async () => {
    const ada = newBrowser('192.0.2.1');
    await ada.signIn();
    expect((await ada.open(accounts.server.linkFor(ADA))).status).toBe(401);
  });

  test('a public server without a known address does not mail links', async () => {
    await accounts.restart({ HOST: '0.0.0.0', ENGRAM_CODES_IN_LOG: 'yes' });
    await newBrowser('192.0.2.1').ask();
    expect(accounts.server.mails.at(-1)).toContain('can be used once');
    expect(accounts.server.mails.at(-1)).not.toContain('http');
    await accounts.restart({ HOST: '0.0.0.0', ENGRAM_PUBLIC_URL: 'https://engram.example.org' });
    await newBrowser('192.0.2.1').ask();
    expect(accounts.server.linkFor(ADA).origin).toBe('https://engram.example.org');
  });

  test('one client behind an unknown proxy cannot block codes for another', async () => {
    const requestCode = (ip: string, email: string) =>
      accounts.server.call('POST', '/auth/otp/generate', {
        ip: '127.0.0.1',
        headers: { 'x-forwarded-for': ip },
        body: { email },
      });
    const statuses = [];
    for (let n = 0; n < 31; n += 1) {
      statuses.push((await requestCode('198.51.100.7', `person${n}@example.org`)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await requestCode('198.51.100.8', ADA)).status).toBe(200);
  });

  test("after all sessions are ended, only the caller's browser is known", async () => {
    const [ada, stolen] = [newBrowser('192.0.2.1'), newBrowser('192.0.2.1')];
    await stolen.signIn();
    const { token } = (await ada.signIn()).data as { token: string };
    await accounts.server.call('DELETE', '/sessions?current=true', { token });
    for (let n = 0; n < 30; n += 1) await program('192.0.2.1').ask(`person${n}@example.org`);
    expect((await stolen.ask()).status).toBe(429);
    expect((await ada.signIn()).status).toBe(200);
  });

  test('responses are the same for addresses with and without an account', async () => {
    await newBrowser('192.0.2.1').signIn();
    accounts.server.advance(HOUR);
    const responsesFor = async (email: string, network: number) => {
      const eve = newBrowser(`198.51.100.${network}`);
      const answers: unknown[] = [];
      for (let n = 0; n < 6; n += 1) {
        const response = await eve.call('/auth/otp/generate', { email });
        const entered = await eve.enter(wrongFor(codeOf(email)), email);
        answers.push([response.status, response.message, entered.status, entered.message]);
      }
      for (let n = 0; n < 6; n += 1) answers.push((await program().enter('000000', email)).code);
      return answers;
    };
    expect(await responsesFor(ADA, 1)).toEqual(await responsesFor('nobody@example.org', 2));
  });

  test('each event is reported once, only to its user, and logged without names and codes', async () => {
    const ada = newBrowser('192.0.2.1');
    const { code } = await ada.ask();
    const { token } = (await ada.enter(code)).data as { token: string };
    const stranger = program();
    await stranger.enter(wrongFor(code));
    await stranger.enter('000000', 'nobody@example.org');
    const eve = await accounts.server.signIn('eve@example.org');
    const newCode = (await ada.ask()).code;
    await ada.call('/auth/confirm', { code: wrongFor(newCode) }, { token });
    await ada.call('/auth/confirm', { code: newCode }, { token });
    expect(await eventsOf(eve.token)).toEqual(['sign_in 192.0.2.1']);
    const old = await accounts.server.signIn(ADA);
    expect(await eventsOf(token)).toEqual([
      'sign_in 192.0.2.1',
      'confirmed 192.0.2.1',
      'confirm_failed 192.0.2.1',
      'sign_in_failed 198.51.100.66',
      'sign_in 192.0.2.1',
    ]);
    accounts.server.advance(1);
    await accounts.server.call('DELETE', '/sessions', { token });
    await accounts.server.call('POST', '/auth/refresh', { cookie: old.cookie });
    expect((await eventsOf(token))[0]).toBe('session_ended 192.0.2.1');

    const { logged } = accounts.server;
    expect(logged).toContainEqual({
      event: 'sign_in_failed',
      userId: null,
      ip: '198.51.100.66',
      device: null,
    });
    const text = JSON.stringify(logged);
    for (const secret of ['@example.org', code, newCode, token]) expect(text).not.toContain(secret);
  });

  test('a copied cookie ends its session and is reported to the user', async () => {
    const ada = newBrowser('192.0.2.1');
    await ada.signIn();
    const { token } = (await newBrowser('192.0.2.3').signIn()).data as { token: string };
    const copy = ada.jar.get('engram_session') ?? '';
    accounts.server.advance(MINUTE);
    await ada.call('/auth/refresh', {});
    accounts.server.advance(MINUTE);
    const ip = '198.51.100.7';
    await accounts.server.call('POST', '/auth/refresh', { ip, cookie: `engram_session=${copy}` });
    expect((await ada.call('/auth/refresh', {})).status).toBe(401);
    expect((await eventsOf(token))[0]).toBe('session_copied 198.51.100.7');
  });

  test('events are paged and stored for 90 days', async () => {
    const { token } = await accounts.server.signIn(ADA);
    for (let n = 0; n < 4; n += 1) {
      accounts.server.advance(HOUR);
      await accounts.server.signIn(ADA);
    }
    const page = async (query: string) =>
      accounts.server.call('GET', `/security/events${query}`, { token });
    const first = await page('?limit=3');
    expect(first).toMatchObject({ status: 200, total: 5 });
    const rest = await page(`?limit=3&cursor=${String(first.nextCursor)}`);
    expect([first.data, rest.data].flat()).toEqual((await page('')).data);
    expect(rest.nextCursor).toBeNull();

    accounts.server.advance(90 * 24 * HOUR - HOUR);
    await accounts.server.services.events.cleanUp();
    expect(await accounts.rows('security_events')).toHaveLength(1);
  });
});
