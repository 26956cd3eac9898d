import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  addMailbox,
  type BodyOf,
  changeMailbox,
  checkMailbox,
  deleteAccount,
  deleteArtifact,
  deleteMailbox,
  listArtifacts,
  listMailboxes,
  listSkippedMessages,
  pauseMailbox,
  search,
} from '@engram/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { connectToImap, messageOf, type TestImap, testImapUrl } from './imap-server.test-setup.ts';

const MINUTE = 60_000;

describe.skipIf(!testImapUrl)('a mailbox', () => {
  const engram = useTestApp({
    env: {
      ENGRAM_FETCH_ALLOW: '127.0.0.1',
      ENGRAM_LIMITS: 'enforce',
      ENGRAM_UPLOAD_LIMIT_MB: '1',
    },
  });
  let imap: TestImap;
  let ann: SignedInUser;
  let folder: string;
  let userCount = 0;

  beforeAll(async () => {
    imap = await connectToImap(testImapUrl ?? '');
  });
  afterAll(() => imap.close());
  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    folder = await imap.createFolder();
  });

  const add = async (options: Partial<BodyOf<typeof addMailbox>> = {}, user = ann) => {
    const body = { ...imap.account, folder, afterStoring: 'leave' as const, ...options };
    const { data } = await user.client.call(addMailbox, { body });
    return { params: { id: data.id } };
  };
  const settled = () => engram.settled();
  const check = async (input: { params: { id: string } }): Promise<void> => {
    await ann.client.call(checkMailbox, input);
    await settled();
  };
  const mailboxes = async (user = ann) => (await user.client.call(listMailboxes, {})).data;
  const files = async (user = ann) => (await user.client.call(listArtifacts, {})).data;
  const names = async () =>
    (await files()).map(({ artifactFileName }) => artifactFileName).toSorted();
  const subjects = async (mailFolder = folder) =>
    (await imap.list(mailFolder)).map(({ subject }) => subject).toSorted();

  describe('stores', () => {
    test('each message as a searchable file, with its attachment, its folder and its date', async () => {
      await imap.append(
        folder,
        messageOf({
          subject: 'The lease / of the mill',
          text: 'See the notes.',
          attachment: 'The deposit is 250 euros.',
        }),
      );
      await add();
      await settled();
      expect(await mailboxes()).toMatchObject([
        { folder, checking: false, error: null, stored: 1, skipped: 0, fromSetting: false },
      ]);
      const [file] = await files();
      expect(file).toMatchObject({
        artifactFileName: 'The lease of the mill (2026-11-03).eml',
        source: 'Mail',
        path: `${folder}/The lease of the mill (2026-11-03).eml`,
        modifiedAt: '2026-11-03T17:05:00.000Z',
        keywords: [folder.replaceAll(/[^a-z0-9]/giu, '').slice(0, 25)],
        uploadStatus: 'SUCCESS',
      });
      const body = { text: 'How much is the deposit?' };
      const { data } = await ann.client.call(search, { body });
      expect(data.citations[0]?.artifactId).toBe(file?.artifactId);
      expect(await imap.list(folder)).toMatchObject([{ isSeen: false }]);
    });

    test('only new messages at later checks, and none that was deleted in Engram', async () => {
      await imap.append(folder, messageOf({ subject: 'one' }), messageOf({ subject: 'two' }));
      const input = await add();
      await settled();
      const [first] = await files();
      await ann.client.call(deleteArtifact, { params: { artifactId: first?.artifactId ?? '' } });
      await imap.append(folder, messageOf({ subject: 'three' }));
      await check(input);
      expect(await names()).toHaveLength(2);
      expect(await names()).toContain('three (2026-11-03).eml');

      await ann.client.call(deleteMailbox, input);
      await add();
      await settled();
      expect(await names()).toHaveLength(2);
      expect(await mailboxes()).toMatchObject([{ stored: 3, error: null }]);
    });

    test('the same messages once after UIDVALIDITY has changed, with and without a Message-ID', async () => {
      const messages = [
        messageOf({ subject: 'one' }),
        messageOf({ subject: 'two', id: null }),
        messageOf({ subject: 'three' }),
      ];
      await imap.append(folder, ...messages);
      const input = await add();
      await settled();
      await imap.recreate(folder);
      await imap.append(folder, messageOf({ subject: 'zero' }), ...messages.toReversed());
      await check(input);
      expect(await mailboxes()).toMatchObject([{ stored: 4, error: null }]);
      await imap.append(folder, messageOf({ subject: 'five' }));
      await check(input);
      expect(await mailboxes()).toMatchObject([{ stored: 5, error: null }]);
      expect(await names()).toEqual(
        ['five', 'one', 'three', 'two', 'zero'].map((name) => `${name} (2026-11-03).eml`),
      );
    });

    test('no message that is too large, and lists it with the reason', async () => {
      const large = messageOf({ subject: 'Pictures', text: 'x'.repeat(1_100_000) });
      await imap.append(folder, large, messageOf({ subject: 'small' }));
      const input = await add({ afterStoring: 'read' });
      await settled();
      expect(await names()).toEqual(['small (2026-11-03).eml']);
      expect(await mailboxes()).toMatchObject([{ stored: 1, skipped: 1, error: null }]);
      expect((await ann.client.call(listSkippedMessages, input)).data).toEqual([
        {
          id: expect.any(String),
          subject: 'Pictures',
          sentAt: '2026-11-03T17:05:00.000Z',
          reason: 'The message has 2 MB, and a file can have at most 1 MB.',
        },
      ]);
      expect(await imap.list(folder)).toEqual([
        { subject: 'Pictures', isSeen: false },
        { subject: 'small', isSeen: true },
      ]);
    });

    test('nothing while the storage of the plan is used up, and the rest once there is space', async () => {
      await imap.append(folder, messageOf({ subject: 'one' }), messageOf({ subject: 'two' }));
      const fill = (bytes: number) =>
        engram.deps.database.pool.query('UPDATE artifacts SET size = $1 WHERE user_id = $2', [
          bytes,
          ann.userId,
        ]);
      const input = await add({ afterStoring: 'read' });
      await settled();
      await fill(5_000_000_000);
      await imap.append(folder, messageOf({ subject: 'three' }), messageOf({ subject: 'four' }));
      await check(input);
      const reason = expect.stringMatching(/^Your plan stores up to 10 GB/u);
      expect(await mailboxes()).toMatchObject([{ stored: 2, skipped: 0, error: reason }]);
      expect((await imap.list(folder)).filter(({ isSeen }) => !isSeen)).toHaveLength(2);

      await fill(100);
      await check(input);
      expect(await mailboxes()).toMatchObject([{ stored: 4, skipped: 0, error: null }]);
      expect(await files()).toHaveLength(4);
      expect((await imap.list(folder)).every(({ isSeen }) => isSeen)).toBe(true);
    });

    test('nothing while it is paused', async () => {
      const input = await add();
      await settled();
      await ann.client.call(pauseMailbox, { ...input, body: { paused: true } });
      await imap.append(folder, messageOf());
      await engram.deps.services.mailbox.checkAll();
      await settled();
      await expect(check(input)).rejects.toMatchObject({ status: 409, code: 'paused' });
      expect(await files()).toEqual([]);
      await ann.client.call(pauseMailbox, { ...input, body: { paused: false } });
      await settled();
      expect(await files()).toHaveLength(1);
    });
  });

  describe('after storing messages', () => {
    test('moves them to another folder, and deletes none', async () => {
      const target = await imap.createFolder();
      await imap.append(folder, messageOf({ subject: 'one' }), messageOf({ subject: 'two' }));
      const input = await add({ afterStoring: 'move', moveTo: target });
      await settled();
      expect([await subjects(), await subjects(target)]).toEqual([[], ['one', 'two']]);
      await imap.append(folder, messageOf({ subject: 'three' }));
      await check(input);
      expect([await subjects(), await subjects(target)]).toEqual([[], ['one', 'three', 'two']]);
      expect(await files()).toHaveLength(3);
    });

    test('marks those at the next check that an interruption left unmarked', async () => {
      await imap.append(folder, messageOf());
      const input = await add();
      await settled();
      await ann.client.call(changeMailbox, { ...input, body: { afterStoring: 'read' } });
      await settled();
      await engram.deps.database.pool.query(
        'UPDATE mailbox_messages SET marked = false WHERE mailbox_id = $1',
        [input.params.id],
      );
      expect(await imap.list(folder)).toMatchObject([{ isSeen: false }]);
      await check(input);
      expect(await imap.list(folder)).toMatchObject([{ isSeen: true }]);
    });
  });

  describe('that is invalid is refused with the reason', () => {
    const refusals: [string, () => Partial<BodyOf<typeof addMailbox>>, object][] = [
      ['a wrong password', () => ({ password: 'wrong' }), { status: 422, code: 'sign_in_refused' }],
      [
        'an unknown folder',
        () => ({ folder: 'Nowhere' }),
        {
          status: 422,
          code: 'unknown_folder',
          message: 'There is no folder “Nowhere” in this mailbox.',
        },
      ],
      [
        'an unknown folder to move to',
        () => ({ afterStoring: 'move', moveTo: 'Nowhere' }),
        { status: 422, code: 'unknown_folder' },
      ],
      [
        'an unknown host',
        () => ({ host: 'imap.invalid' }),
        { status: 422, code: 'unknown_host', message: 'imap.invalid cannot be found.' },
      ],
      [
        'a port without a server',
        () => ({ port: 1 }),
        {
          status: 422,
          code: 'unreachable',
          message: '127.0.0.1 cannot be reached on port 1 (ECONNREFUSED).',
        },
      ],
      [
        'an untrusted certificate',
        () => ({ security: 'starttls' }),
        { status: 422, code: 'bad_certificate' },
      ],
      [
        'TLS on a port without it',
        () => ({ security: 'tls' }),
        { status: 422, code: 'no_mail_server' },
      ],
      ['no folder to move to', () => ({ afterStoring: 'move' }), { code: 'folder_needed' }],
      [
        'the same folder to move to',
        () => ({ afterStoring: 'move', moveTo: folder }),
        { code: 'folder_needed' },
      ],
      ['a private address', () => ({ host: '127.0.0.2' }), { status: 400, code: 'closed_address' }],
      [
        'a private address in another form',
        () => ({ host: '127.2' }),
        { status: 400, code: 'closed_address' },
      ],
      [
        'no encryption on the internet',
        () => ({ host: '1.1.1.1' }),
        { status: 400, code: 'encryption_needed' },
      ],
      ['a line break in the folder', () => ({ folder: 'a\r\nb' }), { status: 400 }],
    ];
    test.each(refusals)('%s', async (_, options, refusal) => {
      await expect(add(options())).rejects.toMatchObject(refusal);
      expect(await mailboxes()).toEqual([]);
    });

    test('a folder that the user has already added', async () => {
      await add();
      await expect(add()).rejects.toMatchObject({ status: 409, code: 'mailbox_exists' });
    });
  });

  test('is read over TLS if its certificate is valid', async () => {
    const certificates = getCACertificates();
    const certificate = readFileSync(process.env['ENGRAM_TEST_IMAP_CERTIFICATE'] ?? '', 'utf8');
    setDefaultCACertificates([...certificates, certificate]);
    try {
      await imap.append(folder, messageOf());
      const tls = { security: 'tls' as const, port: Number(process.env['ENGRAM_TEST_IMAPS_PORT']) };
      await add(tls);
      await settled();
      expect(await files()).toHaveLength(1);
      await add({ security: 'starttls' });
      await settled();
      expect(await mailboxes()).toMatchObject([
        { security: 'starttls', stored: 1 },
        { security: 'tls', stored: 1 },
      ]);
      expect(await files()).toHaveLength(1);
    } finally {
      setDefaultCACertificates(certificates);
    }
  });

  test('is read only for its own user, and invisible to others', async () => {
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const other = await imap.createFolder();
    await imap.append(folder, messageOf({ subject: 'for Ann' }));
    await imap.append(other, messageOf({ subject: 'for Bob' }));
    await add();
    await add({ folder: other }, bob);
    await settled();
    const fileNames = async (user: SignedInUser) =>
      (await files(user)).map(({ artifactFileName }) => artifactFileName);
    expect(await fileNames(ann)).toEqual(['for Ann (2026-11-03).eml']);
    expect(await fileNames(bob)).toEqual(['for Bob (2026-11-03).eml']);
    expect(await mailboxes()).toMatchObject([{ folder }]);
    expect(await mailboxes(bob)).toMatchObject([{ folder: other }]);
  });

  test('stores its password encrypted, never returns it, and is deleted with the account', async () => {
    const input = await add();
    await settled();
    const { pool } = engram.deps.database;
    const stored = await pool.query('SELECT * FROM mailboxes WHERE id = $1', [input.params.id]);
    const bytes = stored.rows[0]?.password as Buffer;
    expect(bytes.includes(imap.account.password)).toBe(false);
    expect(JSON.stringify(await mailboxes())).not.toContain('password');
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    const rows = await pool.query('SELECT FROM mailboxes WHERE id = $1', [input.params.id]);
    expect(rows.rowCount).toBe(0);
  });

  test('shows why it cannot be read, is retried less often, and is read again once its password is changed', async () => {
    const input = await add();
    await settled();
    await engram.deps.database.pool.query('UPDATE mailboxes SET folder = $1 WHERE id = $2', [
      'Nowhere',
      input.params.id,
    ]);
    await check(input);
    await check(input);
    const [failed] = await mailboxes();
    expect(failed?.error).toBe('There is no folder “Nowhere” in this mailbox.');
    engram.advance(5 * MINUTE);
    await engram.deps.services.mailbox.checkAll();
    await settled();
    expect((await mailboxes())[0]?.checkedAt).toBe(failed?.checkedAt);
    engram.advance(5 * MINUTE);
    await engram.deps.services.mailbox.checkAll();
    await settled();
    expect((await mailboxes())[0]?.checkedAt).not.toBe(failed?.checkedAt);

    await engram.deps.database.pool.query('UPDATE mailboxes SET folder = $1 WHERE id = $2', [
      folder,
      input.params.id,
    ]);
    const wrong = { password: 'wrong', afterStoring: 'leave' as const };
    await expect(ann.client.call(changeMailbox, { ...input, body: wrong })).rejects.toMatchObject({
      code: 'sign_in_refused',
    });
    const { password } = imap.account;
    await ann.client.call(changeMailbox, { ...input, body: { password, afterStoring: 'leave' } });
    await settled();
    expect((await mailboxes())[0]?.error).toBeNull();
  });
});
