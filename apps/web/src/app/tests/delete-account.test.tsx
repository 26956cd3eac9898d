import { deleteAccount, getProfile, refreshSession } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { aProfile, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { paths } from '../paths.ts';

let server: FakeServer;
beforeEach(() => {
  server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(getProfile, () => aProfile({ email: 'ann@example.org' }))
    .on(deleteAccount, () => null);
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  sessionStorage.setItem('searchHistoryKey', '{"data":[1],"timestamp":0}');
});

const opener = () => screen.findByRole('button', { name: 'Delete account' });
const address = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Type the address/u });

const askToDelete = async (user: UserEvent) => {
  await user.click(await opener());
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  expect(dialog.getByText('Are you sure you want to delete your Profile?')).toBeTruthy();
  return dialog;
};

it.each([paths.privacy, paths.home])(
  'the icon in the header of %s opens the profile with the confirmation',
  async (path) => {
    const { user, router } = renderApp(path);
    await user.click(await screen.findByRole('link', { name: 'Delete Account' }));
    expect(await screen.findByRole('dialog', { name: 'Confirm Delete' })).toBeTruthy();
    expect(router.state.location.pathname).toBe(paths.profile);
  },
);

it('the account is deleted once its address is typed, the session is cleared, and the sign-in page opens', async () => {
  const { user, router } = renderApp(paths.profile);
  const dialog = await askToDelete(user);
  const yes = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
  expect(yes.disabled).toBe(true);
  await user.type(address(), 'bob@example.org{Enter}');
  expect(yes.disabled).toBe(true);
  expect(server.callsOf(deleteAccount)).toEqual([]);
  await user.clear(address());
  await user.type(address(), ' Ann@example.org ');
  await user.click(yes);
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
  expect(server.callsOf(deleteAccount).map(({ body, token }) => ({ body, token }))).toEqual([
    { body: { email: 'ann@example.org' }, token: 'a-token' },
  ]);
  expect(sessionStorage.length).toBe(0);
  expect(router.state.location.state).toBeNull();
});

it.each([
  ['Cancel', async (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['Escape', async (user: UserEvent) => user.keyboard('{Escape}')],
])('%s changes nothing, restores the focus and clears the input', async (_, close) => {
  const { user, router } = renderApp(paths.profile);
  await askToDelete(user);
  await user.type(address(), 'ann@example.org');
  await close(user);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(await opener());
  expect(server.callsOf(deleteAccount)).toEqual([]);
  expect(router.state.location.pathname).toBe(paths.profile);
  await askToDelete(user);
  expect(address().value).toBe('');
});

it('the dialog fades in within 300 ms, and its backdrop within 150 ms', async () => {
  const { user } = renderApp(paths.profile);
  await askToDelete(user);
  const times = ['content', 'overlay'].map(
    (part) =>
      document.querySelector<HTMLElement>(`.mantine-Modal-${part}`)?.style.transitionDuration,
  );
  expect(times).toEqual(['300ms', '150ms']);
});

it('the dialog opens from the menu of small screens, which closes first', async () => {
  const { user } = renderApp(paths.privacy);
  await user.click(await screen.findByRole('button', { name: 'Open the menu' }));
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }));
  await user.click(menu.getByRole('link', { name: 'Delete Account' }));
  await screen.findByRole('dialog', { name: 'Confirm Delete' });
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(await opener());
});

it('a failure is explained with what to do, and changes nothing', async () => {
  server.on(deleteAccount, () => new Refusal(503, 'The database is not answering.'));
  const { user, router } = renderApp(paths.profile);
  const dialog = await askToDelete(user);
  await user.type(address(), 'ann@example.org');
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toContain('Your account was not deleted.');
  expect(alert.textContent).toContain('The database is not answering.');
  expect(alert.textContent).toContain('Try again');
  expect(router.state.location.pathname).toBe(paths.profile);
  expect(sessionStorage.getItem('authToken')).toBe('a-token');
  expect(sessionStorage.getItem('searchHistoryKey')).not.toBeNull();

  server.on(deleteAccount, () => null);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
});

it('the dialog cannot be closed during the deletion', async () => {
  let finish: (value: null) => void = () => undefined;
  server.on(
    deleteAccount,
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const { user, router } = renderApp(paths.profile);
  const dialog = await askToDelete(user);
  await user.type(address(), 'ann@example.org');
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(server.callsOf(deleteAccount)).toHaveLength(1));
  await user.keyboard('{Escape}');
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('dialog', { name: 'Confirm Delete' })).toBeTruthy();
  finish(null);
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
});
