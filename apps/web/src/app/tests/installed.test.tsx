import { getProfile, listKeywords, refreshSession, uploadArtifacts } from '@engram/contract';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Splash } from '../../components/logo.tsx';
import { listenForInstallPrompt } from '../../components/install-offer.tsx';
import {
  aKeyword,
  aProfile,
  aSession,
  startServerWithFiles,
} from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { Providers } from '../providers.tsx';
import { createQueryClient } from '../query-client.ts';
import { RouteError } from '../route-error.tsx';

const OFFLINE = "You're offline. Showing what's already loaded.";
const UNREACHABLE = 'The server cannot be reached.';

let server: FakeServer;
const noAnswer = (): never => {
  throw new TypeError('Failed to fetch');
};
/** Sets the network status that the browser reports. */
function setOnline(online: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')));
}

beforeEach(() => {
  server = startServerWithFiles();
});

describe('a signed-in user', () => {
  beforeEach(() => sessionStorage.setItem('authToken', 'a-token'));

  it('is informed when the network is lost and when it returns', async () => {
    renderApp('/allfiles');
    await screen.findByRole('heading', { name: 'Files' });
    setOnline(false);
    expect(await screen.findByText(OFFLINE)).toBeTruthy();
    setOnline(true);
    await waitFor(() => expect(screen.queryByText(OFFLINE)).toBeNull());
  });

  it('still sees the lists when the network is lost, and reloads them when it returns', async () => {
    sessionStorage.setItem('a_exist', 'true');
    server.on(listKeywords, () => [aKeyword('Work')]);
    renderApp('/search');
    await screen.findByRole('button', { name: 'Work' });
    setOnline(false);
    await screen.findByText(OFFLINE);
    expect(screen.getByRole('button', { name: 'Work' })).toBeTruthy();
    server.on(listKeywords, () => [aKeyword('Work'), aKeyword('Flat')]);
    setOnline(true);
    expect(await screen.findByRole('button', { name: 'Flat' })).toBeTruthy();
  });

  it('is informed when the server does not respond, and can retry', async () => {
    server.on(getProfile, noAnswer);
    const { user } = renderApp('/allfiles');
    setOnline(false);
    await screen.findByText(OFFLINE);
    setOnline(true);
    const notice = (await screen.findByText(UNREACHABLE)).parentElement!;
    server.on(getProfile, () => aProfile());
    await user.click(within(notice).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(UNREACHABLE)).toBeNull());
  });

  it('gets the open upload panel at the share address', async () => {
    server.on(uploadArtifacts, () => ({
      artifactGroupId: crypto.randomUUID(),
      artifacts: [],
      rejected: [],
    }));
    const { user } = renderApp('/share');
    const panel = await screen.findByRole('dialog', {
      name: 'Upload your files to start organizing your content',
    });
    await user.type(await within(panel).findByLabelText('Text'), 'My own');
    await user.click(within(panel).getByRole('button', { name: 'UPLOAD' }));
    await waitFor(() => expect(server.callsOf(uploadArtifacts)).toHaveLength(1));
    // These files were not shared by another app.
    expect(server.callsOf(uploadArtifacts)[0]?.form.get('source')).toBe('Web');
  });

  it('must accept the terms before the panel opens', async () => {
    server.on(getProfile, () => aProfile({ isAgreedTerms: false }));
    renderApp('/share');
    await screen.findByRole('button', { name: 'Agree' });
    expect(screen.queryByRole('button', { name: 'UPLOAD' })).toBeNull();
  });

  it('sees that shared files wait for the server', async () => {
    server.on(getProfile, noAnswer);
    renderApp('/share');
    expect(
      await screen.findByText('Shared content is stored until the server can be reached.'),
    ).toBeTruthy();
  });

  describe('a user whose browser can install the app', () => {
    const offerIt = () => {
      const prompt = vi.fn<() => Promise<void>>(async () => undefined);
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt,
      });
      act(() => void window.dispatchEvent(event));
      return { prompt, event };
    };
    listenForInstallPrompt();

    it('is offered that in the sidebar, once', async () => {
      const { user } = renderApp('/allfiles');
      await screen.findByRole('heading', { name: 'Files' });
      expect(screen.queryByRole('button', { name: 'Install Engram' })).toBeNull();
      const { prompt, event } = offerIt();
      expect(event.defaultPrevented).toBe(true);
      await user.click(await screen.findByRole('button', { name: 'Install Engram' }));
      expect(prompt).toHaveBeenCalledOnce();
      expect(screen.queryByRole('button', { name: 'Install Engram' })).toBeNull();
    });

    it('is not asked again after declining', async () => {
      const { user } = renderApp('/allfiles');
      await screen.findByRole('heading', { name: 'Files' });
      offerIt();
      await user.click(
        await screen.findByRole('button', { name: 'Do not offer to install Engram' }),
      );
      offerIt();
      expect(screen.queryByRole('button', { name: 'Install Engram' })).toBeNull();
    });
  });
});

describe('a window with an unknown session', () => {
  it.each([
    ['does not answer', noAnswer],
    ['is failing', () => new Refusal(503, 'The database is not answering.')],
    ['is too busy', () => new Refusal(429, 'Too many calls.')],
  ])('stays on its page while the server %s, and continues automatically', async (_, answer) => {
    server.on(refreshSession, answer);
    const { router } = renderApp('/allfiles?x=1');
    expect(await screen.findByRole('heading', { name: 'Engram cannot be reached' })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/allfiles');
    server.on(refreshSession, () => aSession());
    setOnline(true);
    expect(await screen.findByRole('heading', { name: 'Files' })).toBeTruthy();
    expect(router.state.location.search).toBe('?x=1');
  });

  it('retries on request', async () => {
    server.on(refreshSession, noAnswer);
    const { user } = renderApp('/allfiles');
    await screen.findByRole('heading', { name: 'Engram cannot be reached' });
    server.on(refreshSession, () => aSession());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Files' })).toBeTruthy();
  });

  it('shows public pages', async () => {
    server.on(refreshSession, noAnswer);
    renderApp('/privacy');
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  });
});

describe('a failed share', () => {
  beforeEach(() => server.on(refreshSession, () => new Refusal(401, 'You are not signed in.')));

  it.each([
    ['/share/again', /^Engram was not ready to receive it on this device/u],
    ['/share/again?because=room', /^This browser does not have enough space/u],
  ])('at %s is explained with what to do', async (address, text) => {
    const { user, router } = renderApp(address);
    expect(await screen.findByText(text)).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Sign in' }));
    await waitFor(() => expect(router.state.location.state).toEqual({ from: '/share' }));
  });
});

describe('a page whose script cannot be loaded', () => {
  const renderBrokenPage = () => {
    const router = createMemoryRouter([
      {
        path: '/',
        ErrorBoundary: RouteError,
        HydrateFallback: Splash,
        lazy: () =>
          Promise.reject(
            new TypeError('Failed to fetch dynamically imported module: /assets/a.js'),
          ),
      },
    ]);
    render(
      <Providers queryClient={createQueryClient()}>
        <RouterProvider router={router} />
      </Providers>,
    );
  };

  it('offers to reload, because a new version may exist', async () => {
    renderBrokenPage();
    expect(
      await screen.findByText('Engram may have been updated. Reload to continue.'),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('reports a missing network if that is the reason', async () => {
    setOnline(false);
    renderBrokenPage();
    expect(await screen.findByText('You are offline')).toBeTruthy();
  });
});
