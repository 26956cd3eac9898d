import {
  addCredits,
  listAllLedger,
  listAudit,
  listEmails,
  listUsers,
  type AdminLedgerEntry,
  type AdminUser,
  type AuditEntry,
} from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { openSection, startAccount } from './profile-page.test-setup.ts';

const WRONG = 'Please select a user and enter a valid credit amount.';
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const people = Array.from({ length: 45 }, (_, n) => ({ id: id(n), email: `user${n}@example.org` }));

const anAdminUser = (overrides: Partial<AdminUser> = {}): AdminUser => ({
  ...people[0]!,
  name: 'Ann Becker',
  role: 'USER',
  createdDate: '2026-01-02T20:00:00Z',
  plan: 'Engram - Elite - quarterly',
  status: 'Active',
  credit: 1200,
  files: 3,
  stored: 2_500_000,
  ...overrides,
});

/** The page of a list that a query requests, as the server returns it. */
function pageOf<T extends { email: string }>(rows: readonly T[], query: URLSearchParams) {
  const matching = rows.filter(({ email }) => email.includes(query.get('q') ?? ''));
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit') ?? matching.length);
  const nextCursor = end < matching.length ? String(end) : null;
  return { data: matching.slice(start, end), listing: { total: matching.length, nextCursor } };
}

let server: FakeServer;
let users: AdminUser[];
beforeEach(() => {
  sessionStorage.setItem('is_admin', 'true');
  users = [
    anAdminUser(),
    anAdminUser({ ...people[1]!, name: null, status: 'Cancelled', credit: 0 }),
  ];
  const emptyList = () => ({ total: 0, nextCursor: null });
  server = startAccount()
    .server.on(
      listEmails,
      ({ query }) => pageOf(people, query).data,
      ({ query }) => pageOf(people, query).listing,
    )
    .on(
      listUsers,
      ({ query }) => pageOf(users, query).data,
      ({ query }) => pageOf(users, query).listing,
    )
    .on(listAllLedger, () => [], emptyList)
    .on(listAudit, () => [], emptyList);
});

const open = () => openSection('admin', 'Admin');
const picker = () => screen.findByRole('button', { name: /^User/u });
const options = () => screen.getAllByRole('option').map((option) => option.textContent);

async function pick(user: UserEvent, words: string, email: string): Promise<void> {
  await user.click(await picker());
  await user.type(await screen.findByRole('textbox', { name: 'Search a user by e-mail' }), words);
  await user.click(await screen.findByRole('option', { name: email }));
}

async function add(user: UserEvent, amount: string): Promise<void> {
  const field = screen.getByRole('textbox', { name: 'Credits' });
  await user.clear(field);
  if (amount) await user.type(field, amount);
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Add' }));
}

test('the server searches for users, and further pages are loaded on demand', async () => {
  const { user } = await open();
  expect((await picker()).textContent).toContain('Select...');
  await user.click(await picker());
  await screen.findByRole('option', { name: 'user0@example.org' });
  expect(options()).toHaveLength(21);
  await user.click(screen.getByRole('option', { name: 'Show more' }));
  await screen.findByRole('option', { name: 'user39@example.org' });
  await user.type(screen.getByRole('textbox', { name: 'Search a user by e-mail' }), 'user4');
  await waitFor(() => expect(options()).toHaveLength(6));
  expect(server.callsOf(listEmails).map(({ query }) => query.get('q'))).toContain('user4');
  await user.type(screen.getByRole('textbox', { name: 'Search a user by e-mail' }), 'zzz');
  expect(await screen.findByText('No address contains “user4zzz”.')).toBeTruthy();
});

test('Page Down skips five users, and Enter selects one', async () => {
  const { user } = await open();
  await user.click(await picker());
  await screen.findByRole('option', { name: 'user0@example.org' });
  await user.keyboard('{PageDown}{PageDown}{PageUp}{Enter}');
  expect((await picker()).textContent).toContain('user4@example.org');
});

test('credits are added to the selected user, and the lists are reloaded', async () => {
  server.on(addCredits, ({ params }) => {
    users = users.map((user) =>
      user.id === params['userId']
        ? { ...user, credit: user.credit + Number(params['credits']) }
        : user,
    );
    return { userId: params['userId'] ?? '', credit: 1300 };
  });
  const { user } = await open();
  await screen.findByRole('cell', { name: '1,200' });
  await pick(user, 'user0', 'user0@example.org');
  await add(user, '100');
  expect(await screen.findByText('Updated successfully')).toBeTruthy();
  expect(server.callsOf(addCredits).map(({ params }) => params)).toEqual([
    { userId: id(0), credits: '100' },
  ]);
  expect(await screen.findByRole('cell', { name: '1,300' })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Credits' }).getAttribute('value')).toBe('');
});

test('without a user, or with an invalid amount, nothing is sent', async () => {
  const { user } = await open();
  await picker();
  await add(user, '5');
  expect((await screen.findByRole('alert')).textContent).toBe(WRONG);
  await pick(user, 'user7', 'user7@example.org');
  expect(screen.queryByRole('alert')).toBeNull();
  for (const amount of ['', '0', '-3', '1.5', '1e3', 'ten']) {
    await add(user, amount);
    expect((await screen.findByRole('alert')).textContent).toBe(WRONG);
  }
  await add(user, '1000001');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'At most 1,000,000 credits can be added at once.',
  );
  expect(server.callsOf(addCredits)).toEqual([]);
});

test('a failure shows its own message, and the input stays', async () => {
  server.on(addCredits, () => new Refusal(503, 'The database is busy.'));
  const { user } = await open();
  await pick(user, 'user7', 'user7@example.org');
  await add(user, '5');
  const alert = (await screen.findByRole('alert')).textContent;
  expect(alert).toContain('The credits were not added.');
  expect(alert).toContain('The database is busy.');
  expect(screen.getByRole('textbox', { name: 'Credits' }).getAttribute('value')).toBe('5');
});

test('all users are listed with plan, credits and files, and can be searched', async () => {
  const { user } = await open();
  const table = await screen.findByRole('table', { name: 'Users, newest first' });
  const [, first, second] = within(table).getAllByRole('row');
  expect([...first!.children].map((cell) => cell.textContent)).toEqual([
    'user0@example.orgAnn Becker',
    'Engram - Elitequarterly',
    '1,200',
    '32.4 MB',
    '2 January 2026',
  ]);
  expect(second!.textContent).toContain('quarterly · Cancelled');
  await user.type(screen.getByRole('textbox', { name: 'Search users' }), 'user1@');
  expect(await screen.findByText('1 user')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Search users' }), 'zzz');
  expect(await screen.findByText('No name or address contains “user1@zzz”.')).toBeTruthy();
});

test('the ledger and the audit log are loaded when they are opened, and name users', async () => {
  const page = () => ({ total: 1, nextCursor: null });
  const createdDate = '2026-11-03T17:05:00Z';
  const change: AdminLedgerEntry = {
    id: id(90),
    userId: id(3),
    email: people[3]!.email,
    change: 5,
    balance: 5,
    reason: 'Added by an admin',
    createdDate,
  };
  const action: AuditEntry = {
    id: id(91),
    createdDate,
    actor: null,
    action: 'credits.add',
    subject: people[3]!,
    details: 'Added 5 credits.',
  };
  server.on(listAllLedger, () => [change], page).on(listAudit, () => [action], page);
  const { user } = await open();
  await screen.findByRole('table', { name: 'Users, newest first' });
  expect([...server.callsOf(listAllLedger), ...server.callsOf(listAudit)]).toEqual([]);
  await user.click(screen.getByRole('tab', { name: 'Credit ledger' }));
  expect(await screen.findByRole('cell', { name: 'user3@example.org' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '+5' })).toBeTruthy();
  expect(server.callsOf(listEmails)).toEqual([]);
  await user.click(screen.getByRole('tab', { name: 'Audit log' }));
  expect(await screen.findByRole('cell', { name: 'Added 5 credits.' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: 'Account deleted' })).toBeTruthy();
});

test('a list that cannot be loaded can be retried', async () => {
  server.on(listUsers, () => new Refusal(503, 'The database is busy.'));
  const { user } = await open();
  expect(await screen.findByText('The users could not be loaded')).toBeTruthy();
  server.on(listUsers, () => []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('There are no users.')).toBeTruthy();
});
