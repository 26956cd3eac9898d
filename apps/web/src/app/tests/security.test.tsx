import {
  confirmSession,
  deleteAccount,
  endSession,
  endSessions,
  generateApiKey,
  generateCode,
  listApiKeys,
  listConnections,
  listPasskeys,
  listSecurityEvents,
  listSessions,
  signExport,
  type OpenSession,
  type SecurityEvent,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const aSession = (overrides: Partial<OpenSession> = {}): OpenSession => ({
  id: crypto.randomUUID(),
  device: 'Windows',
  ip: '203.0.113.7',
  location: null,
  createdAt: '2026-11-01T10:00:00Z',
  lastUsedAt: '2026-11-03T17:05:00Z',
  expiresAt: '2026-11-10T17:05:00Z',
  current: false,
  ...overrides,
});

const anEvent = (overrides: Partial<SecurityEvent> = {}): SecurityEvent => ({
  id: crypto.randomUUID(),
  at: '2026-11-03T17:05:00Z',
  kind: 'sign_in',
  ip: '203.0.113.7',
  device: 'Windows',
  app: null,
  ...overrides,
});

let server: FakeServer;
let sessions: OpenSession[];
beforeEach(() => {
  notifications.clean();
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  sessions = [
    aSession({ location: 'Lisbon, Portugal' }),
    aSession({ device: null, ip: null }),
    aSession({ device: 'iPhone', current: true }),
  ];
  server = startServerWithFiles()
    .on(listSessions, () => sessions)
    .on(endSession, ({ params }) => {
      sessions = sessions.filter(({ id }) => id !== params['sessionId']);
      return null;
    })
    .on(endSessions, () => {
      const ended = sessions.filter(({ current }) => !current).length;
      sessions = sessions.filter(({ current }) => current);
      return { ended };
    })
    .on(listApiKeys, () => [])
    .on(listConnections, () => [])
    .on(listPasskeys, () => [])
    .on(
      listSecurityEvents,
      () => [anEvent(), anEvent({ kind: 'sign_in_failed', device: null })],
      () => ({ total: 2, nextCursor: null }),
    );
});

const list = () => screen.findByRole('list', { name: 'Sessions' });
const rows = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the sessions', () => {
  test('are listed with device, place and last use, the current one first and without a button', async () => {
    renderApp('/profile#security');
    expect(await rows()).toEqual([
      expect.stringMatching(/^iPhoneThis device203\.0\.113\.7Last used Nov 3, 2026 05:05 PM$/u),
      expect.stringMatching(/^WindowsLisbon, Portugal · 203\.0\.113\.7Last used .*End$/u),
      expect.stringMatching(/^Unknown DeviceLast used .*End$/u),
    ]);
  });

  test('can be ended one by one, and stay if that fails', async () => {
    const { user } = renderApp('/profile#security');
    const endButton = () => screen.findByRole('button', { name: /^End the session on Windows/u });
    server.on(endSession, () => new Refusal(503, 'The database is busy.'));
    await user.click(await endButton());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The session was not ended');
    expect(alert.textContent).toContain('Try again in a moment.');
    expect(await rows()).toHaveLength(3);
    // The session has been ended elsewhere, which is the desired state.
    server.on(endSession, () => {
      sessions = sessions.filter(({ device }) => device !== 'Windows');
      return new Refusal(404, 'There is no such session.');
    });
    await user.click(await endButton());
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect(document.activeElement).toBe(await list());
  });

  test('can be ended except the current one, after a confirmation', async () => {
    const { user } = renderApp('/profile#security');
    await user.click(await screen.findByRole('button', { name: 'End all others' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'End all other sessions' }));
    expect(server.callsOf(endSessions)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'End' }));
    expect(await screen.findByText('2 sessions were ended.')).toBeTruthy();
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull();
  });

  test('are shown in part and then all if there are many, and further ones can be retried', async () => {
    const { user } = renderApp('/profile#security');
    sessions.push(...Array.from({ length: 27 }, () => aSession()));
    await user.click(await screen.findByRole('button', { name: 'Show all 30' }));
    expect(await rows()).toHaveLength(30);
  });

  test('can be retried if they cannot be loaded', async () => {
    server.on(listSessions, () => new Refusal(403, 'Not now.'));
    const { user } = renderApp('/profile#security');
    const alert = await screen.findByText('Your sessions could not be loaded');
    server.on(listSessions, () => sessions);
    await user.click(
      within(alert.closest<HTMLElement>('[role=alert]')!).getByRole('button', {
        name: 'Try again',
      }),
    );
    expect(await rows()).toHaveLength(3);
  });
});

test('security events of the account are listed in plain words, page by page', async () => {
  server.on(
    listSecurityEvents,
    ({ query }) => [anEvent({ kind: query.get('cursor') ? 'key_made' : 'session_copied' })],
    ({ query }) => ({ total: 2, nextCursor: query.get('cursor') ? null : 'more' }),
  );
  const { user } = renderApp('/profile#security');
  expect(await screen.findByText('A session was used from a copy, and was ended')).toBeTruthy();
  expect(screen.getByText('1 of 2 events')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('API key created')).toBeTruthy();
  expect(screen.queryByText('Please check back soon')).toBeNull();
});

describe('a call that needs recent authentication', () => {
  const stale = new Refusal(403, 'You signed in long ago.', {}, 'fresh_code_needed');
  let isFresh = false;
  beforeEach(() => {
    isFresh = false;
    server
      .on(generateCode, () => null)
      .on(confirmSession, ({ body }) => {
        if ((body as { code: string }).code !== '123456') {
          return new Refusal(403, 'OTP verification failed. Please try again.', {}, 'wrong_code');
        }
        isFresh = true;
        return null;
      })
      .on(signExport, () =>
        isFresh ? { url: '#the-export', expiresAt: '2026-11-03T17:20:00Z' } : stale,
      )
      .on(deleteAccount, () => (isFresh ? null : stale));
  });
  const dialog = async () =>
    within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  const startExport = async () => {
    const app = renderApp('/profile');
    await app.user.click(await screen.findByRole('button', { name: 'Export' }));
    return app;
  };
  const type = async (user: UserEvent, code: string) => {
    const first = await (await dialog()).findByRole('textbox', { name: 'Digit 1 of 6' });
    await waitFor(() => expect(first).toHaveProperty('readOnly', false));
    await user.click(first);
    await user.paste(code);
  };

  test('mails a code, reports a wrong one, and continues after the right one', async () => {
    const { user } = await startExport();
    await type(user, '000000');
    expect((await (await dialog()).findByRole('alert')).textContent).toBe(
      'OTP verification failed. Please try again.',
    );
    await type(user, '123456');
    await screen.findByText(/The download has started\./u);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(generateCode).map(({ body }) => body)).toEqual([
      { email: 'ann.becker@example.com' },
    ]);
    expect(server.callsOf(signExport)).toHaveLength(2);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('changes nothing when it is cancelled', async () => {
    const { user } = await startExport();
    await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText(/The download has started/u)).toBeNull();
    expect(server.callsOf(signExport)).toHaveLength(1);
    expect(sessionStorage.getItem('authToken')).toBe('a-token');
    // The next attempt requires a new code.
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await dialog();
  });

  test('reports that the code could not be sent, and sends it again', async () => {
    server.on(generateCode, () => new Refusal(503, 'The mail server is down.'));
    const { user } = await startExport();
    expect((await (await dialog()).findByRole('alert')).textContent).toContain(
      'The code could not be sent. The mail server is down.',
    );
    server.on(generateCode, () => null);
    await user.click((await dialog()).getByRole('button', { name: 'Send the code' }));
    await type(user, '123456');
    await screen.findByText(/The download has started\./u);
  });

  test('opens above the dialog that caused it, and the account is deleted after it', async () => {
    const { user, router } = renderApp('/profile#delete-account');
    const confirm = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
    await user.type(confirm.getByRole('textbox'), 'ann.becker@example.com{Enter}');
    await type(user, '123456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(server.callsOf(deleteAccount)).toHaveLength(2);
  });

  test('keeps the name of a key that was not created', async () => {
    server.on(generateApiKey, () => stale);
    const { user } = renderApp('/settings');
    const field = await screen.findByRole('textbox', { name: 'Name of the new key' });
    await user.type(field, 'Laptop{Enter}');
    await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(field).toHaveProperty('value', 'Laptop');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
