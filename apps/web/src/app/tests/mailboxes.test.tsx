import {
  addMailbox,
  changeMailbox,
  checkMailbox,
  deleteMailbox,
  listMailboxes,
  listSkippedMessages,
  type Mailbox,
  pauseMailbox,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const aMailbox = (overrides: Partial<Mailbox> = {}): Mailbox => ({
  id: '00000000-0000-4000-8000-000000000001',
  host: 'imap.example.org',
  port: 993,
  security: 'tls',
  username: 'ann@example.org',
  folder: 'INBOX',
  afterStoring: 'leave',
  moveTo: null,
  paused: false,
  fromSetting: false,
  checking: false,
  checkedAt: '2026-11-03T17:05:00Z',
  error: null,
  stored: 12,
  skipped: 0,
  createdDate: '2026-11-03T17:00:00Z',
  ...overrides,
});

let server: FakeServer;
let mailboxes: Mailbox[];

const setMailbox = (overrides: Partial<Mailbox>): Mailbox => {
  mailboxes = [aMailbox({ ...mailboxes[0], ...overrides })];
  return mailboxes[0]!;
};

beforeEach(() => {
  notifications.clean();
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  mailboxes = [];
  server = startServerWithFiles()
    .on(listMailboxes, () => mailboxes)
    .on(addMailbox, () => setMailbox({ stored: 0, checkedAt: null }))
    .on(changeMailbox, ({ body }) => setMailbox(body as Partial<Mailbox>))
    .on(pauseMailbox, ({ body }) => setMailbox(body as Partial<Mailbox>))
    .on(checkMailbox, () => setMailbox({ stored: 13, error: null }))
    .on(listSkippedMessages, () => [
      {
        id: '1-1',
        subject: 'Pictures',
        sentAt: '2026-11-03T17:05:00Z',
        reason: 'The message has 600 MB.',
      },
    ])
    .on(deleteMailbox, () => {
      mailboxes = [];
      return null;
    });
});

async function open() {
  const { user } = renderApp('/settings#integrations');
  const section = await screen.findByRole('region', { name: 'Mailboxes' });
  const clickAction = async (name: string): Promise<void> => {
    await user.click(await within(section).findByRole('button', { name: /^More actions for / }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  return { user, section, clickAction };
}

test('a mailbox is added with the entered values, and the browser stores no password', async () => {
  const { user, section } = await open();
  await within(section).findByText('No mailboxes yet');
  await user.click(within(section).getByRole('button', { name: 'Add mailbox' }));
  const form = await screen.findByRole('dialog', { name: 'Add mailbox' });
  const enter = async (label: string, text: string): Promise<void> => {
    await user.clear(within(form).getByLabelText(label));
    await user.type(within(form).getByLabelText(label), text);
  };
  await user.click(within(form).getByRole('button', { name: 'Add' }));
  await within(form).findByText('Please enter the server.');
  await enter('Server', 'imap.example.org');
  await enter('User name', 'ann@example.org');
  await enter('Password', 'a secret');
  await user.selectOptions(within(form).getByLabelText('Encryption'), 'STARTTLS');
  expect(within(form).getByLabelText<HTMLInputElement>('Port').value).toBe('143');
  await user.selectOptions(
    within(form).getByLabelText('After storing messages'),
    'Move them to a folder',
  );
  await enter('Move to folder', 'Stored');
  await user.click(within(form).getByRole('button', { name: 'Add' }));
  await within(section).findByText('0 messages stored');
  expect(server.callsOf(addMailbox).map(({ body }) => body)).toEqual([
    {
      host: 'imap.example.org',
      port: 143,
      security: 'starttls',
      username: 'ann@example.org',
      password: 'a secret',
      folder: 'INBOX',
      afterStoring: 'move',
      moveTo: 'Stored',
    },
  ]);
  await waitFor(() => expect(document.body.innerHTML).not.toContain('a secret'));
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('a secret');
});

test('a refused mailbox leaves the form open with the reason', async () => {
  const reason = 'imap.example.org refused the user name or the password.';
  server.on(changeMailbox, () => new Refusal(422, reason));
  mailboxes = [aMailbox()];
  const { user, clickAction } = await open();
  await clickAction('Change');
  const form = await screen.findByRole('dialog', { name: 'Change mailbox' });
  await user.type(within(form).getByLabelText('Password'), 'wrong');
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  expect((await within(form).findByRole('alert')).textContent).toContain(reason);
  expect(server.callsOf(changeMailbox)[0]?.body).toEqual({
    password: 'wrong',
    afterStoring: 'leave',
    moveTo: null,
  });
});

test('a mailbox can be checked, paused, resumed, and removed after a confirmation', async () => {
  mailboxes = [aMailbox({ error: 'imap.example.org cannot be reached.' })];
  const { user, section, clickAction } = await open();
  await within(section).findByText('Failing');
  await within(section).findByText('imap.example.org cannot be reached.');
  await user.click(within(section).getByRole('button', { name: /^Check .* now$/ }));
  await within(section).findByText('13 messages stored');
  await clickAction('Pause');
  await within(section).findByText('Paused');
  await user.click(within(section).getByRole('button', { name: /^Resume / }));
  await waitFor(() => expect(within(section).queryByText('Paused')).toBeNull());
  await clickAction('Remove');
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  await within(section).findByText('No mailboxes yet');
});

test('skipped messages are listed with the reason', async () => {
  mailboxes = [aMailbox({ skipped: 1 })];
  const { user, section } = await open();
  await user.click(await within(section).findByRole('button', { name: '1 skipped' }));
  const dialog = await screen.findByRole('dialog', { name: 'Messages that were not stored' });
  expect((await within(dialog).findByRole('listitem')).textContent).toContain('has 600 MB.');
});

test('a mailbox of the operator is marked, and cannot be changed', async () => {
  mailboxes = [aMailbox({ fromSetting: true })];
  const { user, section } = await open();
  await within(section).findByText(/set by the operator of this server/);
  await user.click(within(section).getByRole('button', { name: /^More actions for / }));
  await screen.findByRole('menuitem', { name: 'Pause' });
  expect(screen.queryByRole('menuitem', { name: 'Change' })).toBeNull();
});
