import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  addMailbox,
  checkMailbox,
  listArtifacts,
  listMailboxes,
  listSkippedMessages,
} from '@engram/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

/** Answers the commands that a check begins with. */
const START: Record<string, string> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1 UIDPLUS AUTH=PLAIN\r\n',
  SELECT: '* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 2] ok\r\n',
  LIST: '* LIST () "/" INBOX\r\n',
};

type Answer = string | null;

let script: Record<string, Answer | ((line: string) => Answer)> = {};
const sockets = new Set<Socket>();
/** An IMAP server that does what the script says. Null ends the connection. */
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  socket.write('* OK ready\r\n');
  let rest = '';
  socket.on('data', (data) => {
    const lines = `${rest}${data.toString()}`.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [tag, first = '', second = ''] = line.split(' ');
      const command = (first === 'UID' ? second : first).toUpperCase().replace('EXAMINE', 'SELECT');
      const scripted = script[command] === undefined ? (START[command] ?? '') : script[command];
      const answer = typeof scripted === 'function' ? scripted(line) : scripted;
      if (answer === null) socket.destroy();
      else socket.write(`${answer}${tag} OK done\r\n`);
    }
  });
});

const engram = useTestApp({ env: { ENGRAM_FETCH_ALLOW: '127.0.0.1' } });
let ann: SignedInUser;
let input: { params: { id: string } };

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ann = await engram.signIn('ann@example.org');
  const { data } = await ann.client.call(addMailbox, { body: account() });
  input = { params: { id: data.id } };
  await engram.settled();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const account = () => ({
  host: '127.0.0.1',
  port: (server.address() as AddressInfo).port,
  security: 'none' as const,
  username: 'ann',
  password: 'secret',
  folder: 'INBOX',
  afterStoring: 'leave' as const,
});

const envelope = '("Tue, 03 Nov 2026 17:05:00 +0000" "Hi" NIL NIL NIL NIL NIL NIL NIL "<a@b>")';
const SEARCH = '* SEARCH 1\r\n';

test.each([
  [
    'announces a literal without end',
    { SEARCH, FETCH: '* 1 FETCH (UID 1 BODY[] {99999999999}\r\n' },
  ],
  ['sends a line without end', { SEARCH: `* SEARCH ${'1 '.repeat(3_000_000)}` }],
  ['ends the connection before it answers', { SEARCH: null }],
  ['ends the connection before a message', { SEARCH, FETCH: null }],
])(
  'a server that %s makes the check fail with a message, and nothing is stored',
  async (_, commands) => {
    script = commands;
    await ann.client.call(checkMailbox, input);
    await engram.settled();
    const { data } = await ann.client.call(listMailboxes, {});
    expect(data).toMatchObject([{ error: expect.stringMatching(/^.{10,200}\.$/u), stored: 0 }]);
    expect((await ann.client.call(listArtifacts, {})).data).toEqual([]);
  },
);

const DESCRIBED = `* 1 FETCH (UID 1 RFC822.SIZE 9 INTERNALDATE " 3-Nov-2026 17:05:00 +0000" ENVELOPE ${envelope})\r\n`;

test('a message that is deleted before its download is skipped', async () => {
  script = { SEARCH, FETCH: DESCRIBED };
  await ann.client.call(checkMailbox, input);
  await engram.settled();
  const { data } = await ann.client.call(listMailboxes, {});
  expect(data).toMatchObject([{ error: null, stored: 0, skipped: 0 }]);
});

test('a folder of 120,000 messages is searched in parts, and all its new messages are requested', async () => {
  const count = 120_000;
  const described = new Set<number>();
  script = {
    SELECT: `* ${count} EXISTS\r\n* OK [UIDVALIDITY 8] ok\r\n* OK [UIDNEXT ${count + 1}] ok\r\n`,
    SEARCH(line) {
      const [first = 0, last = 0] = (/ (\d+):(\d+) /u.exec(line) ?? []).slice(1).map(Number);
      const uids = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      return `* SEARCH ${uids.join(' ')}\r\n`;
    },
    // All of them were deleted since.
    FETCH(line) {
      for (const uid of line.split(' ')[3]?.split(',') ?? []) described.add(Number(uid));
      return '';
    },
  };
  await ann.client.call(checkMailbox, input);
  await engram.settled();
  expect((await ann.client.call(listMailboxes, {})).data).toMatchObject([{ error: null }]);
  expect(described.size).toBe(count);
});

test('a message that is never delivered is skipped after five failed checks', async () => {
  script = { SEARCH: '' };
  const ben = await engram.signIn('ben@example.org');
  const { data: added } = await ben.client.call(addMailbox, { body: account() });
  await engram.settled();
  script = { SEARCH, FETCH: (line) => (line.includes('BODY') ? null : DESCRIBED) };
  const params = { id: added.id };
  for (let failed = 1; failed <= 5; failed += 1) {
    await ben.client.call(checkMailbox, { params });
    await engram.settled();
    const { data } = await ben.client.call(listMailboxes, {});
    expect(data).toMatchObject([{ error: expect.any(String), skipped: 0 }]);
  }
  await ben.client.call(checkMailbox, { params });
  await engram.settled();
  expect((await ben.client.call(listSkippedMessages, { params })).data).toMatchObject([
    { subject: 'Hi', reason: expect.stringMatching(/connection/u) },
  ]);
});

test.each(['127.0.0.2', '127.2', '[::1]', '169.254.169.254', '::ffff:10.0.0.1'])(
  'the private address %s is refused in any notation',
  async (host) => {
    const body = { ...account(), host };
    await expect(ann.client.call(addMailbox, { body })).rejects.toMatchObject({
      status: 400,
      code: 'closed_address',
    });
  },
);
