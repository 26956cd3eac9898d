import {
  addKeyword,
  listKeywords,
  setKeywordActive,
  suggestions,
  type Keyword,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aKeyword, anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

let server: FakeServer;
/** The keywords on the server. */
let keywords: Keyword[];

const customKeyword = (keyword: string, overrides: Partial<Keyword> = {}): Keyword =>
  aKeyword(keyword, { isDefault: false, ...overrides });

const added = (keyword: string): Keyword => {
  const created = customKeyword(keyword, { createdDate: '2026-06-01T00:00:00Z' });
  keywords = [...keywords, created];
  return created;
};

beforeEach(() => {
  notifications.clean();
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  keywords = [
    aKeyword('Work', { createdDate: '2026-01-01T00:00:00Z' }),
    customKeyword('Garden', { createdDate: '2026-03-01T00:00:00Z' }),
    customKeyword('Boats', { createdDate: '2026-02-01T00:00:00Z' }),
    customKeyword('Taxes', { isActive: false }),
  ];
  const files: Record<string, number> = { Garden: 3, Boats: 7 };
  server = startServerWithFiles([anArtifact({ keywords: ['Boats'] })])
    .on(listKeywords, ({ query }) =>
      keywords.map((keyword) =>
        query.get('files') ? { ...keyword, files: files[keyword.keyword] ?? 0 } : keyword,
      ),
    )
    .on(addKeyword, ({ params }) => added(params['keyword'] ?? ''))
    .on(setKeywordActive, ({ params }) => {
      keywords = keywords.map((keyword) =>
        keyword.id === params['id']
          ? { ...keyword, isActive: params['isActive'] === 'true' }
          : keyword,
      );
      return keywords.find(({ id }) => id === params['id']) ?? new Refusal(404, 'No such keyword.');
    })
    .on(suggestions, () => []);
});

const section = (name: string) => screen.findByRole('region', { name });
const keywordsIn = async (name: string): Promise<(string | undefined)[]> =>
  within(await section(name))
    .queryAllByRole('listitem')
    .map((item) => item.querySelector('a span')?.textContent ?? undefined);
const active = () => keywordsIn('Active Keywords');
const archived = () => keywordsIn('Archived Keywords');
const input = () => screen.findByPlaceholderText('Search...');

async function open() {
  const app = renderApp('/keywords');
  await waitFor(async () => expect((await active()).length).toBeGreaterThan(0));
  return app;
}

test('active and archived keywords are listed separately, sorted by name', async () => {
  await open();
  expect(await active()).toEqual(['Boats', 'Garden', 'Work']);
  expect(await archived()).toEqual(['Taxes']);
});

test('Sort by changes the order, which is stored in the address', async () => {
  const { user, router } = await open();
  const sortBy = screen.getByRole('combobox', { name: 'Sort by' });
  for (const [label, sorted] of [
    ['Name Z-A', ['Work', 'Garden', 'Boats']],
    ['Newest first', ['Garden', 'Boats', 'Work']],
    ['Oldest first', ['Work', 'Boats', 'Garden']],
    ['Most files', ['Boats', 'Garden', 'Work']],
  ] as const) {
    await user.selectOptions(sortBy, label);
    await waitFor(async () => expect(await active()).toEqual(sorted));
  }
  expect(router.state.location.search).toBe('?sort=files');
});

test('a default keyword has a lock with an explanation, and no actions', async () => {
  const { user } = await open();
  const item = within(await section('Active Keywords'))
    .getByText('Work')
    .closest('li')!;
  const lock = within(item).getByRole('button', { name: /^Deleting/u });
  expect(lock.getAttribute('aria-label')).toBe('Deleting the default keyword is not possible');
  await user.hover(lock);
  const tooltip = await screen.findByRole('tooltip');
  expect(tooltip.textContent).toBe('Deleting the default keyword is not possible');
  await user.click(lock);
  expect(await active()).toContain('Work');
  expect(server.callsOf(setKeywordActive)).toHaveLength(0);
});

test('a keyword links to its files and to a question with it', async () => {
  const { user, router } = await open();
  await user.click(await screen.findByRole('link', { name: /^Boats/u }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
  expect(router.state.location.search).toBe('?keyword=Boats');
  await act(() => router.navigate('/keywords'));
  await user.click(await screen.findByRole('link', { name: 'Ask with Garden' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
  expect(await screen.findByRole('button', { name: 'Garden', pressed: true })).toBeTruthy();
});

test('an archived keyword has no link to a question', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Taxes' }).getAttribute('href')).toBe(
    '/allfiles?keyword=Taxes',
  );
  expect(screen.queryByRole('link', { name: 'Ask with Taxes' })).toBeNull();
});

test('typing filters both lists and offers to add a new keyword', async () => {
  const { user } = await open();
  await user.type(await input(), ' a');
  await waitFor(async () => expect(await active()).toEqual(['Boats', 'Garden']));
  expect(await archived()).toEqual(['Taxes']);
  await user.clear(await input());
  expect(screen.queryByRole('button', { name: /^Add /u })).toBeNull();
  await user.type(await input(), '   ');
  expect(screen.queryByRole('button', { name: /^Add /u })).toBeNull();
  await user.type(await input(), 'gARDEN');
  expect(screen.queryByRole('button', { name: /^Add /u })).toBeNull();
  await user.type(await input(), 's');
  await user.click(screen.getByRole('button', { name: 'Add gARDENs' }));
  await waitFor(async () => expect(await active()).toContain('gARDENs'));
  expect((await input()).getAttribute('value')).toBe('');
});

test('Enter adds a keyword, even one called add', async () => {
  const { user } = await open();
  await user.type(await input(), 'Invoices{Enter}');
  await waitFor(async () => expect(await active()).toContain('Invoices'));
  await user.type(await input(), 'add{Enter}');
  await waitFor(async () => expect(await active()).toContain('add'));
  // In the path it would be the call with the keyword in the body.
  expect(server.callsOf(addKeyword).at(-1)?.body).toEqual({ keyword: 'add' });
});

test.each([
  ['two words', 'A keyword can only contain letters and digits.'],
  ['a/b', 'A keyword can only contain letters and digits.'],
  ['abcdefghijklmnopqrstuvwxyz', 'A keyword can have at most 25 characters.'],
])('%s is not added, and the reason is shown', async (typed, sentence) => {
  const { user } = await open();
  await user.type(await input(), typed);
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Add /u })).toBeNull();
  await user.keyboard('{Enter}');
  expect(server.callsOf(addKeyword)).toHaveLength(0);
  expect((await input()).getAttribute('value')).toBe(typed);
});

test.each(['the button', 'Enter'])('an archived keyword can be restored by %s', async (method) => {
  const { user } = await open();
  await user.type(await input(), 'taxes');
  expect(await screen.findByText('“Taxes” is archived.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Add /u })).toBeNull();
  if (method === 'Enter') await user.keyboard('{Enter}');
  else await user.click(screen.getByRole('button', { name: 'Make it active again' }));
  await waitFor(async () => expect(await active()).toContain('Taxes'));
  await waitFor(() =>
    expect(keywords.find((keyword) => keyword.keyword === 'Taxes')?.isActive).toBe(true),
  );
});

test('a keyword is archived immediately, the focus moves to the next, and the message offers Undo', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Archive Boats' }));
  expect(await archived()).toEqual(['Boats', 'Taxes']);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Archive Garden');
  expect(await screen.findByText('“Boats” is archived.')).toBeTruthy();
  await waitFor(() =>
    expect(keywords.find((keyword) => keyword.keyword === 'Boats')?.isActive).toBe(false),
  );
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await active()).toContain('Boats');
  await waitFor(() =>
    expect(keywords.find((keyword) => keyword.keyword === 'Boats')?.isActive).toBe(true),
  );
  await user.click(screen.getByRole('button', { name: 'Make Taxes active again' }));
  expect(await active()).toContain('Taxes');
});

test('a refused change is reverted and reported', async () => {
  server.on(setKeywordActive, () => new Refusal(503, 'The database is busy.'));
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Archive Boats' }));
  expect(await screen.findByText('“Boats” was not archived')).toBeTruthy();
  expect(screen.getByText('The database is busy.')).toBeTruthy();
  expect(await active()).toContain('Boats');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('a refused addition is reported, and the input stays', async () => {
  server.on(addKeyword, () => new Refusal(503, 'The database is busy.'));
  const { user } = await open();
  await user.type(await input(), 'Invoices{Enter}');
  expect(
    await screen.findByText('The keyword could not be added. The database is busy.'),
  ).toBeTruthy();
  expect((await input()).getAttribute('value')).toBe('Invoices');
  expect(await active()).not.toContain('Invoices');
});

test('keywords that cannot be loaded can be retried', async () => {
  server.on(listKeywords, () => new Refusal(503, 'The database is busy.'));
  const { user } = renderApp('/keywords');
  expect(await screen.findByText('Failed to fetch keywords')).toBeTruthy();
  server.on(listKeywords, () => keywords);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(async () => expect(await active()).toContain('Work'));
});

test('keywords that cannot be loaded without a connection show an error', async () => {
  server.on(listKeywords, () => Promise.reject(new TypeError('Failed to fetch')));
  renderApp('/keywords');
  expect(await screen.findByText('Error fetching keywords')).toBeTruthy();
});

test('cached keywords that cannot be reloaded are shown as such', async () => {
  sessionStorage.setItem('keywords', JSON.stringify({ data: keywords, timestamp: Date.now() }));
  server.on(listKeywords, () => new Refusal(503, 'The database is busy.'));
  await open();
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to fetch keywords. The database is busy. The list may be out of date.',
  );
});

test('changes in another tab are loaded when the tab becomes visible', async () => {
  await open();
  keywords = keywords.map((keyword) =>
    keyword.keyword === 'Boats' ? { ...keyword, isActive: false } : keyword,
  );
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(async () => expect(await archived()).toEqual(['Boats', 'Taxes']));
});

test('a message says that no archived keywords exist or match', async () => {
  keywords = keywords.filter(({ isActive }) => isActive);
  const { user } = await open();
  expect(await screen.findByText(/^Keywords that you archive are listed here\./u)).toBeTruthy();
  await user.type(await input(), 'zzz');
  expect(await screen.findByText('No active keyword contains these letters.')).toBeTruthy();
});
