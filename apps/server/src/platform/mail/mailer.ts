import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { isLoopback } from '../http/loopback.ts';

/** Bound for connecting to the mail server and for each of its answers, in milliseconds. */
const TIMEOUT_MS = 10_000;

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /**
   * Hands one mail to the mail server.
   * @throws MailError when the server cannot be reached in time, or refuses the mail.
   */
  send: (message: MailMessage) => Promise<void>;
  /**
   * Connects and signs in to the mail server without sending anything.
   * @throws MailError when that fails.
   */
  check: () => Promise<void>;
  /** Whether mails leave this machine, and how, in a sentence without credentials. */
  describe: () => { name: 'mail'; on: boolean; detail: string };
  /** Ends the connections that are kept open between mails. */
  close: () => void;
}

export interface MailerOptions {
  /** smtp://user:password@host:port or smtps://…; without it mails are printed in the log. */
  smtpUrl?: string | undefined;
  /** Sender, such as 'Engram <engram@example.org>'. */
  from: string;
  /** Whether a mail server on another machine must offer TLS. Default: require. */
  tls?: 'require' | 'optional';
  log: Pick<FastifyBaseLogger, 'warn'>;
  timeoutMs?: number;
}

/** A mail that was not accepted; `cause` says why, for the log and not for the caller. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

// A line break or a second address would send the mail to somebody else.
const recipient = z.string().regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/u);

const assertOneAddress = (to: string): void => {
  if (!recipient.safeParse(to).success) throw new MailError('This is not a single mail address.');
};

const NOT_TAKEN = 'The mail server did not take the mail.';

const NO_TLS =
  'The mail server offers no TLS, so nothing was sent. Use smtps:// in SMTP_URL where it takes that, or set ENGRAM_SMTP_TLS=optional where nobody can listen in between.';

/** A mailer over SMTP, or one that prints into the log where no mail server is set. */
export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined
    ? createLogMailer(options)
    : createSmtpMailer({ ...options, smtpUrl: options.smtpUrl });
}

function createLogMailer({ log }: MailerOptions): Mailer {
  return {
    // At the level of a warning, so that a quieter log still lets people sign in.
    async send({ to, subject, text }) {
      assertOneAddress(to);
      const line = text.replaceAll(/\s+/gu, ' ').trim();
      log.warn(`Mail to ${to} (printed here because SMTP_URL is not set): ${subject}. ${line}`);
    },
    check: () => Promise.resolve(),
    describe: () => ({
      name: 'mail',
      on: false,
      detail: "No mail server is set (SMTP_URL): mails are printed in the server's log.",
    }),
    close: () => undefined,
  };
}

function createSmtpMailer({
  smtpUrl,
  from,
  tls = 'require',
  timeoutMs = TIMEOUT_MS,
}: MailerOptions & { smtpUrl: string }): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // The certificate is checked; without TLS nothing is sent, the password neither.
    requireTLS:
      tls === 'require' && !isLoopback(new URL(smtpUrl.replace(/^smtp/u, 'http')).hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const failed = (cause: unknown): MailError =>
    new MailError((cause as { code?: string }).code === 'ETLS' ? NO_TLS : NOT_TAKEN, { cause });

  return {
    async send({ to, subject, text, html }) {
      assertOneAddress(to);
      const signal = AbortSignal.timeout(timeoutMs);
      await transport
        .sendMail({ from, to: { name: '', address: to }, subject, text, html, signal })
        .catch((error: unknown) => {
          throw failed(error);
        });
    },
    async check() {
      await transport.verify().catch((error: unknown) => {
        throw failed(error);
      });
    },
    describe: () => ({
      name: 'mail',
      on: true,
      detail: `Mails go through ${new URL(smtpUrl).host}.`,
    }),
    close: () => transport.close(),
  };
}
