import { refreshSession, search } from '@engram/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { paths } from '../paths.ts';

let server: FakeServer;

beforeEach(() => {
  server = startServerWithFiles().on(
    refreshSession,
    () => new Refusal(401, 'You are not signed in.'),
  );
});

/** Signs a user in, with or without files. */
function signIn(artifactsExist: boolean): void {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', String(artifactsExist));
}

function preferReducedMotion(): void {
  const { matchMedia } = window;
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...matchMedia(query),
    matches: query.includes('reduced-motion'),
  }));
}

const openHome = async () => {
  const app = renderApp(paths.home);
  await screen.findByRole('heading', { level: 1 });
  return app;
};

it('shows the banner, and marks what is coming soon', async () => {
  await openHome();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'Your Data. Your AI. Your Brain. Your Way!',
  );
  expect(screen.getByRole('heading', { name: 'Connectors Coming Soon' })).toBeTruthy();
});

describe('UPLOAD FILES', () => {
  it('sends a signed-out visitor to the sign-in page', async () => {
    const { user, router } = await openHome();
    await user.click(screen.getByRole('button', { name: 'UPLOAD FILES' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
  });

  it('opens the upload panel for a signed-in user', async () => {
    signIn(false);
    const { user, router } = await openHome();
    await user.click(screen.getByRole('button', { name: 'UPLOAD FILES' }));
    expect(
      await screen.findByText('Upload your files to start organizing your content'),
    ).toBeTruthy();
    expect(router.state.location.pathname).toBe(paths.home);
  });
});

it('asks a question from the landing page on the search page', async () => {
  signIn(true);
  const { user, router } = await openHome();
  const field = screen.getByRole('textbox', { name: 'Ask your AI Brain anything' });
  await user.type(field, '  {Enter}');
  expect(router.state.location.pathname).toBe(paths.home);
  await user.type(field, 'When is the deposit due?{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.search));
  await waitFor(() =>
    expect(server.callsOf(search).map(({ body }) => body)).toMatchObject([
      { text: 'When is the deposit due?' },
    ]),
  );
});

it('shows beside the specified heading that the desktop Connector is available', async () => {
  await openHome();
  const link = screen.getByRole('link', { name: 'The Connector for your desktop' });
  expect(link.getAttribute('href')).toBe(paths.connector);
});

describe('the shortcut to the search', () => {
  it('is shown when artifacts exist', async () => {
    signIn(true);
    await openHome();
    expect(screen.getByRole('link', { name: 'Search...' }).getAttribute('href')).toBe(paths.search);
  });

  it('is hidden without artifacts, and so is the question field', async () => {
    signIn(false);
    await openHome();
    expect(screen.queryByRole('link', { name: 'Search...' })).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Ask your AI Brain anything' })).toBeNull();
  });
});

describe('TRY', () => {
  const pressTry = async () => {
    const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const { user, router } = await openHome();
    scrollTo.mockClear();
    await user.click(screen.getByRole('button', { name: 'TRY' }));
    return { router, scrollTo };
  };

  it('opens the search when artifacts exist', async () => {
    signIn(true);
    const { router } = await pressTry();
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.search));
  });

  it('scrolls to the top for a user without artifacts', async () => {
    signIn(false);
    const { router, scrollTo } = await pressTry();
    expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    expect(router.state.location.pathname).toBe(paths.home);
  });

  it('jumps to the top with reduced motion', async () => {
    signIn(false);
    preferReducedMotion();
    const { scrollTo } = await pressTry();
    expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' });
  });

  it('sends a signed-out visitor to the sign-in page', async () => {
    const { router } = await pressTry();
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
  });
});

describe('the features', () => {
  const selectedTab = () => screen.getByRole('tab', { selected: true });

  it('are a list of tabs, three of which are coming soon', async () => {
    await openHome();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Artifacts ',
      'Customization Coming Soon',
      'Security & Permissions ',
      'Integrations Coming Soon',
      'Notifications Coming Soon',
    ]);
  });

  it('can be browsed by arrow keys, and one panel is shown at a time', async () => {
    const { user } = await openHome();
    await user.click(screen.getByRole('tab', { name: /^Artifacts/u }));
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(document.activeElement).toBe(selectedTab());
    expect(selectedTab().textContent).toBe('Security & Permissions ');
    const panel = screen.getByRole('tabpanel');
    expect(panel.getAttribute('aria-labelledby')).toBe(selectedTab().id);
    expect(within(panel).getByRole('heading', { name: /Yours, and nobody/u })).toBeTruthy();

    await user.keyboard('{End}');
    expect(selectedTab().textContent).toBe('Notifications Coming Soon');
    await user.keyboard('{ArrowDown}');
    expect(selectedTab().textContent).toBe('Artifacts ');
    await user.keyboard('{ArrowUp}{Home}');
    expect(selectedTab().textContent).toBe('Artifacts ');
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
  });
});

describe('the demo', () => {
  /** Reports to every observer whether its target is visible. */
  let scroll: (isVisible: boolean) => Promise<void>;
  let play: Mock<() => Promise<void>>;

  beforeEach(() => {
    const callbacks: IntersectionObserverCallback[] = [];
    const OriginalObserver = IntersectionObserver;
    vi.stubGlobal(
      'IntersectionObserver',
      class extends OriginalObserver {
        constructor(callback: IntersectionObserverCallback) {
          super(callback);
          callbacks.push((entries) => callback(entries, this));
        }
      },
    );
    scroll = async (isIntersecting) => {
      // The page is rendered shortly before it observes the element.
      await vi.waitUntil(() => callbacks.length > 1, { timeout: 120_000 });
      act(() => {
        const seen = [{ isIntersecting } as IntersectionObserverEntry];
        for (const callback of callbacks) callback(seen, new OriginalObserver(() => undefined));
      });
    };
    play = vi.fn<() => Promise<void>>(async () => undefined);
    HTMLMediaElement.prototype.play = play as never;
    HTMLMediaElement.prototype.pause = () => undefined;
  });

  afterEach(() => void Reflect.deleteProperty(navigator, 'connection'));

  const video = (): HTMLVideoElement => screen.getByLabelText('Engram at work');

  it('loads nothing before it is near the viewport, has a text alternative, and is muted', async () => {
    await openHome();
    expect(video().getAttribute('preload')).toBe('none');
    expect(video().getAttribute('poster')).toBeNull();
    expect(video().muted).toBe(true);
    expect(video().textContent).toBe('Your browser does not support the video tag.');
    const caption = document.getElementById(video().getAttribute('aria-describedby') ?? '');
    expect(caption?.textContent).toContain('How much notice does the lease ask for?');
    await scroll(true);
    expect(video().getAttribute('poster')).toBe('/demo/engram-wide-light.webp');
  });

  it('plays automatically when it is visible', async () => {
    await openHome();
    await scroll(true);
    expect(play).toHaveBeenCalled();
  });

  it('stays stopped once the user has stopped it', async () => {
    await openHome();
    await scroll(true);
    act(() => void video().dispatchEvent(new Event('pause')));
    play.mockClear();
    await scroll(false);
    await scroll(true);
    expect(play).not.toHaveBeenCalled();
  });

  it.each([
    ['reduced motion', preferReducedMotion],
    [
      'reduced data',
      () =>
        void Object.defineProperty(navigator, 'connection', {
          value: { saveData: true },
          configurable: true,
        }),
    ],
  ])('waits for its button with %s', async (_, ask) => {
    ask();
    const { user } = await openHome();
    await scroll(true);
    expect(play).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Play the demo' }));
    expect(play).toHaveBeenCalled();
  });

  it('shows an error when it cannot be played', async () => {
    await openHome();
    act(() => void video().dispatchEvent(new Event('error')));
    expect(await screen.findByText(/cannot be played here/u)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Play the demo' })).toBeNull();
  });
});
