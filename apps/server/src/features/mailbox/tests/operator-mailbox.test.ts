import { changeMailbox, deleteMailbox, listMailboxes, pauseMailbox } from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp } from '../../../tests/app.test-setup.ts';
import { connectToImap, messageOf, type TestImap, testImapUrl } from './imap-server.test-setup.ts';

describe.skipIf(!testImapUrl)('a mailbox of the operator', () => {
  let imap: TestImap;

  beforeAll(async () => {
    imap = await connectToImap(testImapUrl ?? '');
  });
  afterAll(() => imap.close());

  test.each([
    ['its account', ':operator@example.org'],
    ['the oldest account', ''],
  ])('is read for %s, even on the private network, and can only be paused', async (_, suffix) => {
    const { host, port, username, password } = imap.account;
    const folder = await imap.createFolder();
    const address = `imap://${username}:${password}@${host}:${port}/${encodeURIComponent(folder)}`;
    const target = await imap.createFolder();
    await imap.append(folder, messageOf({ subject: 'Scan' }));
    const after = encodeURIComponent(`move:${target}`);
    await using engram = await buildTestApp({
      env: { ENGRAM_MAIL_IN: `${address}?after=${after}${suffix}`, ENGRAM_LOG_LEVEL: 'silent' },
    });
    const { client } = await engram.signIn('operator@example.org');
    const mailboxes = async () => (await client.call(listMailboxes, {})).data;
    await engram.deps.services.mailbox.checkAll();
    await engram.settled();
    const [mailbox] = await mailboxes();
    expect(mailbox).toMatchObject({ fromSetting: true, stored: 1, error: null, moveTo: target });
    expect(await imap.list(target)).toMatchObject([{ subject: 'Scan' }]);
    const input = { params: { id: mailbox?.id ?? '' } };
    const refusal = { status: 409, code: 'set_by_operator' };
    const body = { afterStoring: 'leave' as const };
    await expect(client.call(changeMailbox, { ...input, body })).rejects.toMatchObject(refusal);
    await expect(client.call(deleteMailbox, input)).rejects.toMatchObject(refusal);
    await client.call(pauseMailbox, { ...input, body: { paused: true } });
    await engram.deps.services.mailbox.checkAll();
    expect(await mailboxes()).toMatchObject([{ paused: true, checking: false }]);
  });
});
