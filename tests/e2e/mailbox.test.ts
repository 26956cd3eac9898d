import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@engram/client';
import { addMailbox, listArtifacts, listMailboxes, searchReady } from '@engram/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  connectToImap,
  messageOf,
  type TestImap,
  testImapUrl,
} from '../../apps/server/src/features/mailbox/tests/imap-server.test-setup.ts';
import { type Engram, signIn, startEngram } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';
import { createRandom } from './random.test-setup.ts';

/** The number of kills. `ENGRAM_TEST_KILLS=20` runs the full test. */
const TRIAL = process.env['ENGRAM_TEST_KILLS'];
const KILLS = Number(TRIAL ?? 4);
const MESSAGES = TRIAL ? 500 : 100;
const MAX_UPTIME_MS = 2000;
const longWait = { timeout: 300_000, interval: 200 };

const env = { ENGRAM_FETCH_ALLOW: '127.0.0.1', ENGRAM_LLM: 'none' };

const messages = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) =>
    messageOf({
      subject: `Message ${n}`,
      text: `The stone of message ${n}.`,
      attachment: `Its code is QX${7000 + n}. ${'Slate and granite. '.repeat(2000)}`,
    }),
  );

const subjectsOf = async (imap: TestImap, folder: string): Promise<string[]> =>
  (await imap.list(folder)).map(({ subject }) => subject).toSorted();

describe.skipIf(!testImapUrl)('a mailbox of a server that is killed', () => {
  let engram: Engram;
  let client: Client;
  let imap: TestImap;

  beforeAll(async () => {
    imap = await connectToImap(testImapUrl ?? '');
    engram = await startEngram({ ...env, ENGRAM_RATE_LIMITS: 'off' });
    const token = await signIn(engram, 'ada@example.org');
    client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  });
  afterAll(async () => {
    await engram.close();
    await imap.close();
  });

  test(
    `${KILLS} kills neither lose nor duplicate any of ${MESSAGES} messages, and all are moved`,
    { timeout: 900_000 },
    async () => {
      const random = createRandom(20_261_130);
      const [folder, target] = [await imap.createFolder(), await imap.createFolder()];
      await imap.append(folder, ...messages(MESSAGES));
      const start = Date.now();
      const account = { ...imap.account, folder, afterStoring: 'move' as const, moveTo: target };
      await client.call(addMailbox, { body: account });
      for (let killed = 0; killed < KILLS; killed += 1) {
        // Kills at a fixed time, without waiting for a state.
        await sleep(random() * MAX_UPTIME_MS);
        await engram.kill();
        await engram.restart();
      }
      await vi.waitFor(async () => expect(await imap.list(folder)).toEqual([]), longWait);
      if (TRIAL) process.stdout.write(`Stored and moved after ${Date.now() - start} ms.\n`);
      await vi.waitFor(async () => {
        expect((await client.call(searchReady, {})).data).toBe(true);
      }, longWait);
      if (TRIAL) process.stdout.write(`Searchable after ${Date.now() - start} ms.\n`);

      const subjects = messages(MESSAGES).map((_, n) => `Message ${n}`);
      expect(await subjectsOf(imap, target)).toEqual(subjects.toSorted());
      const { data: files } = await client.call(listArtifacts, {});
      expect(files.map(({ artifactFileName }) => artifactFileName).toSorted()).toEqual(
        subjects.map((subject) => `${subject} (2026-11-03).eml`).toSorted(),
      );
      expect(files.filter(({ uploadStatus }) => uploadStatus !== 'SUCCESS')).toEqual([]);
      const { data: mailboxes } = await client.call(listMailboxes, {});
      expect(mailboxes).toMatchObject([{ stored: MESSAGES, skipped: 0, error: null }]);
    },
  );
});

describe.skipIf(!testImapUrl || !process.env['CHROMIUM_PATH'])('a mailbox on screen', () => {
  const journey = useJourney({ env: () => env });
  const problems: string[] = [];
  let imap: TestImap;
  let page: Page;
  let ann: Awaited<ReturnType<typeof startUser>>;
  let folder: string;

  beforeAll(async () => {
    imap = await connectToImap(testImapUrl ?? '');
    folder = await imap.createFolder();
    await imap.append(folder, messageOf({ subject: 'Lease', attachment: 'It ends in May.' }));
    const files = [{ name: 'note.txt', content: new Blob(['The boathouse is green.']) }];
    ann = await startUser(journey.engram, 'ann@example.org', files);
    page = await ann.openPage(journey.browser, problems);
  });
  afterAll(() => imap.close());

  test('is added after a wrong password, and its message is found among the files', async () => {
    await page.goto(`${journey.engram.url}/settings#integrations`);
    const section = page.getByRole('region', { name: 'Mailboxes', exact: true });
    await section.getByRole('button', { name: 'Add mailbox' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add mailbox' });
    await dialog.getByLabel('Server').fill(imap.account.host);
    await dialog.getByLabel('Encryption').selectOption('none');
    await dialog.getByLabel('Port').fill(String(imap.account.port));
    await dialog.getByLabel('User name').fill(imap.account.username);
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByLabel('Folder').fill(folder);
    await dialog.getByLabel('After storing messages').selectOption('read');
    await page.keyboard.press('Enter');
    await dialog.getByText('refused the user name or the password').waitFor();
    await dialog.getByLabel('Password').fill(imap.account.password);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await section.getByText('1 message stored').waitFor();
    expect(await imap.list(folder)).toEqual([{ subject: 'Lease', isSeen: true }]);
    await ann.settled();
    await page.goto(`${journey.engram.url}/allfiles?source=Mail`);
    await page.getByText('Lease (2026-11-03).eml').first().waitFor();
  });

  test('is checked, paused and removed, and its file stays', async () => {
    await page.goto(`${journey.engram.url}/settings#integrations`);
    const section = page.getByRole('region', { name: 'Mailboxes', exact: true });
    await imap.append(folder, messageOf({ subject: 'Key' }));
    await section.getByRole('button', { name: /^Check .* now$/u }).click();
    await section.getByText('2 messages stored').waitFor();
    const clickAction = async (name: string): Promise<void> => {
      await section.getByRole('button', { name: /^More actions for / }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await clickAction('Pause');
    await section.getByText('Paused').waitFor();
    await clickAction('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await section.getByText('No mailboxes yet').waitFor();
    const { data: files } = await ann.client.call(listArtifacts, {});
    expect(files).toHaveLength(3);
    // The browser reports the refusal of the wrong password.
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });
});
