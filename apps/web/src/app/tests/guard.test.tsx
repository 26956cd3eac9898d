import { getProfile, getSharedAnswer, listThreads, logout, refreshSession } from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { aProfile, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { paths } from '../paths.ts';

let server: FakeServer;
beforeEach(() => {
  // The number of messages is limited, including those of other tests.
  notifications.clean();
  server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(logout, () => null)
    .on(getSharedAnswer, () => ({
      question: 'How much notice?',
      date: '2026-11-20T17:52:00Z',
      answer: 'Three months.',
      grounded: true,
      sources: [],
      nearest: [],
      mode: 'found',
      found: [],
    }));
});

const publicPaths = [
  paths.home,
  paths.privacy,
  paths.terms,
  paths.contact,
  paths.features,
  paths.blog,
  paths.blogPost,
  paths.shareAgain,
  paths.sharedAnswer,
  paths.connectRefused,
] as string[];

it.each(Object.values(paths).filter((path) => path !== paths.login && !publicPaths.includes(path)))(
  '%s sends a signed-out visitor to the sign-in page and returns afterwards',
  async (path) => {
    const { router } = renderApp(`${path}?a=1#part`);
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(router.state.location.state).toEqual({ from: `${path}?a=1#part` });
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  },
);

it.each(publicPaths)('%s is public', async (path) => {
  const { router } = renderApp(path);
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  expect(router.state.location.pathname).toBe(path);
});

it.each([
  [`${paths.pricing}?upgrade=true`, 'Sign in to see the plans.'],
  [paths.documentation, 'Sign in to read the documentation.'],
  ['/source/a-file', 'Sign in to open the source.'],
])('%s explains why a sign-in is needed', async (address, reason) => {
  renderApp(address);
  expect(await screen.findByText(reason)).toBeTruthy();
});

it('a user whose session ended signs in and returns to the page', async () => {
  sessionStorage.setItem('authToken', 'an-old-token');
  server.on(getProfile, () => new Refusal(401, 'Please sign in again.'));
  const { router } = renderApp('/keywords');
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(router.state.location.state).toEqual({ from: '/keywords' });
  expect(sessionStorage.length).toBe(0);
  expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeTruthy();
});

it('signing out ends the session on the server and clears the user and the page', async () => {
  for (const key of ['authToken', 'userData', 'userInitials', 'a_exist', 'searchHistoryKey']) {
    sessionStorage.setItem(key, key === 'authToken' ? 'a-token' : 'null');
  }
  const { user, router } = renderApp('/keywords');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(router.state.location.state).toBeNull();
  expect(server.callsOf(logout)[0]?.token).toBe('a-token');
  expect(sessionStorage.length).toBe(0);
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(screen.queryByText(/session has ended/u)).toBeNull();
});

it('a profile that could not be loaded is reported with the reason', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  server.on(getProfile, () => new Refusal(503, 'The database is busy.'));
  renderApp('/keywords');
  expect(await screen.findByText('Your profile could not be loaded')).toBeTruthy();
  expect(screen.getByText('The database is busy.')).toBeTruthy();
  expect(sessionStorage.getItem('authToken')).toBe('a-token');
  expect(sessionStorage.getItem('userData')).toBeNull();
});

it('a profile that could not be loaded without a reason is reported', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  server.on(getProfile, () => Promise.reject(new Error('')));
  renderApp('/keywords');
  expect(await screen.findByText('An unknown error occurred')).toBeTruthy();
});

it('a missing token is reported', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  server.on(getProfile, () => new Refusal(503, 'The database is busy.'));
  renderApp('/keywords');
  await screen.findByText('The database is busy.');
  sessionStorage.removeItem('authToken');
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  expect(await screen.findByText('Authentication token is missing.')).toBeTruthy();
  expect(server.callsOf(getProfile)).toHaveLength(1);
});

it('the user and their initials are stored in the session', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  const profile = aProfile();
  server.on(getProfile, () => profile);
  renderApp('/keywords');
  await waitFor(() => expect(sessionStorage.getItem('userInitials')).toBe('AB'));
  expect(JSON.parse(sessionStorage.getItem('userData')!)).toEqual(profile);
});

it('the session continues if the server could not end it', async () => {
  server.on(logout, () => new Refusal(503, 'The database is not answering.'));
  sessionStorage.setItem('authToken', 'a-token');
  const { user, router } = renderApp('/keywords');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByText('The database is not answering.')).toBeTruthy();
  expect(router.state.location.pathname).toBe('/keywords');
  expect(sessionStorage.getItem('authToken')).toBe('a-token');
});

it('the history opens at its address', async () => {
  server.on(
    listThreads,
    () => [],
    () => ({ total: 0, nextCursor: null }),
  );
  sessionStorage.setItem('authToken', 'a-token');
  renderApp('/history');
  expect(await screen.findByText('No questions yet')).toBeTruthy();
});

it('an unknown address is reported', async () => {
  renderApp('/nowhere');
  expect(
    await screen.findByRole('heading', { name: 'Unexpected Application Error!' }),
  ).toBeTruthy();
  expect(screen.getByText('404 Not Found')).toBeTruthy();
  // The next sign-in must not return to this page.
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
  const home = screen.getByRole('link', { name: 'Go to Home' });
  expect(home.getAttribute('href')).toBe(paths.home);
});

it('an unknown address links users with files to the search', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  const { user, router } = renderApp('/nowhere');
  await user.click(await screen.findByRole('link', { name: 'Go to Search' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.search));
});

it('a sign-in that was opened directly shows no reason', async () => {
  renderApp(paths.login);
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(screen.queryByText(/^Sign in to/u)).toBeNull();
});

it('keys open pages, except in text fields', async () => {
  sessionStorage.setItem('authToken', 'a-token');
  const { user, router } = renderApp('/keywords');
  await screen.findByRole('heading', { name: 'Keywords' });
  // The key handlers are added shortly after the page is rendered.
  await waitFor(async () => {
    await user.keyboard('gf');
    expect(router.state.location.pathname).toBe('/allfiles');
  });
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});
