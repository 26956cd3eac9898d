import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string;
  /** Headers and body as received. */
  text: string;
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Addresses for which mail is refused. */
  refused: Set<string>;
  /** The next mail to an address that no test has read yet. Waits until it arrives. */
  next: (address: string) => Promise<ReceivedMail>;
  close: () => Promise<void>;
}

/** A real SMTP server on a free port of this machine that stores received mail. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refused = new Set<string>();
  const readMails = new Set<ReceivedMail>();
  const arrived = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      done(refused.has(address) ? new Error('No such mailbox') : null);
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo) mails.push({ to: address, text });
        arrived.forEach((notify) => notify());
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refused,
    async next(address) {
      for (;;) {
        const mail = mails.find((mail) => mail.to === address && !readMails.has(mail));
        if (mail) {
          readMails.add(mail);
          return mail;
        }
        await new Promise<void>((resolve) => {
          const notify = (): void => {
            arrived.delete(notify);
            resolve();
          };
          arrived.add(notify);
        });
      }
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
