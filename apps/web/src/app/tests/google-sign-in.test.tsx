import {
  appSettings,
  refreshSession,
  socialSignIn,
  startSocialSignIn,
  updateProfile,
} from '@engram/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { createHash } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  aProfile,
  aSession,
  someSettings,
  startServerWithFiles,
} from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const GOOGLE = 'https://accounts.google.example/auth?client_id=engram';

let server: FakeServer;
beforeEach(() => {
  server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(appSettings, () => someSettings({ google: { clientId: 'engram' } }))
    .on(startSocialSignIn, ({ query }) => ({ url: GOOGLE, nonce: query.get('nonce') ?? '' }))
    .on(socialSignIn, () => aSession());
});

const button = () => screen.findByRole('button', { name: 'Continue with Google' });

/** Continues to Google's page, and returns the request to the server. */
async function startSignIn(entry: Parameters<typeof renderApp>[0] = '/') {
  const open = vi.spyOn(window, 'open').mockImplementation(() => null);
  const { user } = renderApp(entry);
  await user.click(await button());
  await waitFor(() => expect(open).toHaveBeenCalledWith(GOOGLE, '_self'));
  const request = server.callsOf(startSocialSignIn).at(-1);
  cleanup();
  return Object.fromEntries(request?.query ?? []);
}

it('is offered below the e-mail if the server has Google sign-in', async () => {
  renderApp('/');
  const google = await button();
  const email = screen.getByLabelText('Email');
  expect(email.compareDocumentPosition(google)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getByText('OR')).toBeTruthy();
});

it('is not offered otherwise', async () => {
  server.on(appSettings, () => someSettings({ contactEmail: 'hello@example.org' }));
  renderApp('/');
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Contact' }).getAttribute('href')).toMatch(/^mailto/u),
  );
  expect(screen.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
  expect(screen.queryByText('OR')).toBeNull();
});

it('returns a code that the server exchanges together with the secrets of this tab', async () => {
  const request = await startSignIn();
  expect(request['redirectUri']).toBe(`${window.location.origin}/`);
  const { router } = renderApp(`/?code=a-code&state=${request['state']}&iss=x`);
  await waitFor(() => expect(router.state.location.pathname).toBe('/search'));

  const calls = server.callsOf(socialSignIn);
  expect(calls).toHaveLength(1);
  const body = calls[0]?.body as Record<string, string>;
  expect(body).toMatchObject({
    code: 'a-code',
    nonce: request['nonce'],
    redirectUri: request['redirectUri'],
    location: null,
  });
  const hash = createHash('sha256').update(body['codeVerifier'] ?? '');
  expect(hash.digest('base64url')).toBe(request['codeChallenge']);
  expect(sessionStorage.getItem('authToken')).toBe('a-token');
  expect(sessionStorage.getItem('googleSignIn')).toBeNull();
});

it.each([
  [{ exist: true, question: true }, '/questions'],
  [{ exist: false, question: false }, '/home'],
])('continues as after a sign-in code: %j opens %s', async (session, expectedPath) => {
  server.on(socialSignIn, () => aSession(session));
  const { state } = await startSignIn();
  const { router } = renderApp(`/?code=a-code&state=${state}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(expectedPath));
});

it.each([
  ['a page of the app', '/allfiles?x=1', '/allfiles'],
  ['no page of another site', '//elsewhere.example', '/search'],
])('continues to the requested page %s', async (_, from, expectedPath) => {
  const { state } = await startSignIn({ pathname: '/', state: { from } });
  const stored = JSON.parse(sessionStorage.getItem('googleSignIn') ?? '{}') as object;
  sessionStorage.setItem('googleSignIn', JSON.stringify({ ...stored, from }));
  const { router } = renderApp(`/?code=a-code&state=${state}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(expectedPath));
});

it('shows the terms first, and then continues to the requested page', async () => {
  server.on(socialSignIn, () => aSession({ agreed: false })).on(updateProfile, () => aProfile());
  const { state } = await startSignIn({ pathname: '/', state: { from: '/allfiles?x=1' } });
  const { user, router } = renderApp(`/?code=a-code&state=${state}`);
  await user.click(await screen.findByRole('button', { name: 'Agree' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
  expect(router.state.location.search).toBe('?x=1');
});

it.each([
  [
    'state=made-up',
    'An error occurred during login. Please try again. This sign-in with Google was not started in this tab.',
  ],
  [
    'state=STATE&error=access_denied',
    'You did not allow the sign-in with Google. Try again, or sign in with a mailed code.',
  ],
  [
    'state=STATE&error=server_error',
    'An error occurred during login. Please try again. Google could not sign you in.',
  ],
])('explains a redirect with %s, and can be tried again', async (query, sentence) => {
  const { state } = await startSignIn();
  const found = query.replace('STATE', state ?? '');
  const { router } = renderApp(`/?${found.includes('error') ? '' : 'code=a-code&'}${found}`);
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  expect(server.callsOf(socialSignIn)).toHaveLength(0);
  expect(router.state.location.search).toBe('');
  expect((await button()).getAttribute('aria-busy')).toBe('false');
});

it('accepts a redirect once, and the same address does not sign in again', async () => {
  server.on(socialSignIn, () => new Refusal(401, 'Google did not confirm this sign-in.'));
  const { state } = await startSignIn();
  renderApp(`/?code=a-code&state=${state}`);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'An error occurred during login. Please try again. Google did not confirm this sign-in.',
  );
  expect(sessionStorage.getItem('authToken')).toBeNull();
  cleanup();
  renderApp(`/?code=a-code&state=${state}`);
  expect((await screen.findByRole('alert')).textContent).toContain('not started in this tab');
  expect(server.callsOf(socialSignIn)).toHaveLength(1);
});

it('reports that Google cannot be reached, and stays on the page', async () => {
  const message = "Google can't be reached. Please try again in a few minutes.";
  server.on(startSocialSignIn, () => new Refusal(503, message));
  const open = vi.spyOn(window, 'open').mockImplementation(() => null);
  const { user } = renderApp('/');
  await user.click(await button());
  expect((await screen.findByRole('alert')).textContent).toBe(
    `An error occurred during login. Please try again. ${message}`,
  );
  expect(open).not.toHaveBeenCalled();
  expect((await button()).getAttribute('aria-busy')).toBe('false');
});

it('explains what is missing if the address is not secure', async () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes });
  const { user } = renderApp('/');
  await user.click(await button());
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Signing in with Google needs an https address.',
  );
  expect(server.callsOf(startSocialSignIn)).toHaveLength(0);
});

it('can be started again after going back from Google', async () => {
  vi.spyOn(window, 'open').mockImplementation(() => null);
  const { user } = renderApp('/');
  await user.click(await button());
  await waitFor(async () => expect((await button()).getAttribute('aria-busy')).toBe('true'));
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  await waitFor(async () => expect((await button()).getAttribute('aria-busy')).toBe('false'));
});

it('has its space on the page before the settings are loaded, so the layout does not shift', async () => {
  const settings = Promise.withResolvers<ReturnType<typeof someSettings>>();
  server.on(appSettings, () => settings.promise);
  renderApp('/');
  await waitFor(() => expect(server.callsOf(appSettings)).toHaveLength(1));
  expect(screen.queryByLabelText('Email')).toBeNull();
  settings.resolve(someSettings({ google: { clientId: 'engram' } }));
  await screen.findByLabelText('Email');
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeTruthy();
});
