import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { historyEntry, renderPages, SearchServer } from '../testing/search-server.tsx';
import { HistoryPage } from './history-page.tsx';
import { SearchPage } from './search-page.tsx';

let server: SearchServer;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  // jsdom sees nothing come into sight.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
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
const questions = () => screen.queryAllByText(/^Question \d$/u).map((item) => item.textContent);

test('questions stand under their days, counted in Los Angeles', async () => {
  open();
  expect(within(await day('TODAY')).getByText('Question 1')).toBeTruthy();
  expect(within(await day('TODAY')).getByText('12:00 AM PST')).toBeTruthy();
  expect(within(await day('YESTERDAY')).getByText('Question 2')).toBeTruthy();
  expect(within(await day('2026-11-18')).getByText('Question 3')).toBeTruthy();
  expect(questions()).toEqual(['Question 1', 'Question 2', 'Question 3']);
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

  await userEvent.click(archive);
  expect(await screen.findByRole('button', { name: 'Un-Archive' })).toBeTruthy();
  await waitFor(() => expect(server.history[2]!.isArchived).toBe(true));
  await waitFor(() => expect(screen.queryByRole('region', { name: '2026-11-18' })).toBeNull());
});

test('the two filters exclude each other, and archived questions have no star', async () => {
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

test('a star saves; a refusal takes it back and says so', async () => {
  open();
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
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(server.asked[0]!.body).toMatchObject({ text: 'Who repaints?' });
  expect(router.state.location.pathname).toBe('/search');
});

test('without questions the page says how they come here', async () => {
  server.history = [];
  open();
  expect(await screen.findByText('No questions yet')).toBeTruthy();
});
