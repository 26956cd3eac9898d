import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { isLoopback } from '../http/hosts.ts';

/** The timeout of a connection to the mail server and of each response, in milliseconds. */
const TIMEOUT_MS = 10_000;

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

interface MailerOptions {
  /** smtp://user:password@host:port or smtps://…; without it, mails are logged. */
  smtpUrl?: string | undefined;
  /** The sender, such as 'Engram <engram@example.org>'. */
  from: string;
  /** Whether a mail server on another machine must offer TLS. Default: require. */
  tls?: 'require' | 'optional';
  log: Pick<FastifyBaseLogger, 'warn'>;
  timeoutMs?: number;
}

/** The mail server did not accept a mail. The cause is for the log. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

// A line break or a second address would send the mail to someone else.
const recipient = z.string().regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/u);

const assertOneAddress = (to: string): void => {
  if (!recipient.safeParse(to).success) throw new MailError('Not a single email address.');
};

const NOT_ACCEPTED = 'The mail server did not accept the mail.';

const NO_TLS =
  'The mail server does not offer TLS, so nothing was sent. Use smtps:// in SMTP_URL if the server supports it, or set ENGRAM_SMTP_TLS=optional if the network is trusted.';

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined
    ? createLogMailer(options)
    : createSmtpMailer({ ...options, smtpUrl: options.smtpUrl });
}

function createLogMailer({ log }: MailerOptions): Mailer {
  return {
    // Logged as a warning, so that sign-in also works at higher log levels.
    async send({ to, subject, text }) {
      assertOneAddress(to);
      const line = text.replaceAll(/\s+/gu, ' ').trim();
      log.warn(`Mail to ${to} (logged because SMTP_URL is not set): ${subject}. ${line}`);
    },
    check: () => Promise.resolve(),
    describe: () => ({
      name: 'mail',
      on: false,
      detail: "No mail server is set (SMTP_URL), so mails are written to the server's log.",
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
    // The certificate is checked. Without TLS, not even the password is sent.
    requireTLS:
      tls === 'require' && !isLoopback(new URL(smtpUrl.replace(/^smtp/u, 'http')).hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const failed = (cause: unknown): MailError =>
    new MailError((cause as { code?: string }).code === 'ETLS' ? NO_TLS : NOT_ACCEPTED, { cause });

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
      detail: `Mails are sent through ${new URL(smtpUrl).host}.`,
    }),
    close: (): void => transport.close(),
  };
}

export type Mailer = ReturnType<typeof createSmtpMailer>;
