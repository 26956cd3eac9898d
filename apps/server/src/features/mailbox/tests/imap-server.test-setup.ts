import { randomUUID } from 'node:crypto';
import { ImapFlow } from 'imapflow';

const HOUR_MS = 3_600_000;

/** A real IMAP server: `npm run with-services -- --install imap npm test`. */
export const testImapUrl = process.env['ENGRAM_TEST_IMAP_URL'];

export const MIME_BOUNDARY = 'part-of-a-message';

interface TestMessage {
  subject?: string;
  id?: string | null;
  text?: string;
  attachment?: string;
}

/** The bytes of a message, with an optional text attachment. */
export function messageOf({
  subject = 'Greetings',
  id = randomUUID(),
  text = 'Hello from the mill.',
  attachment,
}: TestMessage = {}): Buffer {
  const headers = [
    'From: Ben <ben@example.org>',
    'To: Ann <ann@example.org>',
    `Subject: ${subject}`,
    'Date: Tue, 03 Nov 2026 17:05:00 +0000',
    ...(id === null ? [] : [`Message-ID: <${id}@example.org>`]),
    'MIME-Version: 1.0',
  ];
  const body =
    attachment === undefined
      ? ['Content-Type: text/plain; charset=utf-8', '', text]
      : [
          `Content-Type: multipart/mixed; boundary="${MIME_BOUNDARY}"`,
          '',
          `--${MIME_BOUNDARY}`,
          'Content-Type: text/plain; charset=utf-8',
          '',
          text,
          `--${MIME_BOUNDARY}`,
          'Content-Type: text/plain; name="notes.txt"',
          'Content-Disposition: attachment; filename="notes.txt"',
          'Content-Transfer-Encoding: base64',
          '',
          Buffer.from(attachment).toString('base64').replaceAll(/.{76}/gu, '$&\r\n'),
          `--${MIME_BOUNDARY}--`,
        ];
  return Buffer.from(`${[...headers, ...body].join('\r\n')}\r\n`);
}

/** The user of the server, who creates folders and puts messages into them. */
export async function connectToImap(url: string) {
  const { hostname: host, port, username, password } = new URL(url);
  const auth = { user: username, pass: password };
  const plain = { host, port: Number(port), secure: false, doSTARTTLS: false };
  const client = new ImapFlow({
    ...plain,
    auth,
    logger: false,
    disableAutoIdle: true,
    socketTimeout: HOUR_MS,
  });
  await client.connect();

  return {
    /** What a user enters to add one of the folders. */
    account: { host, port: Number(port), security: 'none' as const, username, password },

    async createFolder(): Promise<string> {
      const name = `Post ${randomUUID()}`;
      await client.mailboxCreate(name);
      return name;
    },

    async append(folder: string, ...messages: readonly Buffer[]): Promise<void> {
      for (const message of messages) await client.append(folder, message);
    },

    /** Deletes a folder and creates it again, which changes its UIDVALIDITY. */
    async recreate(folder: string): Promise<void> {
      await client.mailboxDelete(folder);
      await client.mailboxCreate(folder);
    },

    /** The subjects in a folder with their flags. */
    async list(folder: string): Promise<{ subject: string; isSeen: boolean }[]> {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true });
      const messages =
        exists === 0 ? [] : await client.fetchAll('1:*', { envelope: true, flags: true });
      await client.mailboxClose();
      return messages.map(({ envelope, flags }) => ({
        subject: envelope?.subject ?? '',
        isSeen: flags?.has(String.raw`\Seen`) ?? false,
      }));
    },

    async deleteFirst(folder: string): Promise<void> {
      await client.mailboxOpen(folder);
      await client.messageDelete('1');
      await client.mailboxClose();
    },

    close: (): Promise<void> => client.logout(),
  };
}

export type TestImap = Awaited<ReturnType<typeof connectToImap>>;
