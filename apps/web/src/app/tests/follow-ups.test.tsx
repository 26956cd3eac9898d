import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import {
  historyEntry,
  LEASE_TEXT,
  renderPages,
  searchData,
  SearchServer,
} from '../../tests/search-server.test-setup.tsx';
import HistoryPage from '../history-page.tsx';
import SearchPage from '../search-page.tsx';

let server: SearchServer;

beforeEach(() => {
  server = new SearchServer();
  server.history = [historyEntry(1, { searchText: 'How much notice?' })];
  server.suggestions = ['Notice period', 'Who is the landlord?', 'Lease.pdf'];
  sessionStorage.setItem('authToken', 'token');
  sessionStorage.setItem('a_exist', 'true');
});

const first = historyEntry(1).id;
const open = (address = '/search') =>
  renderPages(server, { '/search': SearchPage, '/history': HistoryPage }, address);
const input = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ask your AI Brain anything' });
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);

test('suggestions appear at the third letter of a word, with the typed letters marked', async () => {
  open();
  await userEvent.type(input(), 'the no');
  expect(options()).toEqual([]);
  await userEvent.type(input(), 't');
  await screen.findByRole('listbox', { name: 'Suggestions' });
  expect(options()).toEqual(['Notice period']);
  expect(screen.getByRole('option').querySelector('mark')?.textContent).toBe('Not');
  await userEvent.type(input(), 'x');
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('arrow keys and Enter choose a suggestion without asking', async () => {
  open();
  await userEvent.type(input(), 'the not');
  const option = await screen.findByRole('option');
  expect(input().getAttribute('aria-activedescendant')).toBeNull();
  await userEvent.keyboard('{ArrowDown}');
  expect(input().getAttribute('aria-activedescendant')).toBe(option.id);
  expect(option.getAttribute('aria-selected')).toBe('true');
  await userEvent.keyboard('{ArrowDown}');
  expect(input().getAttribute('aria-activedescendant')).toBeNull();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  expect(input().value).toBe('the Notice period');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(server.questions).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(server.questions[0]?.body).toMatchObject({ text: 'the Notice period' }),
  );
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('a click chooses a suggestion, Escape hides them, and Enter asks the typed question', async () => {
  open();
  await userEvent.type(input(), 'who is land');
  await userEvent.click(await screen.findByRole('option'));
  expect(input().value).toBe('Who is the landlord?');
  expect(document.activeElement).toBe(input());
  await userEvent.clear(input());
  await userEvent.type(input(), 'lease');
  await screen.findByRole('option');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(input().value).toBe('lease');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ text: 'lease' }));
});

test('suggestions are loaded when the user types, and again after a question', async () => {
  open();
  const suggestionRequests = () =>
    server.calls.filter((call) => call === 'GET /suggestions').length;
  await waitFor(() => expect(server.calls).toContain('GET /search/history/today'));
  expect(suggestionRequests()).toBe(0);
  await userEvent.type(input(), 'lease');
  await screen.findByRole('option');
  expect(suggestionRequests()).toBe(1);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(1));
  server.questions[0]!.send('done', searchData());
  await screen.findByRole('button', { name: 'Copy' });
  await userEvent.type(input(), 'n');
  await waitFor(() => expect(suggestionRequests()).toBe(2));
});

/** Answers the newest question, and adds it to the history as the server does. */
async function answerLast(text: string, n: number, follows: string | null): Promise<string> {
  const data = searchData({ text, history_id: historyEntry(n).id });
  const entry = historyEntry(n, { searchText: text, follows, ...(follows && { thread: first }) });
  server.history = [entry, ...server.history];
  server.questions.at(-1)!.send('done', data);
  await waitFor(() => expect(input().value).toBe(''));
  return data.history_id;
}
const answers = () => screen.getAllByRole('article', { name: 'Answer' });

/** Repeats the question of an answer from its menu. */
async function askAgain(answer: HTMLElement): Promise<void> {
  await userEvent.click(within(answer).getByRole('button', { name: 'More about the answer' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ask again' }));
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
}

test('the next question of a conversation follows up on the last one, and is shown below it', async () => {
  const router = open(`/search?entry=${first}`);
  await screen.findByRole('article', { name: 'Answer' });
  expect(input().placeholder).toBe('Ask a follow-up…');
  await userEvent.type(input(), 'And for garages?{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(1));
  expect(server.questions[0]!.body).toMatchObject({ text: 'And for garages?', after: first });
  const second = await answerLast('And for garages?', 2, first);
  await userEvent.type(input(), 'And for boats?{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(2));
  expect(server.questions[1]!.body).toMatchObject({ after: second });
  await answerLast('And for boats?', 3, second);
  expect(
    answers().map((answer) => within(answer).getAllByRole('heading', { level: 2 })[0]!.textContent),
  ).toEqual(['How much notice?', 'And for garages?', 'And for boats?']);
  // A reload and Back show the same conversation.
  expect(router.state.location.search).toBe(`?entry=${first}`);
});

test('any question of a conversation opens all of it', async () => {
  const more = { thread: first, follows: first, searchText: 'And for garages?' };
  server.history = [historyEntry(2, more), ...server.history];
  open(`/search?entry=${historyEntry(2).id}`);
  await waitFor(() => expect(answers()).toHaveLength(2));
});

test('a conversation keeps the files and keywords of its last question, and shows them', async () => {
  const chosenFiles = [{ artifactId: historyEntry(7).id, fileName: 'Lease.pdf' }];
  server.history = [
    historyEntry(2, { thread: first, follows: first, searchText: 'And garages?', chosenFiles }),
    ...server.history,
  ];
  open(`/search?entry=${first}`);
  await screen.findByText('Searching in Lease.pdf');
  const [before, last] = answers();
  expect(within(before!).queryByText('Searched only in Lease.pdf')).toBeNull();
  within(last!).getByText('Searched only in Lease.pdf');
  await userEvent.type(input(), 'And boats?{Enter}');
  const artifactIds = [chosenFiles[0]!.artifactId];
  await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ artifactIds }));
  await answerLast('And boats?', 3, historyEntry(2).id);
  await userEvent.click(screen.getByRole('button', { name: 'Search all files' }));
  // It is asked again with the same previous questions.
  await askAgain(answers()[1]!);
  await waitFor(() => expect(server.questions[1]?.body).toMatchObject({ artifactIds }));
  await askAgain(answers()[0]!);
  await waitFor(() => expect(server.questions[2]?.body).toMatchObject({ artifactIds: [] }));
});

test('New question ends the conversation', async () => {
  const router = open(`/search?entry=${first}`);
  await userEvent.click(await screen.findByRole('button', { name: 'New question' }));
  expect(router.state.location.search).toBe('');
  expect(document.activeElement).toBe(input());
  await userEvent.type(input(), 'Who repaints?{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(1));
  expect(server.questions[0]!.body).not.toHaveProperty('after');
});

test('a repeated question has the same previous questions as before', async () => {
  const more = { thread: first, follows: first, searchText: 'And for garages?' };
  server.history = [historyEntry(2, more), ...server.history];
  open(`/search?entry=${first}`);
  await screen.findByRole('heading', { name: 'And for garages?' });
  await askAgain(answers()[1]!);
  await waitFor(() =>
    expect(server.questions[0]?.body).toMatchObject({ text: 'And for garages?', after: first }),
  );
});

test('an arrow key restores the last question in the empty input', async () => {
  open(`/search?entry=${first}`);
  await screen.findByRole('article', { name: 'Answer' });
  await userEvent.type(input(), '{ArrowUp}');
  expect(input().value).toBe('How much notice?');
});

test('Stop keeps the partial answer, and marks it as stopped', async () => {
  open();
  await userEvent.type(input(), 'How much?{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(1));
  const [received] = server.questions;
  received!.send('sources', {
    history_id: historyEntry(9).id,
    citations: searchData().citations,
    found: [],
    similar_vectors: [],
  });
  received!.send('delta', { text: 'At the **end** of a month [3]. Or [1' });
  expect(await screen.findByText('end', { selector: 'strong' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(received!.aborted).toBe(true);
  expect(await screen.findByText('Stopped before it was complete')).toBeTruthy();
  expect(screen.getByText('end', { selector: 'strong' })).toBeTruthy();
  // The internal form of a citation is never shown.
  expect(screen.getByText('3').tagName).toBe('SPAN');
  expect(screen.queryByText(/\[\d/u)).toBeNull();
  await userEvent.type(input(), 'And then?{Enter}');
  await waitFor(() =>
    expect(server.questions[1]?.body).toMatchObject({ after: historyEntry(9).id }),
  );
});

test('a question that is stopped before any answer stays in the input', async () => {
  open();
  await userEvent.type(input(), 'How much?{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(input().value).toBe('How much?');
  expect(screen.queryByRole('article')).toBeNull();
});

test('each answer names the model that wrote it', async () => {
  server.history = [
    historyEntry(3, { thread: first, writtenBy: null }),
    historyEntry(2, { thread: first, writtenBy: 'llama3' }),
    ...server.history,
  ];
  open(`/search?entry=${first}`);
  expect(await screen.findByText('From 1 file')).toBeTruthy();
  expect(screen.getByText('Written by llama3')).toBeTruthy();
});

test('questions are limited to the selected files until the selection is removed', async () => {
  const files = [{ artifactId: historyEntry(7).id, fileName: 'Lease.pdf' }];
  const router = open('/history');
  await act(() => router.navigate('/search', { state: { files, draft: 'What about ' } }));
  expect(input().value).toBe('What about ');
  expect(screen.getByText('Searching in Lease.pdf')).toBeTruthy();
  await userEvent.type(input(), 'pets?{Enter}');
  await waitFor(() =>
    expect(server.questions[0]?.body).toMatchObject({
      text: 'What about pets?',
      artifactIds: [files[0]!.artifactId],
    }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Search all files' }));
  await userEvent.clear(input());
  await userEvent.type(input(), 'And boats?{Enter}');
  await waitFor(() => expect(server.questions[1]?.body).toMatchObject({ artifactIds: [] }));
});

test('a follow-up to an answer of the history is asked on the search page', async () => {
  const router = open(`/history?entry=${first}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Ask a follow-up…' }));
  expect(await screen.findByPlaceholderText('Ask a follow-up…')).toBeTruthy();
  expect(router.state.location.pathname + router.state.location.search).toBe(
    `/search?entry=${first}`,
  );
});

test('a toggle shows how an answer was found, but not for answers of the history', async () => {
  const router = open();
  await userEvent.type(input(), 'How much?{Enter}');
  await waitFor(() => expect(server.questions).toHaveLength(1));
  expect(server.questions[0]!.body).toMatchObject({ explain: true });
  const [file] = searchData().similar_vectors;
  const offset = LEASE_TEXT.indexOf('Either');
  // One file is not among the related ones, and one has been deleted.
  server.texts.set(historyEntry(8).id, 'All about shoes.');
  server.questions[0]!.send(
    'done',
    searchData({
      explain: {
        passages: [
          {
            artifactId: file!.artifactId,
            start: offset,
            end: offset + 24,
            scores: { index: 4, nearby: 0.5, meaning: 0 },
          },
          { artifactId: file!.artifactId, start: 0, end: 8, scores: { index: 2 } },
          { artifactId: historyEntry(8).id, start: 0, end: 16, scores: { index: 1 } },
          { artifactId: historyEntry(9).id, start: 0, end: 9, scores: { index: 1 } },
        ],
        terms: ['party', 'end', 'end'],
        stages: [
          { name: 'index', ms: 3.21 },
          { name: 'answer', ms: 11.6 },
        ],
      },
    }),
  );
  const summary = await screen.findByText('How was this found?');
  expect(summary.textContent).toContain('4 passages · 15 ms');
  expect(screen.queryByText('Where the time went')).toBeNull();
  await userEvent.click(summary);
  const passages = await screen.findAllByRole('list', { name: 'Scores' });
  expect(passages).toHaveLength(4);
  expect(within(passages[1]!).getByText('50 percent of the best')).toBeTruthy();
  expect(screen.queryByText('Meaning')).toBeNull();
  await waitFor(() =>
    expect([...document.querySelectorAll('li mark')].map((m) => m.textContent)).toEqual(
      expect.arrayContaining(['party', 'end']),
    ),
  );
  expect((await screen.findAllByTitle('line 3')).length).toBeGreaterThan(0);
  expect(screen.getByText('3.2 ms')).toBeTruthy();
  const third = within(passages[2]!.parentElement!);
  expect(await third.findByText('All about shoes.')).toBeTruthy();
  expect(await screen.findByText('This file cannot be shown.')).toBeTruthy();

  await router.navigate(`/search?entry=${first}`);
  await waitFor(() => expect(screen.queryByText('How was this found?')).toBeNull());
});
