import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aKeyword, anArtifact } from '../../tests/factories.test-setup.ts';
import {
  historyEntry,
  renderPages,
  searchData,
  SearchServer,
} from '../../tests/search-server.test-setup.tsx';
import SearchPage from '../search-page.tsx';

let server: SearchServer;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  server = new SearchServer();
  sessionStorage.setItem('authToken', 'token');
  sessionStorage.setItem('a_exist', 'true');
});
afterEach(() => vi.useRealTimers());

const open = (address = '/search') => renderPages(server, { '/search': SearchPage }, address);
const input = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ask your AI Brain anything' });

const [file] = searchData().similar_vectors;
const related = (...types: string[]) =>
  types.map((fileType, n) => ({ ...file!, fileType, artifactId: historyEntry(n).id }));

/** Opens the list of today's earlier searches. */
async function openEarlier() {
  const earlier = within(await screen.findByRole('region', { name: 'Earlier today' }));
  await userEvent.click(earlier.getByText('Earlier today'));
  return earlier;
}

/** Questions of the current day. */
const today = (n: number, changes: Parameters<typeof historyEntry>[1] = {}) =>
  historyEntry(n, { date: new Date().toISOString(), ...changes });

const keywordFilter = { name: 'Use only the selected keywords below when searching' };
const recentFiles = { name: 'Ask about a recent file' };

test('before a question the page has a heading, a placeholder, curated questions and keywords', async () => {
  server.recommendations = ['Who repaints?'];
  server.keywords = [aKeyword('Home'), aKeyword('Old', { isActive: false, isDefault: false })];
  open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Ask your AI Brain anything');
  expect(input().maxLength).toBe(300);
  const curated = await screen.findByRole('region', {
    name: 'Questions curated from your data...',
  });
  await within(curated).findByRole('button', { name: 'Who repaints?' });
  const filter = await screen.findByRole('region', keywordFilter);
  expect(within(filter).getByRole('button', { name: 'Home' })).toBeTruthy();
  expect(within(filter).queryByRole('button', { name: 'Old' })).toBeNull();
});

test('with few questions, recent files replace keywords that no file has', async () => {
  server.recommendations = ['Who repaints?'];
  server.keywords = [aKeyword('Home'), aKeyword('Work')];
  server.files = [anArtifact({ artifactFileName: 'Plan.pdf' }), anArtifact()];
  open();
  const recent = within(await screen.findByRole('region', recentFiles));
  expect(screen.queryByRole('region', keywordFilter)).toBeNull();
  expect(server.calls).toContain('GET /artifacts?limit=4&archived=false&state=ready');
  const plan = recent.getByRole('button', { name: 'Plan.pdf', pressed: false });
  expect(plan.title).toBe('Ask about this file: Plan.pdf');
  await userEvent.click(plan);
  expect(plan.getAttribute('aria-pressed')).toBe('true');
  expect(await screen.findByText('Searching in Plan.pdf')).toBeTruthy();
  await userEvent.click(plan);
  expect(screen.queryByText('Searching in Plan.pdf')).toBeNull();
  await userEvent.click(plan);
  await userEvent.type(input(), 'How much?{Enter}');
  const artifactIds = [server.files[0]!.artifactId];
  await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ artifactIds }));
});

test.each([
  ['there are enough questions', ['One?', 'Two?', 'Three?'], {}, '/search'],
  ['a file has a keyword', [], { files: 1 }, '/search'],
  ['the user added a keyword', [], { isDefault: false }, '/search'],
  ['a keyword was chosen', [], {}, '/search?keyword=Home'],
])('the keywords stay if %s', async (_, recommendations, keyword, address) => {
  server.recommendations = recommendations;
  server.keywords = [aKeyword('Home', keyword)];
  server.files = [anArtifact()];
  open(address);
  await screen.findByRole('region', keywordFilter);
  expect(screen.queryByRole('region', recentFiles)).toBeNull();
});

test('each earlier search has its answer and its files, and can be played without being opened', async () => {
  URL.createObjectURL = () => 'blob:sound';
  URL.revokeObjectURL = () => undefined;
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  const types = ['application/pdf', 'image/png', 'application/pdf', 'text/plain', 'audio/mpeg'];
  server.history = [today(1, { similarVectors: related(...types) })];
  const router = open();
  const earlier = await openEarlier();
  const entry = earlier.getByRole('button', { name: /^Question 1/u });
  expect(entry.textContent).toContain('At the end of a month.');
  expect(entry.textContent).toMatch(/ PST · 1 sourcePdf 2Images 1Audios 1$/u);

  const listen = earlier.getByRole('button', { name: 'Play the answer to Question 1' });
  await userEvent.click(listen);
  await waitFor(() => expect(play).toHaveBeenCalledOnce());
  expect(router.state.location.search).toBe('');

  server.sound = null;
  await userEvent.click(entry);
  await waitFor(() => expect(router.state.location.search).toContain('entry='));
});

test('an earlier search that cannot be played shows an error', async () => {
  server.sound = null;
  server.history = [today(1)];
  open();
  const earlier = await openEarlier();
  await userEvent.click(earlier.getByRole('button', { name: 'Play the answer to Question 1' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Speech is not available.');
});

test('today’s searches are stored in the session under searchHistoryKey, unless the list is empty', async () => {
  server.history = [today(1)];
  open();
  await screen.findByRole('region', { name: 'Earlier today' });
  expect(JSON.parse(sessionStorage.getItem('searchHistoryKey')!)).toEqual({
    data: server.history,
    timestamp: expect.any(Number) as number,
  });
  server.history = [];
  open();
  await waitFor(() => expect(sessionStorage.getItem('searchHistoryKey')).toBeNull());
});

test('of hundreds of keywords a handful is shown, including the selected ones', async () => {
  server.keywords = Array.from({ length: 300 }, (_, n) => aKeyword(`Word${n}`));
  open();
  const filter = await screen.findByRole('region', keywordFilter);
  expect(within(filter).getAllByRole('button')).toHaveLength(25);
  await userEvent.click(within(filter).getByRole('button', { name: 'Show all 300' }));
  await userEvent.click(within(filter).getByRole('button', { name: 'Word250' }));
  await userEvent.click(within(filter).getByRole('button', { name: 'Show fewer' }));
  const selected = within(filter).getByRole('button', { name: 'Word250' });
  expect(selected.getAttribute('aria-pressed')).toBe('true');
  expect(within(filter).getAllByRole('button')).toHaveLength(26);
  await userEvent.type(input(), 'How much?{Enter}');
  await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ keywords: ['Word250'] }));
});

test('related files are counted by the three largest categories', async () => {
  const types = ['image/png', 'application/pdf', 'audio/mpeg', 'video/mp4', 'video/mp4'];
  server.history = [today(1, { similarVectors: related(...types) })];
  open(`/search?entry=${today(1).id}`);
  const row = await screen.findByRole('region', { name: 'Related Files..' });
  expect(
    within(row)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Videos 2', 'Images 1', 'Audios 1', 'View All']);
});

test('a failed search changes nothing, and shows the reason', async () => {
  server.history = [today(1), today(2)];
  const router = open(`/search?entry=${today(1).id}`);
  await screen.findByRole('article', { name: 'Answer' });
  await waitFor(() => expect(sessionStorage.getItem('searchHistoryKey')).not.toBeNull());
  const cached = sessionStorage.getItem('searchHistoryKey');
  server.refusal = { status: 503, message: 'The index is down.' };
  await userEvent.type(input(), 'How much?{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('The index is down.');
  expect(router.state.location.search).toBe(`?entry=${today(1).id}`);
  expect(screen.getByRole('heading', { name: 'Question 1' })).toBeTruthy();
  expect(input().value).toBe('How much?');
  expect(sessionStorage.getItem('searchHistoryKey')).toBe(cached);
});

test('a keyword that has been archived no longer limits the search', async () => {
  const home = aKeyword('Home', { isDefault: false });
  server.keywords = [home, aKeyword('Work')];
  open();
  for (const name of ['Home', 'Work']) {
    await userEvent.click(await screen.findByRole('button', { name }));
  }
  server.keywords = [{ ...home, isActive: false }, server.keywords[1]!];
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Home' })).toBeNull());
  await userEvent.type(input(), 'How much?{Enter}');
  await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ keywords: ['Work'] }));
});

test('today’s searches that cannot be loaded show an error, and can be retried', async () => {
  server.failsToday = true;
  open();
  // Three requests must fail before an error is shown.
  const message = await screen.findByText(
    /^Error fetching search history\. The database is busy\./u,
  );
  expect(screen.queryByRole('alert')).toBeNull();
  server.failsToday = false;
  server.history = [today(1)];
  await userEvent.click(within(message).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'Earlier today' })).toBeTruthy();
  expect(screen.queryByText(/^Error fetching search history/u)).toBeNull();
});

test('a failed question is asked again with the currently selected keywords', async () => {
  server.keywords = [aKeyword('Home'), aKeyword('Work')];
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Home' }));
  server.refusal = { status: 503, message: 'The index is down.' };
  await userEvent.type(input(), 'How much?{Enter}');
  await screen.findByRole('alert');
  server.refusal = null;
  await userEvent.click(screen.getByRole('button', { name: 'Home' }));
  await userEvent.click(screen.getByRole('button', { name: 'Work' }));
  await userEvent.click(screen.getByRole('button', { name: 'Ask again' }));
  await waitFor(() =>
    expect(server.questions[0]?.body).toMatchObject({ text: 'How much?', keywords: ['Work'] }),
  );
});

test('keywords that cannot be loaded show an error, and can be retried', async () => {
  server.failsKeywords = true;
  open();
  const failure = /^Failed to fetch keywords\. Your keywords are being moved\./u;
  await screen.findByText(failure);
  await userEvent.type(input(), 'How much?');
  const message = screen.getByText(failure);
  expect(server.calls.filter((call) => call === 'GET /keywords').length).toBeLessThan(3);

  server.failsKeywords = false;
  server.keywords = [aKeyword('Home')];
  await userEvent.click(within(message).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Home' })).toBeTruthy();
  expect(screen.queryByText(/^Failed to fetch keywords/u)).toBeNull();
});

test('earlier searches are collapsed at first, and are not part of the conversation', async () => {
  server.history = [today(1), today(2)];
  open(`/search?entry=${today(2).id}`);
  const conversation = await screen.findByRole('article', { name: 'Answer' });
  const earlier = await screen.findByRole('region', { name: 'Earlier today' });
  expect(earlier.textContent).toBe('Earlier today1 question');
  const PRECEDING = Node.DOCUMENT_POSITION_PRECEDING;
  expect(earlier.compareDocumentPosition(conversation)).toBe(PRECEDING);
  expect(earlier.compareDocumentPosition(input())).toBe(PRECEDING);
});

test('an archived search of today is not listed, but opens by its address', async () => {
  server.history = [today(1), today(2, { isArchived: true })];
  open(`/search?entry=${today(2).id}`);
  expect(await screen.findByRole('heading', { name: 'Question 2' })).toBeTruthy();
  const earlier = await openEarlier();
  expect(earlier.getByText('Question 1')).toBeTruthy();
  expect(earlier.queryByText('Question 2')).toBeNull();
});

test('an answer has its date and time, and is saved, copied and shared, but not archived', async () => {
  server.history = [historyEntry(1)];
  open(`/search?entry=${historyEntry(1).id}`);
  const panel = within(await screen.findByRole('article', { name: 'Answer' }));
  expect(panel.getByText('Friday, November 20, 2026')).toBeTruthy();
  expect(panel.getByText('9:52 AM PST')).toBeTruthy();
  const actions = ['Save', 'Copy', 'Share'].map((name) => panel.getByRole('button', { name }));
  expect(actions.every(Boolean)).toBe(true);
  expect(panel.queryByRole('button', { name: /Archive/u })).toBeNull();
});
