import {
  addPasskey,
  listApiKeys,
  listConnections,
  listPasskeys,
  listSecurityEvents,
  listSessions,
  type Passkey,
  refreshSession,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aSession, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const bytes = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text)).buffer;

/** The credential that a browser returns after the user has agreed. */
const credential = (response: object) => ({
  id: 'aWQ',
  rawId: bytes('id'),
  type: 'public-key',
  response,
  getClientExtensionResults: () => ({}),
});
const created = credential({ clientDataJSON: bytes('made'), attestationObject: bytes('key') });
const signed = credential({
  clientDataJSON: bytes('signed'),
  authenticatorData: bytes('data'),
  signature: bytes('signature'),
  userHandle: bytes('ann'),
});
const cancelled = () => Promise.reject(new DOMException('', 'NotAllowedError'));

/** The browser's WebAuthn functions, which jsdom lacks. */
function browserWith(container: Partial<CredentialsContainer>): void {
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {});
  Object.defineProperty(navigator, 'credentials', { value: container, configurable: true });
}
afterEach(() => Reflect.deleteProperty(navigator, 'credentials'));

let server: FakeServer;
beforeEach(() => {
  notifications.clean();
  server = startServerWithFiles();
});

describe('signing in with a passkey', () => {
  const button = () => screen.findByRole('button', { name: 'Sign in with a passkey' });
  const get = vi.fn<CredentialsContainer['get']>(async () => signed as never);
  beforeEach(() => {
    get.mockClear();
    browserWith({ get });
    server
      .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
      .on(startPasskeySignIn, () => ({ challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' }))
      .on(signInWithPasskey, () => aSession());
  });

  test('needs no code, and continues to the requested page', async () => {
    const { user, router } = renderApp('/history');
    await user.click(await button());
    await waitFor(() => expect(router.state.location.pathname).toBe('/history'));
    expect(sessionStorage.getItem('authToken')).toBe('a-token');
    expect(server.callsOf(signInWithPasskey)[0]?.body).toMatchObject({
      credential: { id: 'aWQ', rawId: 'aWQ', response: { signature: 'c2lnbmF0dXJl' } },
      device: expect.any(String) as string,
      location: null,
    });
  });

  test('shows the terms first if they are not accepted', async () => {
    server.on(signInWithPasskey, () => aSession({ agreed: false }));
    const { user } = renderApp('/');
    await user.click(await button());
    expect(await screen.findByRole('dialog', { name: 'Terms and Conditions' })).toBeTruthy();
  });

  test('explains a failure, and can be retried', async () => {
    get.mockImplementationOnce(cancelled);
    const { user, router } = renderApp('/');
    await user.click(await button());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'No passkey was used. Please try again.',
    );
    server.on(signInWithPasskey, () => new Refusal(401, 'The passkey was not accepted.'));
    await user.click(await button());
    await screen.findByText('The passkey was not accepted.');
    server.on(signInWithPasskey, () => aSession());
    await user.click(await button());
    await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
  });

  test('is not offered by a browser without passkeys', async () => {
    vi.unstubAllGlobals();
    renderApp('/');
    await screen.findByLabelText('Email');
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });
});

describe('the passkeys under Security', () => {
  const aPasskey = (overrides: Partial<Passkey> = {}): Passkey => ({
    id: crypto.randomUUID(),
    name: 'Chrome on Windows',
    createdAt: '2026-11-01T10:00:00Z',
    lastUsedAt: null,
    ...overrides,
  });
  let passkeys: Passkey[];
  const create = vi.fn<CredentialsContainer['create']>(async () => created as never);
  beforeEach(() => {
    create.mockClear();
    browserWith({ create });
    sessionStorage.setItem('authToken', 'a-token');
    passkeys = [aPasskey({ lastUsedAt: '2026-11-03T17:05:00Z' }), aPasskey({ name: 'Phone' })];
    server
      .on(listPasskeys, () => passkeys)
      .on(startPasskey, () => ({
        challenge: 'Y2hhbGxlbmdl',
        user: { id: 'aWQ', name: 'ann@example.org', displayName: 'ann@example.org' },
      }))
      .on(addPasskey, ({ body }) => {
        const added = aPasskey({ name: (body as { name: string }).name });
        passkeys = [added, ...passkeys];
        return added;
      })
      .on(renamePasskey, ({ params, body }) => {
        const { name } = body as { name: string };
        passkeys = passkeys.map((passkey) =>
          passkey.id === params['id'] ? { ...passkey, name } : passkey,
        );
        return passkeys.find(({ id }) => id === params['id'])!;
      })
      .on(removePasskey, ({ params }) => {
        passkeys = passkeys.filter(({ id }) => id !== params['id']);
        return null;
      })
      .on(listSessions, () => [])
      .on(listApiKeys, () => [])
      .on(listConnections, () => [])
      .on(
        listSecurityEvents,
        () => [],
        () => ({ total: 0, nextCursor: null }),
      );
  });
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'Passkeys' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

  test('are shown with their names, their age and their last use', async () => {
    renderApp('/profile#security');
    expect(await rows()).toEqual([
      'Chrome on WindowsAdded Nov 1, 2026 10:00 AMLast used Nov 3, 2026 05:05 PMRenameRemove',
      'PhoneAdded Nov 1, 2026 10:00 AMNot used yetRenameRemove',
    ]);
  });

  test('can be added with a suggested name, and a failure is explained', async () => {
    create.mockImplementationOnce(cancelled);
    const { user } = renderApp('/profile#security');
    await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    const form = await dialog('Add a passkey');
    const field = form.getByRole('textbox', { name: 'Name' });
    expect(field).toHaveProperty('value', expect.stringMatching(/ on /u));
    await user.clear(field);
    expect(form.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true);
    await user.type(field, 'Work laptop{Enter}');
    expect((await form.findByRole('alert')).textContent).toContain(
      'The passkey was not added. No passkey was used. Please try again.',
    );
    await user.click(form.getByRole('button', { name: 'Continue' }));
    await waitFor(async () => expect((await rows())[0]).toMatch(/^Work laptop/u));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(addPasskey).map(({ body }) => body)).toEqual([
      {
        name: 'Work laptop',
        credential: expect.objectContaining({ id: 'aWQ', rawId: 'aWQ' }) as object,
      },
    ]);
  });

  test('can be renamed, and removed after a confirmation', async () => {
    const { user } = renderApp('/profile#security');
    await user.click(await screen.findByRole('button', { name: /^Rename Phone, added Nov 1/u }));
    const form = await dialog('Rename passkey');
    const field = form.getByRole('textbox', { name: 'Name' });
    await user.clear(field);
    await user.type(field, 'Old phone{Enter}');
    await waitFor(async () => expect((await rows())[1]).toMatch(/^Old phone/u));

    await user.click(await screen.findByRole('button', { name: /^Remove Old phone, added/u }));
    expect(server.callsOf(removePasskey)).toEqual([]);
    await user.click((await dialog('Remove passkey')).getByRole('button', { name: 'Remove' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Passkeys' }));
  });
});
