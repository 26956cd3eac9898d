import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { isLoopback } from '../http/hosts.ts';

/** Timeout of a connection to the mail server and of each of its answers, in milliseconds. */
const TIMEOUT_MS = 10_000;

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

interface MailerOptions {
  /** smtp://user:password@host:port or smtps://…; without it mails are printed in the log. */
  smtpUrl?: string | undefined;
  /** Sender, such as 'Engram <engram@example.org>'. */
  from: string;
  /** Whether a mail server on another machine must offer TLS. Default: require. */
  tls?: 'require' | 'optional';
  log: Pick<FastifyBaseLogger, 'warn'>;
  timeoutMs?: number;
}

/** The mail server did not accept a mail; `cause` is for the log. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

// A line break or a second address would send the mail to someone else.
const recipient = z.string().regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/u);

const assertOneAddress = (to: string): void => {
  if (!recipient.safeParse(to).success) throw new MailError('This is not a single mail address.');
};

const NOT_TAKEN = 'The mail server did not take the mail.';

const NO_TLS =
  'The mail server offers no TLS, so nothing was sent. Use smtps:// in SMTP_URL where it takes that, or set ENGRAM_SMTP_TLS=optional where nobody can listen in between.';

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined
    ? createLogMailer(options)
    : createSmtpMailer({ ...options, smtpUrl: options.smtpUrl });
}

function createLogMailer({ log }: MailerOptions): Mailer {
  return {
    // As a warning, so that sign-in works at a higher log level too.
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
}: MailerOptions & { smtpUrl: string }) {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // The certificate is checked. Without TLS nothing is sent, not even the password.
    requireTLS:
      tls === 'require' && !isLoopback(new URL(smtpUrl.replace(/^smtp/u, 'http')).hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const failed = (cause: unknown): MailError =>
    new MailError((cause as { code?: string }).code === 'ETLS' ? NO_TLS : NOT_TAKEN, { cause });

  return {
    /** @throws MailError if the server cannot be reached in time or refuses the mail */
    async send({ to, subject, text, html }: MailMessage): Promise<void> {
      assertOneAddress(to);
      const signal = AbortSignal.timeout(timeoutMs);
      await transport
        .sendMail({ from, to: { name: '', address: to }, subject, text, html, signal })
        .catch((error: unknown) => {
          throw failed(error);
        });
    },
    /** Signs in to the mail server without sending anything. @throws MailError */
    async check(): Promise<void> {
      await transport.verify().catch((error: unknown) => {
        throw failed(error);
      });
    },
    describe: (): { name: 'mail'; on: boolean; detail: string } => ({
      name: 'mail',
      on: true,
      detail: `Mails go through ${new URL(smtpUrl).host}.`,
    }),
    close: (): void => transport.close(),
  };
}

export type Mailer = ReturnType<typeof createSmtpMailer>;
