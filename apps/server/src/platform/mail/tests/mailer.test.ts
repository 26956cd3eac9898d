import * as fc from 'fast-check';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { createMailer, type Mailer, MailError } from '../mailer.ts';

interface Received {
  to: string[];
  user: string | undefined;
  raw: string;
}

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const message = {
  to: 'ada@example.org',
  subject: '123456 is your code',
  text: 'Your code:\n\n123456\n',
  html: '<p>Your code: <b>123456</b></p>',
};

async function startSmtpServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo.map((recipient) => recipient.address),
          user: session.user,
          raw: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  cleanUps.push(stop);
  const { port } = server.server.address() as AddressInfo;
  return { received, host: `127.0.0.1:${port}`, stop };
}

function mailerTo(smtpUrl: string, timeoutMs?: number, tls?: 'optional'): Mailer {
  const mailer = createMailer({
    smtpUrl,
    ...(tls === undefined ? {} : { tls }),
    from: 'Engram <engram@example.org>',
    log: { warn: () => undefined },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  cleanUps.push(() => mailer.close());
  return mailer;
}

const withLogin: SMTPServerOptions = {
  authOptional: false,
  onAuth({ username, password }, _session, callback) {
    if (username === 'engram' && password === 'p@ss word') callback(null, { user: 'engram' });
    else callback(new Error('Invalid username or password'));
  },
};

describe('a mailer with a mail server', () => {
  test('delivers text and html to one recipient', async () => {
    const { received, host } = await startSmtpServer();
    await mailerTo(`smtp://${host}`).send(message);
    expect(received).toHaveLength(1);
    expect(received[0]?.to).toEqual(['ada@example.org']);
    expect(received[0]?.raw).toMatch(/^From: Engram <engram@example\.org>/mu);
    expect(received[0]?.raw).toMatch(/^Subject: 123456 is your code/mu);
    expect(received[0]?.raw).toContain('Content-Type: text/plain');
    expect(received[0]?.raw).toContain('<b>123456</b>');
  });

  test('signs in with the credentials of the address', async () => {
    const { received, host } = await startSmtpServer(withLogin);
    const mailer = mailerTo(`smtp://engram:p%40ss%20word@${host}`);
    await mailer.check();
    await mailer.send(message);
    expect(received.map(({ user }) => user)).toEqual(['engram']);
    expect(mailer.describe()).toEqual({
      name: 'mail',
      on: true,
      detail: `Mails are sent through ${host}.`,
    });
  });

  test('reports a wrong password', async () => {
    const { received, host } = await startSmtpServer(withLogin);
    const mailer = mailerTo(`smtp://engram:wrong@${host}`);
    await expect(mailer.check()).rejects.toThrow(MailError);
    await expect(mailer.send(message)).rejects.toThrow(MailError);
    expect(received).toEqual([]);
  });

  test.each<[string, SMTPServerOptions, RegExp]>([
    ['without TLS', withLogin, /does not offer TLS.*ENGRAM_SMTP_TLS=optional/u],
    // The server's self-signed certificate does not prove its name.
    ['with an untrusted certificate', { ...withLogin, disabledCommands: [] }, /did not accept/u],
  ])('no mail and no password is sent to another machine %s', async (_, options, problem) => {
    const attempts: string[] = [];
    const { received, host } = await startSmtpServer({
      ...options,
      onAuth({ username }, _session, callback) {
        attempts.push(String(username));
        callback(null, { user: 'engram' });
      },
    });
    // An address of this machine that is not recognized as loopback.
    const elsewhere = `smtp://engram:p%40ss%20word@${host.replace('127.0.0.1', '0.0.0.0')}`;
    await expect(mailerTo(elsewhere).send(message)).rejects.toThrow(problem);
    await expect(mailerTo(elsewhere).check()).rejects.toThrow(MailError);
    expect([attempts, received]).toEqual([[], []]);
  });

  test('mail is sent without TLS to another machine if a setting allows it', async () => {
    const { received, host } = await startSmtpServer();
    await mailerTo(`smtp://${host.replace('127.0.0.1', '0.0.0.0')}`, undefined, 'optional').send(
      message,
    );
    expect(received).toHaveLength(1);
  });

  test('reports a refused recipient and delivers the next mail', async () => {
    const { received, host } = await startSmtpServer({
      onRcptTo({ address }, _session, callback) {
        callback(address.startsWith('nobody') ? new Error('No such mailbox') : null);
      },
    });
    const mailer = mailerTo(`smtp://${host}`);
    await expect(mailer.send({ ...message, to: 'nobody@example.org' })).rejects.toThrow(MailError);
    await mailer.send(message);
    expect(received.map(({ to }) => to)).toEqual([['ada@example.org']]);
  });

  test('reports a server that is down', async () => {
    const { host, stop } = await startSmtpServer();
    await stop();
    const mailer = mailerTo(`smtp://${host}`);
    await expect(mailer.check()).rejects.toThrow(MailError);
    await expect(mailer.send(message)).rejects.toThrow(MailError);
  });

  test('gives up on a server that never answers', async () => {
    const silent: Server = createServer((socket) => cleanUps.push(() => void socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    cleanUps.unshift(() => new Promise<void>((resolve) => silent.close(() => resolve())));
    const mailer = mailerTo(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, 100);
    await expect(mailer.send(message)).rejects.toThrow(MailError);
    await expect(mailer.check()).rejects.toThrow(MailError);
  });

  test('never sends to an address that would redirect the envelope', async () => {
    const { received, host } = await startSmtpServer();
    const mailer = mailerTo(`smtp://${host}`);
    for (const to of [
      'ada@example.org\r\nRCPT TO:<eve@example.org>',
      'ada@example.org, eve@example.org',
      'ada@example.org <eve@example.org>',
      'ada@example.org\n',
      '',
    ]) {
      await expect(mailer.send({ ...message, to })).rejects.toThrow(MailError);
    }
    expect(received).toEqual([]);
  });
});

describe('mailers without a mail server', () => {
  test('the mail is printed as one line that an operator can find', async () => {
    const lines: string[] = [];
    const mailer = createMailer({
      from: 'Engram <engram@localhost>',
      log: { warn: (line: unknown) => void lines.push(String(line)) },
    });
    await mailer.check();
    await mailer.send(message);
    expect(lines).toEqual([
      'Mail to ada@example.org (logged because SMTP_URL is not set): 123456 is your code. Your code: 123456',
    ]);
    expect(mailer.describe()).toMatchObject({ name: 'mail', on: false });
  });

  test('only one line is printed per mail', async () => {
    const lines: string[] = [];
    const mailer = createMailer({
      from: 'Engram <engram@localhost>',
      log: { warn: (line: unknown) => void lines.push(String(line)) },
    });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (to, text) => {
        const refusal = await mailer
          .send({ ...message, to, text })
          .catch((error: unknown) => error);
        expect(refusal === undefined || refusal instanceof MailError).toBe(true);
        expect(lines.every((line) => !/[\r\n]/u.test(line))).toBe(true);
        lines.length = 0;
      }),
    );
  });
});
