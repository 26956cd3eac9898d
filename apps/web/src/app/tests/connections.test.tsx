import {
  allowConnection,
  allowDevice,
  type Connection,
  type ConnectionRequest,
  endConnection,
  endConnections,
  getConnectionRequest,
  getDeviceRequest,
  getProfile,
  listApiKeys,
  listConnections,
  listSecurityEvents,
  listSessions,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const aRequest = (over: Partial<ConnectionRequest> = {}): ConnectionRequest => ({
  name: 'Reading Lamp',
  address: 'lamp.example.org',
  verified: true,
  kind: 'site',
  scopes: ['files:read'],
  toolsOnly: false,
  ...over,
});

const aConnection = (over: Partial<Connection> = {}): Connection => ({
  ...aRequest(),
  id: crypto.randomUUID(),
  connectedAt: '2026-11-01T10:00:00Z',
  lastUsedAt: null,
  ...over,
});

const UID = 'a-request-of-this-browser';

let server: FakeServer;
beforeEach(() => {
  notifications.clean();
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  server = startServerWithFiles();
});

describe('an app that requests access', () => {
  test.each<[string, Partial<ConnectionRequest>, string[], string[]]>([
    [
      'at its address',
      {},
      ['lamp.example.org', 'A website', 'Not allowed: Upload, tag, archive and delete'],
      ['nobody has verified it'],
    ],
    [
      'as one that nobody verified',
      { verified: false, scopes: ['files:read', 'files:write'] },
      ['nobody has verified it', 'Upload, tag, archive and delete files'],
      ['Not allowed: Upload'],
    ],
    [
      'as an assistant, whose tools delete nothing',
      { scopes: ['files:read', 'files:write'], toolsOnly: true },
      ['Add texts as new files'],
      ['delete files'],
    ],
    [
      'as one of this device',
      { kind: 'local', address: null, verified: false },
      ['A program on this device', 'A program on this device chose this name itself'],
      ['Address'],
    ],
  ])('is shown %s, with its permissions', async (_, over, shownTexts, hiddenTexts) => {
    server.on(getConnectionRequest, () => aRequest(over));
    renderApp(`/connect/${UID}`);
    await screen.findByRole('heading', { name: 'Connect Reading Lamp to Engram?' });
    const text = screen.getByRole('main').textContent ?? '';
    for (const words of shownTexts) expect(text).toContain(words);
    for (const words of hiddenTexts) expect(text).not.toContain(words);
  });

  test('has space for the address of the account before it is loaded, so the layout does not shift', async () => {
    server
      .on(getConnectionRequest, () => aRequest())
      .on(getProfile, () => new Promise<never>(() => undefined));
    renderApp(`/connect/${UID}`);
    expect(await screen.findByText('Your account')).toBeTruthy();
  });

  test('gets only read access if the user grants no more', async () => {
    let granted: unknown;
    server
      .on(getConnectionRequest, () => aRequest({ scopes: ['files:read', 'files:write'] }))
      .on(allowConnection, ({ body }) => {
        granted = body;
        return new Refusal(503, 'The database is busy.');
      });
    const { user } = renderApp(`/connect/${UID}`);
    await user.click(await screen.findByRole('radio', { name: 'Read only' }));
    expect(screen.getByRole('main').textContent).toContain('Not allowed: Upload');
    await user.click(screen.getByRole('button', { name: 'Allow' }));
    await screen.findByRole('alert');
    expect(granted).toEqual({ scopes: ['files:read'] });
  });

  test('is shown with an error if the decision could not be sent, which can be retried', async () => {
    server
      .on(getConnectionRequest, () => aRequest())
      .on(allowConnection, () => new Refusal(503, 'The database is busy.'));
    const { user } = renderApp(`/connect/${UID}`);
    await user.click(await screen.findByRole('button', { name: 'Allow' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Your answer did not arrive.');
    expect(screen.getByRole('button', { name: 'Allow' })).toBeTruthy();
  });

  test('is not shown if its request is from another browser or has expired', async () => {
    server.on(getConnectionRequest, () => new Refusal(404, 'This request is over.'));
    renderApp(`/connect/${UID}`);
    expect((await screen.findByRole('alert')).textContent).toContain('This request is over.');
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull();
  });

  test('is refused with the messages of Engram only', async () => {
    renderApp('/connect/refused?error=Call+0800-1234');
    expect(await screen.findByText(/The request has expired or is incomplete/u)).toBeTruthy();
    expect(document.body.textContent).not.toContain('0800');
  });
});

describe('a device', () => {
  test('is found by its code as it is typed, and authorized', async () => {
    server
      .on(getDeviceRequest, () => aRequest({ kind: 'device', address: null, verified: false }))
      .on(allowDevice, () => null);
    const { user } = renderApp('/device?user_code=bcdf');
    const input = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Code' });
    expect(input.value).toBe('BCDF');
    await user.type(input, 'ghjk');
    expect(input.value).toBe('BCDF-GHJK');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await user.click(await screen.findByRole('button', { name: 'Allow' }));
    expect(await screen.findByText('Reading Lamp is connected')).toBeTruthy();
    expect(server.callsOf(allowDevice).map(({ body }) => body)).toEqual([
      { userCode: 'BCDF-GHJK', scopes: ['files:read'] },
    ]);
  });

  test('is not found by an invalid code', async () => {
    server.on(getDeviceRequest, () => new Refusal(404, 'There is no such code.'));
    const { user } = renderApp('/device?user_code=BCDF-GHJK');
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such code.');
  });
});

describe('connected apps', () => {
  let connections: Connection[];
  beforeEach(() => {
    connections = [
      aConnection({ name: 'Kitchen Screen', kind: 'device', verified: false }),
      aConnection({ lastUsedAt: '2026-11-03T17:05:00Z', scopes: ['files:write'] }),
    ];
    server
      .on(listSessions, () => [])
      .on(listApiKeys, () => [])
      .on(
        listSecurityEvents,
        () => [],
        () => ({ total: 0, nextCursor: null }),
      )
      .on(listConnections, () => connections)
      .on(endConnection, ({ params }) => {
        connections = connections.filter(({ id }) => id !== params['id']);
        return null;
      })
      .on(endConnections, () => {
        const ended = connections.length;
        connections = [];
        return { ended };
      });
  });
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'Connections' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  test('are listed with address, permissions and last use, and one can be ended', async () => {
    const { user } = renderApp('/profile#security');
    expect(await rows()).toEqual([
      expect.stringMatching(/^Kitchen ScreenUnverified name.*Reads your files.*Not used yetEnd$/u),
      expect.stringMatching(/^Reading Lamplamp\.example\.orgReads and changes.*Last used Nov 3/u),
    ]);
    const end = screen.getByRole('button', { name: /^End the connection of Kitchen Screen/u });
    await user.click(end);
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  test('can all be ended after a confirmation', async () => {
    const { user } = renderApp('/profile#security');
    await user.click(await screen.findByRole('button', { name: 'End all' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'End all connections' }));
    expect(server.callsOf(endConnections)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'End' }));
    expect(await screen.findByText('2 connections were ended.')).toBeTruthy();
    expect(await screen.findByText('Nothing is connected.')).toBeTruthy();
  });
});
