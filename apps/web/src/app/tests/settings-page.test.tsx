import { generateApiKey, listApiKeys, revokeApiKey, type ApiKey } from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const SECRET = `eg_${'k'.repeat(43)}`;

let server: FakeServer;
/** The keys on the server. */
let keys: ApiKey[];

const aKey = (name: string, overrides: Partial<ApiKey> = {}): ApiKey => ({
  id: crypto.randomUUID(),
  name,
  apiKey: 'eg…xyz',
  createdDate: '2026-11-03T17:05:00Z',
  lastUsedDate: null,
  readOnly: false,
  expiresAt: null,
  ...overrides,
});

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  notifications.clean();
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  keys = [aKey('Backup', { lastUsedDate: '2026-11-20T18:30:00Z' }), aKey('Garden log')];
  server = startServerWithFiles()
    .on(listApiKeys, () => keys)
    .on(generateApiKey, ({ params, body }) => {
      const key = aKey(params['name'] ?? '', { apiKey: 'eg…kkk', ...(body as Partial<ApiKey>) });
      keys = [key, ...keys];
      return { ...key, apiKey: SECRET };
    })
    .on(revokeApiKey, ({ params }) => {
      keys = keys.filter(({ id }) => id !== params['id']);
      return null;
    });
});

const rows = async () =>
  (await screen.findAllByRole('listitem')).filter((row) => row.closest('main'));
const names = async () => (await rows()).map((row) => row.querySelector('bdi')?.textContent);
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name of the new key' });

async function open() {
  const app = renderApp('/settings');
  await waitFor(async () => expect(await names()).toEqual(['Backup', 'Garden log']));
  return app;
}

async function createKey(user: Awaited<ReturnType<typeof open>>['user'], name: string) {
  await user.clear(await field());
  await user.type(await field(), name);
  await user.click(screen.getByRole('button', { name: 'Generate Key' }));
}

test('keys are listed masked, with their creation and last use', async () => {
  await open();
  const [backup, garden] = await rows();
  expect(backup?.textContent).toContain('eg…xyz');
  expect(backup?.textContent).toContain('Created Nov 3, 2026 05:05 PM');
  expect(backup?.textContent).toContain('Last used Nov 20, 2026 06:30 PM');
  expect(garden?.textContent).toContain('Last used never');
});

test('a key is shown once, can be copied, and is not stored in the browser', async () => {
  const { user } = await open();
  await createKey(user, 'Nightly import');
  const dialog = await screen.findByRole('dialog', { name: 'Your new API key' });
  expect(within(dialog).getByDisplayValue(SECRET)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Copy' }));
  await within(dialog).findByText('API Key Copied!');
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  await waitFor(async () =>
    expect(await names()).toEqual(['Nightly import', 'Backup', 'Garden log']),
  );
  expect(document.body.innerHTML).not.toContain(SECRET);
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(SECRET);
  expect((await field()).value).toBe('');
});

test('a key may be read-only and may expire, which the list shows', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  keys = [aKey('Backup', { expiresAt: '2026-11-19T20:00:00Z' }), aKey('Garden log')];
  const { user } = await open();
  expect((await rows())[0]?.textContent).toContain('Expired Nov 19, 2026 08:00 PM');
  await user.click(screen.getByRole('checkbox', { name: 'Read only' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Expires' }), 'In 30 days');
  await createKey(user, 'Reader');
  expect(server.callsOf(generateApiKey)[0]?.body).toEqual({
    readOnly: true,
    expiresAt: '2026-12-20T20:00:00.000Z',
  });
  await user.click(await screen.findByRole('button', { name: 'Done' }));
  await waitFor(async () => {
    const text = (await rows())[0]?.textContent;
    expect(text).toContain('Read only');
    expect(text).toContain('Expires Dec 20, 2026 08:00 PM');
  });

  await user.selectOptions(screen.getByRole('combobox', { name: 'Expires' }), 'day');
  const day = screen.getByLabelText('Last day (UTC)');
  fireEvent.change(day, { target: { value: '2026-11-19' } });
  await createKey(user, 'Past');
  await screen.findByText('Choose today or a later day.');
  fireEvent.change(day, { target: { value: '2026-11-20' } });
  await user.click(screen.getByRole('button', { name: 'Generate Key' }));
  await waitFor(() =>
    expect(server.callsOf(generateApiKey)[1]?.body).toMatchObject({ expiresAt: '2026-11-20' }),
  );
});

test('a name that exists is refused by the browser, and by the server', async () => {
  const { user } = await open();
  await createKey(user, ' BACKUP');
  await screen.findByText('API key with name already exists');
  expect(server.callsOf(generateApiKey)).toEqual([]);
  server.on(generateApiKey, () => new Refusal(409, 'API key with name already exists'));
  await createKey(user, 'Made in another tab');
  await screen.findByText('API key with name already exists');
  await createKey(user, ' ');
  await screen.findByText('An API key needs a name.');
});

test('the name of a key that could not be created stays in the input', async () => {
  const { user } = await open();
  server.on(generateApiKey, () => new Refusal(409, 'You have 50 API keys.'));
  await createKey(user, 'Too many');
  const alert = await screen.findByRole('alert');
  expect(alert?.textContent).toContain('Failed to generate API key. Please try again.');
  expect(alert?.textContent).toContain('You have 50 API keys.');
  expect((await field()).value).toBe('Too many');
});

test('a key is revoked after a confirmation, and stays if that fails', async () => {
  const { user } = await open();
  const revoke = async () => {
    await user.click(screen.getByRole('button', { name: 'Revoke Backup' }));
    const dialog = await screen.findByRole('dialog', { name: 'Revoke API key' });
    return { dialog, confirm: within(dialog).getByRole('button', { name: 'Revoke' }) };
  };
  const cancelled = await revoke();
  await user.click(within(cancelled.dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(cancelled.dialog.isConnected).toBe(false));
  expect(server.callsOf(revokeApiKey)).toEqual([]);

  server.on(revokeApiKey, () => {
    throw new Error();
  });
  const { dialog, confirm } = await revoke();
  await user.click(confirm);
  const alert = await within(dialog).findByRole('alert');
  expect(alert?.textContent).toContain('Failed to revoke API key. Please try again.');
  expect(await names()).toContain('Backup');

  server.on(revokeApiKey, () => {
    keys = keys.filter(({ name }) => name !== 'Backup');
    return null;
  });
  await user.click(confirm);
  await screen.findByText('Revoked API successfully');
  await waitFor(async () => expect(await names()).toEqual(['Garden log']));
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Your keys' }));
});

test('the list is shown from the cache, or an error if the cache is empty', async () => {
  await open();
  expect(JSON.parse(sessionStorage.getItem('apiKeys') ?? '{}')).toMatchObject({ data: keys });
  cleanup();
  server.on(listApiKeys, () => new Refusal(503, 'The database is busy.'));
  await open();
  await screen.findByText('The list may be out of date.');
  cleanup();
  server.on(listApiKeys, () => []);
  renderApp('/settings');
  await screen.findByText('No API keys yet');
  expect(sessionStorage.getItem('apiKeys')).toBeNull();
});

test('the other tabs open, and the address names them', async () => {
  const { user, router } = await open();
  for (const [label, hash] of [
    ['Security & Permissions', '#security'],
    ['Notificaitons', '#notifications'],
  ] as const) {
    await user.click(screen.getByRole('tab', { name: label }));
    await screen.findByText('Please check back soon.');
    expect(router.state.location.hash).toBe(hash);
  }
  cleanup();
  renderApp('/settings#integrations');
  await screen.findByRole('tab', { name: 'Integrations', selected: true });
});

test('Integrations has the address for assistants, and a link to the instructions', async () => {
  const { user } = renderApp('/settings#integrations');
  const field = await screen.findByRole<HTMLInputElement>('textbox', {
    name: 'Address for your assistant',
  });
  expect(field.value).toBe(`${window.location.origin}/mcp`);
  await user.click(screen.getAllByRole('button', { name: 'Copy' })[0]!);
  await screen.findByText('The address is copied.');
  expect(await navigator.clipboard.readText()).toBe(field.value);
  const link = screen.getByRole('link', { name: 'How to connect each of them' });
  expect(link.getAttribute('href')).toBe('/documentation#mcp');
});

test('Integrations has a bookmark that opens the upload panel with the address of a page', async () => {
  renderApp('/settings#integrations');
  const link = await screen.findByText('Save to Engram');
  const bookmark = link.getAttribute('href')!;
  expect(screen.getByLabelText<HTMLInputElement>('Address of the bookmark').value).toBe(bookmark);
  const opened: string[] = [];
  const runBookmark = new Function('open', 'location', bookmark.replace('javascript:', ''));
  runBookmark((address: string) => opened.push(address), {
    href: 'https://news.example/a?b=1&c=2#d',
  });
  expect(opened).toEqual([
    `${window.location.origin}/share?url=https%3A%2F%2Fnews.example%2Fa%3Fb%3D1%26c%3D2%23d`,
  ]);
});
