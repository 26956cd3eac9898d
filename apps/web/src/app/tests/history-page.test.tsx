import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { historyEntry, renderPages, SearchServer } from '../../tests/search-server.test-setup.tsx';
import HistoryPage from '../history-page.tsx';
import SearchPage from '../search-page.tsx';

let server: SearchServer;
let windowIsWide: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  windowIsWide = true;
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: query === '(min-width: 992px)' && windowIsWide,
  }));
  // Elements have no size in jsdom, so the column and its rows get one.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(64);
  sessionStorage.setItem('authToken', 'token');
  server = new SearchServer();
  server.history = [
    historyEntry(1, { date: '2026-11-20T08:00:00Z' }),
    // Half a minute before midnight in Los Angeles.
    historyEntry(2, { date: '2026-11-20T07:59:30Z', isBookmark: true }),
    historyEntry(3, { date: '2026-11-18T20:00:00Z' }),
    historyEntry(4, { date: '2026-11-17T20:00:00Z', isArchived: true }),
  ];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = () =>
  renderPages(server, { '/history': HistoryPage, '/search': SearchPage }, '/history');
const day = (name: string) => screen.findByRole('region', { name });
const questions = () =>
  [...document.querySelectorAll('[data-question] > span:first-child')].map(
    (item) => item.textContent,
  );

test('questions are listed under their days in the time zone of Los Angeles', async () => {
  open();
  expect(within(await day('TODAY')).getByText('Question 1')).toBeTruthy();
  expect(within(await day('TODAY')).getByText('12:00 AM PST')).toBeTruthy();
  expect(within(await day('YESTERDAY')).getByText('Question 2')).toBeTruthy();
  expect(within(await day('2026-11-18')).getByText('Question 3')).toBeTruthy();
  expect(questions()).toEqual(['Question 1', 'Question 2', 'Question 3']);
});

test('days and times are those of the device if the user chose that', async () => {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone: 'Europe/Berlin',
  });
  sessionStorage.setItem('userData', JSON.stringify({ deviceTimeZone: true }));
  // Half a minute after midnight in Berlin, and half a minute before it, in summer.
  server.history.push(
    historyEntry(5, { date: '2026-11-18T23:00:30Z' }),
    historyEntry(6, { date: '2026-07-01T21:59:30Z' }),
  );
  open();
  const today = within(await day('TODAY'));
  expect(today.getByText('9:00 AM CET')).toBeTruthy();
  expect(today.getByText('8:59 AM CET')).toBeTruthy();
  expect(within(await day('YESTERDAY')).getByText('12:00 AM CET')).toBeTruthy();
  expect(within(await day('2026-07-01')).getByText('11:59 PM CEST')).toBeTruthy();
});

test('a question of today is shown on the search page', async () => {
  const router = open();
  await userEvent.click(await screen.findByText('Question 1'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
  expect(router.state.location.search).toBe(`?entry=${historyEntry(1).id}`);
});

test('an older question is shown beside the list, and can be archived there', async () => {
  const router = open();
  await userEvent.click(await screen.findByText('Question 3'));
  const archive = await screen.findByRole('button', { name: 'Archive' });
  expect(router.state.location.pathname).toBe('/history');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Share' })).toBeTruthy();

  await userEvent.click(archive);
  expect(await screen.findByRole('button', { name: 'Un-Archive' })).toBeTruthy();
  await waitFor(() => expect(server.history[2]!.isArchived).toBe(true));
  await waitFor(() => expect(screen.queryByRole('region', { name: '2026-11-18' })).toBeNull());
});

test('the two filters are exclusive, and archived questions have no star', async () => {
  open();
  const saved = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Show Saved Only' });
  const archived = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Show Archived Only' });
  await userEvent.click(saved);
  await waitFor(() => expect(questions()).toEqual(['Question 2']));
  expect(screen.getByRole('button', { name: 'Un-Save: Question 2' })).toBeTruthy();

  await userEvent.click(archived);
  expect([saved.checked, archived.checked]).toEqual([false, true]);
  await waitFor(() => expect(questions()).toEqual(['Question 4']));
  expect(screen.queryByRole('button', { name: /Save: / })).toBeNull();
});

test('typing narrows the list', async () => {
  open();
  await screen.findByText('Question 3');
  await userEvent.type(screen.getByPlaceholderText('Search...'), '3');
  await waitFor(() => expect(questions()).toEqual(['Question 3']));
  await userEvent.type(screen.getByPlaceholderText('Search...'), 'x');
  expect(await screen.findByText('No question found')).toBeTruthy();
});

test('answers are searched too, and the words marked', async () => {
  server.history[2] = historyEntry(3, {
    date: '2026-11-18T20:00:00Z',
    answers: ['The tenant is Mr Halden.'],
  });
  open();
  await screen.findByText('Question 3');
  await userEvent.type(screen.getByPlaceholderText('Search...'), 'Halden');
  await waitFor(() => expect(questions()).toEqual(['Question 3']));
  expect(screen.getByText('Halden', { selector: 'mark' })).toBeTruthy();
});

test('the questions of a conversation are one row, and open together', async () => {
  const thread = historyEntry(3).id;
  server.history.splice(
    2,
    0,
    historyEntry(5, {
      date: '2026-11-18T20:05:00Z',
      thread,
      follows: thread,
      answers: ['Until then.'],
    }),
  );
  open();
  const row = (await screen.findByText('Question 3')).closest('button')!;
  expect(row.textContent).toContain('2 questions');
  await userEvent.click(row);
  expect(await screen.findByRole('heading', { name: 'Question 5' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Question 3' })).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Archive' })).toHaveLength(2);
});

test('a star is set once the server has saved it, and a refusal is shown and changes nothing', async () => {
  open();
  await userEvent.hover(await screen.findByRole('button', { name: 'Un-Save: Question 2' }));
  expect((await screen.findByRole('tooltip')).textContent).toBe('Un-Save');
  await userEvent.click(await screen.findByRole('button', { name: 'Save: Question 3' }));
  expect(await screen.findByRole('button', { name: 'Un-Save: Question 3' })).toBeTruthy();
  await waitFor(() => expect(server.history[2]!.isBookmark).toBe(true));

  server.failsUpdates = true;
  await userEvent.click(screen.getByRole('button', { name: 'Save: Question 1' }));
  expect(await screen.findByText('The question was not saved')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save: Question 1' })).toBeTruthy();
});

test('a recommended question is asked on the search page', async () => {
  const router = open();
  await userEvent.click(await screen.findByText('Question 3'));
  await userEvent.click(await screen.findByRole('button', { name: 'Who repaints?' }));
  await waitFor(() => expect(server.questions).toHaveLength(1));
  expect(server.questions[0]!.body).toMatchObject({ text: 'Who repaints?' });
  expect(router.state.location.pathname).toBe('/search');
});

test('without questions the page explains how they get here', async () => {
  server.history = [];
  open();
  expect(await screen.findByText('No questions yet')).toBeTruthy();
});

/** Questions of different days, newest first. */
const askedDaily = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    historyEntry(n + 1, {
      date: new Date(Date.parse('2026-11-18T20:00:00Z') - n * 86_400_000).toISOString(),
    }),
  );
const rows = () => screen.queryAllByRole('listitem').filter((row) => row.ariaPosInSet);

test('of thousands of questions only the visible ones are rendered, each with its position', async () => {
  server.history = askedDaily(5000);
  open();
  await screen.findByText('Question 1');
  expect(rows().length).toBeLessThan(40);
  expect(rows()[0]?.getAttribute('aria-posinset')).toBe('1');
  expect(rows()[0]?.getAttribute('aria-setsize')).toBe('5000');
  expect(screen.getByText('5,000 questions')).toBeTruthy();
});

test('the arrow keys and Home move through the questions', async () => {
  open();
  const first = (await screen.findByText('Question 1')).closest('button')!;
  act(() => first.focus());
  const user = userEvent.setup();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(document.activeElement?.textContent).toContain('Question 2');
  await user.keyboard('{Home}');
  expect(document.activeElement).toBe(first);
});

test('a new question appears once at the top when the tab becomes visible', async () => {
  server.history = askedDaily(15);
  open();
  await screen.findByText('Question 1');
  server.history = [historyEntry(99, { date: '2026-11-20T19:00:00Z' }), ...server.history];
  vi.setSystemTime(new Date('2026-11-20T20:01:00Z'));
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  expect(await within(await day('TODAY')).findByText('Question 99')).toBeTruthy();
  expect(new Set(rows().map((row) => row.textContent)).size).toBe(rows().length);
});

test('two quick changes of the filters are both applied', async () => {
  const router = open();
  await screen.findByText('Question 3');
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  fireEvent.change(screen.getByPlaceholderText('Search...'), { target: { value: 'Question' } });
  act(() => {
    fireEvent.click(screen.getByRole('checkbox', { name: 'Show Saved Only' }));
    // The debounce delay ends.
    vi.advanceTimersByTime(250);
  });
  vi.useRealTimers();
  await waitFor(() => expect(router.state.location.search).toBe('?only=saved&q=Question'));
  await waitFor(() => expect(questions()).toEqual(['Question 2']));
});

test('the filter is stored in the address, and restored by Back after an answer', async () => {
  const router = open();
  await screen.findByText('Question 3');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show Saved Only' }));
  await userEvent.type(screen.getByPlaceholderText('Search...'), 'Question');
  await waitFor(() => expect(router.state.location.search).toBe('?only=saved&q=Question'));
  // The list without the words has the same row, until the filtered one replaces it.
  await screen.findByText('Question', { selector: 'mark' });
  expect(questions()).toEqual(['Question 2']);
  await userEvent.click(screen.getByRole('button', { name: /^Question\s*2/u }));
  await waitFor(() => expect(router.state.location.search).toContain('entry='));
  expect(router.state.location.search).toContain('only=saved&q=Question');
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?only=saved&q=Question');
  expect(screen.getByPlaceholderText<HTMLInputElement>('Search...').value).toBe('Question');
  await waitFor(() => expect(questions()).toEqual(['Question 2']));
});

test('on a small screen an answer replaces the list, and All questions returns', async () => {
  windowIsWide = false;
  const router = open();
  await userEvent.click(await screen.findByText('Question 3'));
  await screen.findByRole('button', { name: 'Archive' });
  expect(screen.queryByPlaceholderText('Search...')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Answer' }));
  await userEvent.click(screen.getByRole('link', { name: 'All questions' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect(await screen.findByText('Question 1')).toBeTruthy();
  expect(document.activeElement?.textContent).toContain('Question 3');
});

test('choosing a question focuses its answer, and a link returns to the question', async () => {
  open();
  await userEvent.click(await screen.findByText('Question 3'));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Answer' })),
  );
  await userEvent.click(screen.getByRole('link', { name: 'All questions' }));
  expect(document.activeElement?.textContent).toContain('Question 3');
  expect(document.activeElement?.getAttribute('aria-current')).toBe('true');
});

test('an archived question of today opens here, where it can be restored', async () => {
  server.history[0] = historyEntry(1, { date: '2026-11-20T08:00:00Z', isArchived: true });
  const router = open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Show Archived Only' }));
  await userEvent.click(await screen.findByText('Question 1'));
  await userEvent.click(await screen.findByRole('button', { name: 'Un-Archive' }));
  await waitFor(() => expect(server.history[0]!.isArchived).toBe(false));
  expect(router.state.location.pathname).toBe('/history');
  await waitFor(() => expect(questions()).toEqual(['Question 4']));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show Archived Only' }));
  expect(await within(await day('TODAY')).findByText('Question 1')).toBeTruthy();
});

test('a refused archiving is shown and changes nothing', async () => {
  server.failsUpdates = true;
  open();
  await userEvent.click(await screen.findByText('Question 3'));
  await userEvent.click(await screen.findByRole('button', { name: 'Archive' }));
  expect(await screen.findByText('The question was not archived')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Archive' })).toBeTruthy();
  expect(questions()).toEqual(['Question 1', 'Question 2', 'Question 3']);
});

test('questions of today move to yesterday at midnight', async () => {
  vi.useRealTimers();
  // A minute before midnight in Los Angeles.
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-21T07:59:30Z') });
  server.history = [historyEntry(1, { date: '2026-11-21T07:00:00Z' })];
  open();
  expect(within(await day('TODAY')).getByText('Question 1')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(within(await day('YESTERDAY')).getByText('Question 1')).toBeTruthy();
});

test('a history that cannot be loaded shows an error, and can be retried', async () => {
  server.failsLists = true;
  open();
  // Three requests must fail before an error is shown.
  expect(await screen.findByText('Error fetching search history')).toBeTruthy();
  expect(screen.getByText('The database is busy.')).toBeTruthy();
  server.failsLists = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Question 3')).toBeTruthy();
});

test('earlier questions that cannot be loaded show an error, and can be retried', async () => {
  server.history = askedDaily(200);
  open();
  await screen.findByText('Question 1');
  server.failsLists = true;
  // The list is in the scrolling column.
  const column = document.querySelector('search')!.parentElement!.parentElement!;
  fireEvent.scroll(column, { target: { scrollTop: 100_000 } });
  const retryButton = await screen.findByRole('button', {
    name: 'Earlier questions could not be loaded. Try again',
  });
  expect(rows().length).toBeGreaterThan(0);
  server.failsLists = false;
  fireEvent.click(retryButton);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Earlier/u })).toBeNull());
});
