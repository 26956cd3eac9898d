import { appSettings, getMetrics, getProfile, logout, refreshSession } from '@engram/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aProfile,
  someMetrics,
  someSettings,
  startServerWithFiles,
} from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { paths } from '../paths.ts';

let server: FakeServer;
beforeEach(() => {
  server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(logout, () => null);
});

const signIn = (flags: Record<string, string> = {}): void => {
  for (const [key, value] of Object.entries({ authToken: 'a-token', ...flags })) {
    sessionStorage.setItem(key, value);
  }
};

describe('the header', () => {
  // Pages have their own headers, which are not banners.
  const header = () => within(screen.getAllByRole('banner')[0]!);

  it('links to the home page, the site and the sign-in', async () => {
    renderApp(paths.privacy);
    expect((await screen.findByRole('link', { name: /^Engram/u })).getAttribute('href')).toBe(
      paths.home,
    );
    const links = within(header().getByRole('navigation', { name: 'Site' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/home'],
      ['Features', '/features'],
      ['Connector', '/connector'],
      ['Doc', '/documentation'],
      ['Pricing', '/pricing'],
      ['FAQs', '/faq'],
      ['Blog', '/blog'],
    ]);
    expect(header().getByRole('link', { name: 'Login' }).getAttribute('href')).toBe(paths.login);
    expect(header().queryByRole('button', { name: 'Logout' })).toBeNull();
    expect(header().queryByRole('link', { name: 'Delete Account' })).toBeNull();
  });

  it('offers a signed-in user Logout and Delete Account instead of the sign-in', async () => {
    signIn();
    renderApp(paths.privacy);
    expect(await screen.findByRole('button', { name: 'Logout' })).toBeTruthy();
    expect(header().getByRole('link', { name: 'Delete Account' })).toBeTruthy();
    expect(header().queryByRole('link', { name: 'Login' })).toBeNull();
  });

  it('links to the profile when artifacts exist, with the picture if it can be shown', async () => {
    server.on(getProfile, () => aProfile({ profileImage: 'aGVsbG8=' }));
    signIn({ a_exist: 'true' });
    renderApp(paths.privacy);
    const avatar = await screen.findByRole('link', { name: 'Profile' });
    expect(avatar.getAttribute('href')).toBe(paths.profile);
    const picture = avatar.querySelector('img')!;
    expect(picture.src).toBe('data:image/jpeg;base64,aGVsbG8=');
    fireEvent.error(picture);
    expect(within(avatar).getByText('AB')).toBeTruthy();
  });

  it('shows initials without a link while there are no artifacts', async () => {
    signIn({ a_exist: 'false' });
    renderApp(paths.privacy);
    expect(await screen.findByText('AB')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull();
  });
});

describe('the sidebar', () => {
  const sidebar = async () => within(await screen.findByRole('complementary', { name: 'Sidebar' }));

  it.each([
    [false, 'Starter · 4 today'],
    [true, 'Starter · 4 of 15 today'],
  ])('shows today’s usage with limits enforced (%s)', async (enforced, line) => {
    server.on(getMetrics, () => someMetrics({ enforced }));
    signIn();
    renderApp(paths.keywords);
    expect(await (await sidebar()).findByText(line)).toBeTruthy();
  });

  it('links to the pages of the app, the upload and Logout', async () => {
    signIn();
    const { user } = renderApp(paths.keywords);
    const main = within((await sidebar()).getByRole('navigation', { name: 'Main' }));
    expect(
      main.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Search', '/search'],
      ['History', '/history'],
      ['Keywords', '/keywords'],
      [expect.stringMatching(/^Files/u), '/allfiles'],
      ['Doc', '/documentation'],
      ['My Profile', '/profile'],
      ['Api', '/settings'],
    ]);
    expect(main.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Logout',
      'Upload',
    ]);
    await user.click(main.getByRole('button', { name: 'Upload' }));
    expect(await screen.findByRole('button', { name: 'UPLOAD' })).toBeTruthy();
  });

  it.each(['true', 'false'])(
    'shows the user at the bottom, as a link if a_exist is %s',
    async (exist) => {
      signIn({ a_exist: exist });
      renderApp(paths.keywords);
      const name = await (await sidebar()).findByText('Ann Becker');
      expect(name.closest('a')?.getAttribute('href')).toBe(
        exist === 'true' ? '/profile' : undefined,
      );
    },
  );

  it('is beside the logo’s link and the footer, and cannot delete the account', async () => {
    signIn();
    renderApp(paths.keywords);
    const bar = await sidebar();
    expect(bar.getByRole('link', { name: /^Engram/u }).getAttribute('href')).toBe('/home');
    expect(bar.queryByText('Delete Account')).toBeNull();
    expect(screen.getByRole('contentinfo')).toBeTruthy();
  });
});

describe('the menu of small screens', () => {
  const openMenu = async (user: UserEvent) => {
    await user.click(await screen.findByRole('button', { name: 'Open the menu' }));
    return within(await screen.findByRole('dialog', { name: 'Menu' }));
  };

  it('offers Login and the pages to a signed-out visitor, and closes before they open', async () => {
    const { user, router } = renderApp(paths.home);
    const menu = await openMenu(user);
    expect(menu.queryByRole('button', { name: 'Logout' })).toBeNull();
    expect(menu.getByRole('link', { name: 'Pricing' })).toBeTruthy();
    await user.click(menu.getByRole('link', { name: 'Login' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
  });

  it('offers Profile, Delete Account and Logout to a signed-in user', async () => {
    signIn();
    const { user, router } = renderApp(paths.privacy);
    const menu = await openMenu(user);
    expect(menu.getByRole('link', { name: 'Profile' })).toBeTruthy();
    expect(menu.getByRole('link', { name: 'Delete Account' }).getAttribute('href')).toBe(
      '/profile#delete-account',
    );
    expect(menu.queryByRole('link', { name: 'Login' })).toBeNull();
    await user.click(menu.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('returns the focus to its button', async () => {
    const { user } = renderApp(paths.home);
    await openMenu(user);
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open the menu' }));
  });

  it.each([
    ['Your Preferences', 'yourpreferences'],
    ['Billing', 'billing'],
    ['Invoices', 'invoices'],
    ['Admin', 'admin'],
  ])('%s opens the profile at its section', async (label, section) => {
    signIn({ is_admin: 'true' });
    const { user, router } = renderApp(paths.privacy);
    const menu = await openMenu(user);
    await user.click(menu.getByRole('link', { name: label }));
    expect(await screen.findByRole('heading', { level: 2, name: label })).toBeTruthy();
    await waitFor(() => expect(router.state.location.hash).toBe(`#${section}`));
    expect(router.state.location.pathname).toBe(paths.profile);
  });

  it('shows the admin section only to admins', async () => {
    signIn();
    const { user } = renderApp(paths.privacy);
    const menu = await openMenu(user);
    expect(menu.getByRole('link', { name: 'Billing' })).toBeTruthy();
    expect(menu.queryByRole('link', { name: 'Admin' })).toBeNull();
  });
});

describe('the bottom bar of small screens', () => {
  const bar = async () => within(await screen.findByRole('navigation', { name: 'Bottom bar' }));

  it('links to the search, the files and the history, and opens the upload', async () => {
    signIn();
    const { user } = renderApp(paths.keywords);
    const links = (await bar()).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Ask', '/search'],
      ['Files', '/allfiles'],
      ['History', '/history'],
    ]);
    await user.click((await bar()).getByRole('button', { name: 'Add' }));
    expect(await screen.findByRole('button', { name: 'UPLOAD' })).toBeTruthy();
  });

  it('is hidden on pages outside the app', async () => {
    signIn();
    renderApp(paths.privacy);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('navigation', { name: 'Bottom bar' })).toBeNull();
  });
});

describe('the footer', () => {
  const footer = async () => within(await screen.findByRole('contentinfo'));

  it('shows the year and links to the home page, the legal texts and the contact page, each at its top', async () => {
    const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const { user, router } = renderApp(paths.privacy);
    const year = new Date().getFullYear();
    for (const [name, path] of [
      ['Terms & Conditions', paths.terms],
      ['Privacy Policy', paths.privacy],
      ['Contact', paths.contact],
      [`© ${year} Engram`, paths.home],
    ] as const) {
      scrollTo.mockClear();
      await user.click((await footer()).getByRole('link', { name }));
      await waitFor(() => expect(router.state.location.pathname).toBe(path));
      expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    }
  });

  it('About Us scrolls to the top without leaving the page', async () => {
    const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const { user, router } = renderApp(paths.terms);
    const button = (await footer()).getByRole('button', { name: 'About Us' });
    scrollTo.mockClear();
    await user.click(button);
    expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    expect(router.state.location.pathname).toBe(paths.terms);
  });

  it('shows the social links of the settings: an icon for a known network, else its name', async () => {
    server.on(appSettings, () =>
      someSettings({
        socialLinks: [
          { name: 'GitHub', url: 'https://github.com/example' },
          { name: 'Our forum', url: 'https://forum.example.org' },
        ],
      }),
    );
    renderApp(paths.terms);
    const known = await screen.findByRole('link', { name: 'GitHub' });
    expect(known.getAttribute('href')).toBe('https://github.com/example');
    expect(known.querySelector('svg')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Our forum' }).querySelector('svg')).toBeNull();
  });

  it('has no social links if none are set', async () => {
    renderApp(paths.terms);
    await footer();
    await waitFor(() => expect(server.callsOf(appSettings)).toHaveLength(1));
    expect(screen.queryByRole('list', { name: 'Social links' })).toBeNull();
  });
});
