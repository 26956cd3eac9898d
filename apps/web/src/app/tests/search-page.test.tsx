import { QUESTION_LIMIT, type SearchData } from '@engram/contract';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aKeyword } from '../../tests/factories.test-setup.ts';
import {
  historyEntry,
  renderPages,
  searchData,
  SearchServer,
} from '../../tests/search-server.test-setup.tsx';
import SearchPage from '../search-page.tsx';
import { answerIn, askIn } from './search-page.test-setup.ts';

let server: SearchServer;

beforeEach(() => {
  server = new SearchServer();
  sessionStorage.setItem('authToken', 'token');
  sessionStorage.setItem('a_exist', 'true');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = (address = '/search') => renderPages(server, { '/search': SearchPage }, address);
const input = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ask your AI Brain anything' });
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Search' });

const ask = (text?: string) => askIn(server, text);
const answer = (changes?: Partial<SearchData>) => answerIn(server, changes);

test('only a question with more than white space can be sent', async () => {
  open();
  expect(submit().disabled).toBe(true);
  await userEvent.type(input(), '   {Enter}');
  expect(submit().disabled).toBe(true);
  expect(server.calls).not.toContain('POST /search');
  expect(input().maxLength).toBe(QUESTION_LIMIT);

  await userEvent.type(input(), 'How{Shift>}{Enter}{/Shift}much?');
  expect(input().value.trim()).toBe('How\nmuch?');
  expect(server.calls).not.toContain('POST /search');

  await userEvent.click(submit());
  await waitFor(() => expect(server.questions).toHaveLength(1));
  expect(server.questions[0]!.body).toMatchObject({
    text: 'How\nmuch?',
    keywords: [],
    location: null,
    audio: false,
  });
});

test.each([
  ['', { isComposing: true }],
  [' in Safari', { keyCode: 229 }],
])(
  'Enter that ends the composition of a character%s sends nothing',
  async (browser, eventFields) => {
    open();
    await userEvent.type(input(), 'に');
    fireEvent.keyDown(input(), { key: 'Enter', ...eventFields });
    expect(server.calls).not.toContain('POST /search');
  },
);

test('an expired plan blocks questions with a message', async () => {
  server.metrics = { ...server.metrics, status: 'Expired' };
  open();
  await screen.findByText(
    'Your subscription has expired. Please renew to continue accessing the services.',
  );
  await userEvent.type(input(), 'How much?{Enter}');
  expect(submit().disabled).toBe(true);
  expect(server.calls).not.toContain('POST /search');
});

test('sources are shown first, then the text as it is written, then the complete answer', async () => {
  open();
  const question = await ask();
  const data = searchData();
  const { citations, similar_vectors } = data;
  question.send('sources', { history_id: data.history_id, citations, found: [], similar_vectors });
  const sourceButton = await screen.findByRole('button', { name: 'Open Lease.txt, line 3' });
  expect(sourceButton.textContent).toBe('Line 3');

  question.send('delta', { text: 'At the **en' });
  expect(await screen.findByText('en', { selector: 'strong' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();

  question.send('done', data);
  expect(await screen.findByText('end', { selector: 'strong' })).toBeTruthy();
  expect(await screen.findByText('Recommended questions on this topic...')).toBeTruthy();
  expect(screen.getByText('9:52 AM PST')).toBeTruthy();
  expect(input().value).toBe('');
});

test('the steps of a model are shown while it works, and announced to screen readers', async () => {
  open();
  const question = await ask();
  question.send('step', { text: 'Searching for “deposit”…' });
  const messages = await screen.findAllByText('Searching for “deposit”…');
  expect(messages.map((message) => message.tagName)).toEqual(['P', 'OUTPUT']);
  question.send('delta', { text: 'At the end' });
  await waitFor(() => expect(screen.queryByText('Searching for “deposit”…')).toBeNull());
});

test('pointing at a citation highlights its card, and vice versa', async () => {
  open();
  await answer();
  const citationMark = screen.getByRole('button', { name: 'Source 1: Lease.txt, line 3' });
  const card = within(screen.getByRole('region', { name: 'Sources' })).getByRole('listitem');
  expect(card.hasAttribute('data-active')).toBe(false);
  await userEvent.hover(citationMark);
  expect(card.hasAttribute('data-active')).toBe(true);
  await userEvent.unhover(citationMark);
  expect(card.hasAttribute('data-active')).toBe(false);
  act(() => within(card).getByRole('button').focus());
  expect(citationMark.hasAttribute('data-active')).toBe(true);
});

test('a click on a source opens the file with the quote marked', async () => {
  // jsdom has no layout, and a list without height renders no rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  open();
  await answer();
  await userEvent.click(screen.getByRole('button', { name: 'Source 1: Lease.txt, line 3' }));
  const quote = await screen.findAllByTestId('quote');
  expect(quote.map((mark) => mark.textContent).join('')).toBe('Either party may end it.');
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const link = await screen.findByRole('menuitem', { name: 'Open in a new tab' });
  expect(link.getAttribute('href')).toBe('/v1/files/lease');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(link.isConnected).toBe(false));

  await userEvent.keyboard('{Escape}');
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Source 1: Lease.txt, line 3'),
  );
});

test('a source whose file has been deleted shows a message', async () => {
  open();
  await answer();
  server.texts.clear();
  await userEvent.click(screen.getByRole('button', { name: 'Source 1: Lease.txt, line 3' }));
  expect(await screen.findByText('This file was deleted')).toBeTruthy();
});

test('a new question cancels the running one', async () => {
  open();
  const first = await ask('First?');
  first.send('delta', { text: 'Old words' });
  await screen.findByText('Old words');
  await userEvent.clear(input());
  await userEvent.type(input(), 'Second?{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(2));
  expect(first.aborted).toBe(true);
  expect(screen.queryByText('Old words')).toBeNull();
  server.questions[1]!.send('delta', { text: 'New words' });
  expect(await screen.findByText('New words')).toBeTruthy();
});

test.each([
  [402, 'You have used your 15 questions for today.', undefined, false],
  [429, 'Too many requests. Try again in 12 seconds.', 12, true],
  [500, 'Something broke. Your question is still here: try again in a moment.', undefined, true],
])(
  'a refusal with %i shows the reason and keeps the question',
  async (status, text, retryAfter, canRetry) => {
    const message = { 402: text, 429: 'Too many requests.', 500: 'Something broke.' }[status]!;
    server.refusal = { status, message, ...(retryAfter ? { retryAfter } : {}) };
    open();
    await userEvent.type(input(), 'How much?{Enter}');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(text);
    expect(within(alert).queryAllByRole('button')).toHaveLength(canRetry ? 1 : 0);
    expect(input().value).toBe('How much?');
  },
);

test('a question to a server that cannot be reached stays, and can be asked again', async () => {
  server.unreachable = true;
  open();
  await userEvent.type(input(), 'How much?{Enter}');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Check your connection');
  server.unreachable = false;
  await userEvent.click(within(alert).getByRole('button', { name: 'Ask again' }));
  await waitFor(() => expect(server.questions).toHaveLength(1));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each(['error', 'end'] as const)(
  'an answer that ends with an %s is shown as failed',
  async (ending) => {
    open();
    const question = await ask();
    question.send('delta', { text: 'Half an ans' });
    await screen.findByText('Half an ans');
    if (ending === 'error')
      question.send('error', { message: 'The index is down.', code: 'index' });
    else question.end();
    expect((await screen.findByRole('alert')).textContent).toContain(
      ending === 'error' ? 'The index is down.' : 'cut off',
    );
    expect(input().value).toBe('How much notice?');
  },
);

test('files that are not ready are polled every 15 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.ready = false;
  open();
  await screen.findByText(/Some files you uploaded are not ready for search yet/u);
  expect(screen.getByRole('link', { name: 'All Files' }).getAttribute('href')).toBe('/allfiles');
  const pollCount = () => server.calls.filter((call) => call.endsWith('/search_ready')).length;
  const earlierCount = pollCount();

  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(pollCount()).toBe(earlierCount + 1);
  server.ready = true;
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  await screen.findByText('All files you uploaded are ready to search');
  expect(screen.queryByText(/could not be read/u)).toBeNull();
  const finalCount = pollCount();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(pollCount()).toBe(finalCount);
});

test('a failed file is shown, and the page does not claim that all files are ready', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.ready = false;
  server.failed = 2;
  open();
  await screen.findByText(/Some files you uploaded are not ready for search yet/u);
  server.ready = true;
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  await screen.findByText(/2 files could not be read\. The others are ready to search\./u);
  expect(screen.getByRole('link', { name: 'All Files' }).getAttribute('href')).toBe('/allfiles');
  expect(screen.queryByText('All files you uploaded are ready to search')).toBeNull();
});

test('the cube appears if an answer takes longer than 300 ms, and disappears 500 ms after it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: false });
  open();
  fireEvent.change(input(), { target: { value: 'How much?' } });
  await act(() => vi.advanceTimersByTimeAsync(2000));
  fireEvent.keyDown(input(), { key: 'Enter' });
  await act(() => vi.advanceTimersByTimeAsync(290));
  expect(screen.queryByTestId('loading-cube')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(screen.getByTestId('loading-cube')).toBeTruthy();
  server.questions[0]!.send('delta', { text: 'Words' });
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(screen.getByText('Words')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(490));
  expect(screen.getByTestId('loading-cube').hasAttribute('data-leaving')).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(screen.queryByTestId('loading-cube')).toBeNull();
});

test('an answer that the files do not contain shows no sources and what to do instead', async () => {
  server.keywords = [aKeyword('Home')];
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Home' }));
  await answer({ grounded: false, answers: ['Your files don’t seem to say.'], citations: [] });
  expect(server.questions[0]!.body).toMatchObject({ keywords: ['Home'] });
  expect(screen.queryByRole('region', { name: 'Sources' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Search all files' }));
  await waitFor(() => expect(server.questions).toHaveLength(2));
  expect(server.questions[1]!.body).toMatchObject({ text: 'How much notice?', keywords: [] });
});

test('a notice is shown above the answer', async () => {
  open();
  await answer({ notice: 'The model was down.' });
  expect(screen.getByText('The model was down.')).toBeTruthy();
});

test('a curated question is asked by a click', async () => {
  server.recommendations = ['Who repaints?'];
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Who repaints?' }));
  await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ text: 'Who repaints?' }));
});

test('without files the page explains what to do', () => {
  sessionStorage.setItem('a_exist', 'false');
  open();
  expect(screen.getByText('No files yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Upload' })).toBeTruthy();
});

test('without files a question is answered with advice to add some', async () => {
  sessionStorage.setItem('a_exist', 'false');
  open();
  const text = 'There are no files to search yet. Upload files or add a note, then ask again.';
  await answerIn(server, { grounded: false, answers: [text], citations: [], nearest: [] });
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Upload files or add a note' })).toBeTruthy();
  expect(screen.queryByText(/in other words/u)).toBeNull();
});

test('earlier questions of today show their answers, even after a reload', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  server.history = [
    historyEntry(1),
    // A minute before midnight in Los Angeles.
    historyEntry(2, { date: '2026-11-20T07:59:00Z' }),
  ];
  const router = open();
  await userEvent.click(await screen.findByText('Earlier today'));
  await userEvent.click(await screen.findByRole('button', { name: /Question 1.*1 source/su }));
  expect(screen.queryByText('Question 2')).toBeNull();
  expect(await screen.findByText('end', { selector: 'strong' })).toBeTruthy();
  expect(router.state.location.search).toBe(`?entry=${historyEntry(1).id}`);
});

test('a link to a deleted question shows a message', async () => {
  open('/search?entry=00000000-0000-4000-8000-000000000999');
  expect(await screen.findByText('This question is not in your history')).toBeTruthy();
});

test('saving is shown immediately and reverted if the server refuses', async () => {
  open();
  await answer();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Un-Save' })).toBeTruthy());
  await waitFor(() => expect(server.history[0]!.isBookmark).toBe(true));

  server.failsUpdates = true;
  await userEvent.click(screen.getByRole('button', { name: 'Un-Save' }));
  expect(await screen.findByText('The question was not un-saved')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Un-Save' })).toBeTruthy();
});

test('related files are listed by category behind View All', async () => {
  open();
  await answer();
  await userEvent.click(screen.getByRole('button', { name: 'View All' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('How much notice?');
  expect(within(dialog).getByRole('button', { name: '1 All' }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  expect(
    within(dialog)
      .getByRole('link', { name: /^Lease\.txt/u })
      .getAttribute('href'),
  ).toBe('/v1/files/lease');
});

test('keywords are shown from the cache on a later visit, and then updated from the server', async () => {
  const home = aKeyword('Home', { isDefault: false });
  server.keywords = [home];
  open();
  await screen.findByRole('button', { name: 'Home' });
  expect(JSON.parse(sessionStorage.getItem('keywords')!)).toEqual({
    data: [home],
    timestamp: expect.any(Number) as number,
  });

  cleanup();
  server.keywords = [];
  open();
  expect(screen.getByRole('button', { name: 'Home' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Home' })).toBeNull());
  expect(sessionStorage.getItem('keywords')).toBeNull();
});
