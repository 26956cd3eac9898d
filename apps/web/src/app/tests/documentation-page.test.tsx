import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

/** The position of each section in the window in pixels, by its id. */
let tops: Record<string, number>;
let scrolled: { id: string; behavior: ScrollBehavior }[];

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  startServerWithFiles();
  tops = {};
  scrolled = [];
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(
    this: Element,
  ) {
    return new DOMRect(0, tops[this.id] ?? 5000, 100, 20);
  });
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(
    this: Element,
    options,
  ) {
    const { behavior } = (options ?? {}) as ScrollIntoViewOptions;
    // The router scrolls too, with the behavior in the page's style.
    if (behavior && this.tagName === 'SECTION') scrolled.push({ id: this.id, behavior });
  });
  Object.defineProperty(document.documentElement, 'scrollHeight', {
    value: 90_000,
    configurable: true,
  });
});
afterEach(() => {
  Reflect.deleteProperty(document.documentElement, 'scrollHeight');
});

const contents = async () => within(await screen.findByLabelText('Documentation'));
const marked = async () => {
  await contents();
  return Array.from(
    document.querySelectorAll('nav[aria-label=Documentation] [aria-current]'),
    (link) => link.textContent,
  );
};
/** Scrolls until the page, which listens shortly after it is shown, marks what is expected. */
async function scrollTo(positions: Record<string, number>, expected: string): Promise<void> {
  tops = positions;
  await waitFor(async () => {
    await act(async () => {
      window.dispatchEvent(new Event('scroll'));
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    });
    expect(await marked()).toEqual([expected]);
  });
}

test('the contents are those of the specification', async () => {
  const { user } = renderApp('/documentation');
  for (const group of (await contents()).getAllByRole('button', { expanded: false })) {
    await user.click(group);
  }
  const links = (await contents()).getAllByRole('link', { hidden: true });
  expect(links.map((link) => link.textContent)).toEqual([
    'Introduction',
    'Quick Start',
    'How It Works',
    'Uploading files',
    'Reading files',
    'Asking questions',
    'Answers and sources',
    'Following up',
    'Organizing with keywords',
    'History',
    'Sharing an answer',
    'Your data',
    'Developer Tools',
    'API Key Generation',
    'TypeScript SDK',
    'Python SDK',
    'Assistants (MCP)',
    'Connectors',
    'Pricing',
    'Get Started',
    'Authentication',
    'Artifacts',
    'Keywords',
    'Search',
    'Search History',
    'User Profile',
    'Recommendations',
  ]);
  for (const link of links) {
    const id = link.getAttribute('href')?.slice(1) ?? '';
    expect(document.getElementById(id)?.querySelector('h2, h3')?.textContent).toBe(
      link.textContent,
    );
  }
  for (const [name, to] of [
    ['The home page', '/home'],
    ['write to us', '/contact'],
    ['The Connector’s page', '/connector'],
    ['The pricing page', '/pricing'],
  ] as const) {
    expect(screen.getByText(name, { selector: 'a' }).getAttribute('href')).toBe(to);
  }
  expect(screen.queryByText('Coming Soon')).toBeNull();
  for (const language of ['TypeScript', 'Python']) {
    const name = `Copy: A question in ${language}`;
    expect(screen.getByRole('button', { name })).toBeTruthy();
  }
  expect(document.querySelectorAll('video')).toHaveLength(2);
});

test('the section within a hundred pixels of the top is marked, and its group opens', async () => {
  renderApp('/documentation');
  expect(await marked()).toEqual(['Introduction']);
  await scrollTo({ introduction: -400, 'quick-start': 100 }, 'Quick Start');
  await scrollTo({ introduction: -500, 'quick-start': -400, 'how-it-works': 103 }, 'Quick Start');
  await scrollTo({ introduction: -900, 'how-it-works': -100, reading: 90 }, 'Reading files');
  const group = (await contents()).getByLabelText('Sections of How It Works');
  expect(group.getAttribute('aria-expanded')).toBe('true');
});

test('choosing a section scrolls to it smoothly, and the address names it', async () => {
  const { user, router } = renderApp('/documentation');
  await user.click((await contents()).getByText('Keywords'));
  await waitFor(() => expect(scrolled).toEqual([{ id: 'keywords', behavior: 'smooth' }]));
  expect(router.state.location.hash).toBe('#keywords');
  expect(document.activeElement?.textContent).toBe('Keywords');
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('reduced-motion') }) as MediaQueryList,
  );
  await user.click((await contents()).getByText('Search'));
  await waitFor(() => expect(scrolled.at(-1)).toEqual({ id: 'search', behavior: 'instant' }));
});

test('an address opens a call, and all examples change language together', async () => {
  const { user } = renderApp('/documentation#search-search');
  await contents();
  const section = (id: string) => within(document.getElementById(id) ?? document.body);
  const call = section('search-search');
  await waitFor(() =>
    expect(scrolled).toContainEqual({ id: 'search-search', behavior: 'instant' }),
  );
  const curl = /curl --request POST "\$ENGRAM_URL\/v1\/search"/u;
  expect(call.getByText(curl)).toBeTruthy();
  await user.click(call.getByRole('tab', { name: 'Python' }));
  expect(call.queryByText(curl)).toBeNull();
  await user.click(call.getByRole('button', { name: 'Copy: Ask a question, in Python' }));
  expect(await screen.findByText('The code is copied.')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toContain('from urllib.request import');
  const other = section('profile-getProfile');
  expect(other.getByRole('tab', { name: 'Python', selected: true })).toBeTruthy();
});

test('an address opens its section whatever the earlier scroll position', async () => {
  sessionStorage.setItem('react-router-scroll-positions', '{"default":300}');
  const { router } = renderApp('/documentation#search');
  await contents();
  await waitFor(() => expect(scrolled).toContainEqual({ id: 'search', behavior: 'instant' }));
  expect(router.state.restoreScrollPosition).toBeNull();
});

test('on a narrow screen the contents are behind a button', async () => {
  const { user, router } = renderApp('/documentation');
  await user.click(await screen.findByText('Contents:'));
  // Found by its text, because a search by role is slow on a long page.
  const panel = await screen.findByText('Contents', { selector: 'section[role=dialog] h2' });
  const dialog = panel.closest<HTMLElement>('[role=dialog]') ?? document.body;
  await user.click(within(dialog).getByText('Pricing'));
  await waitFor(() => expect(router.state.location.hash).toBe('#pricing'));
  await waitFor(() => expect(dialog.isConnected).toBe(false));
});
