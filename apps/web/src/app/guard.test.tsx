import { getProfile, listHistory, logout, refreshSession } from '@engram/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { startServerWithFiles } from '../testing/factories.ts';
import { Refusal, type FakeServer } from '../testing/fake-server.ts';
import { renderApp } from '../testing/render-app.tsx';
import { paths } from './paths.ts';

let server: FakeServer;
beforeEach(() => {
  server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(logout, () => null);
});

const open = [
  paths.home,
  paths.privacy,
  paths.terms,
  paths.contact,
  paths.features,
  paths.blog,
] as string[];

it.each(Object.values(paths).filter((path) => path !== paths.login && !open.includes(path)))(
  '%s sends a signed-out visitor to the sign-in page, which remembers it',
  async (path) => {
    const { router } = renderApp(`${path}?a=1`);
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(router.state.location.state).toEqual({ from: `${path}?a=1` });
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  },
);

it.each(open)('%s is open to everybody', async (path) => {
  const { router } = renderApp(path);
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  expect(router.state.location.pathname).toBe(path);
});

it('sends a person whose session ended to the sign-in page and back to the page', async () => {
  sessionStorage.setItem('authToken', 'an-old-token');
  server.on(getProfile, () => new Refusal(401, 'Please sign in again.'));
  const { router } = renderApp('/keywords');
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(router.state.location.state).toEqual({ from: '/keywords' });
  expect(sessionStorage.length).toBe(0);
});

it('signs out on the server and here, and forgets where the person was', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  const { user, router } = renderApp('/keywords');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(router.state.location.state).toBeNull();
  expect(server.callsOf(logout)[0]?.token).toBe('a-token');
  expect(sessionStorage.getItem('authToken')).toBeNull();
});

it('keeps the session when the server could not end it', async () => {
  server.on(logout, () => new Refusal(503, 'The database is not answering.'));
  sessionStorage.setItem('authToken', 'a-token');
  const { user, router } = renderApp('/keywords');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByText('The database is not answering.')).toBeTruthy();
  expect(router.state.location.pathname).toBe('/keywords');
  expect(sessionStorage.getItem('authToken')).toBe('a-token');
});

it('opens the history at its address', async () => {
  server.on(
    listHistory,
    () => [],
    () => ({ total: 0, nextCursor: null }),
  );
  sessionStorage.setItem('authToken', 'a-token');
  renderApp('/history');
  expect(await screen.findByText('No questions yet')).toBeTruthy();
});

it('says that an address does not exist', async () => {
  renderApp('/nowhere');
  expect(
    await screen.findByRole('heading', { name: 'Unexpected Application Error!' }),
  ).toBeTruthy();
  expect(screen.getByText('404 Not Found')).toBeTruthy();
});

it('goes by keys, but not while something is typed', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  const { user, router } = renderApp('/keywords');
  await screen.findByRole('heading', { name: 'Keywords' });
  // The keys are listened to an instant after the page is there.
  await waitFor(async () => {
    await user.keyboard('gf');
    expect(router.state.location.pathname).toBe('/allfiles');
  });
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});
