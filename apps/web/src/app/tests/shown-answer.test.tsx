import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  historyEntry,
  leaseSection,
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
afterEach(() => vi.unstubAllGlobals());

const open = () => renderPages(server, { '/search': SearchPage }, '/search');

const REFUSAL = "Your files don't seem to say.";

test('an unverified sentence is marked, and Copy includes the mark', async () => {
  const user = userEvent.setup();
  open();
  const question = await askIn(server);
  const text = 'At the end of a month. [1] It was two once. [unverified]';
  question.send('done', searchData({ answers: [text], unverified: ['It was two once.'] }));
  expect(await screen.findByText('not verified')).toBeTruthy();
  expect(screen.getByText(/Sentences marked as not verified/u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(`${text}\n\nSources:\n[1] Lease.txt, line 3`);
});

test('a missing answer shows the nearest passages as such, and each opens at its source location', async () => {
  const user = userEvent.setup();
  open();
  const [passage] = searchData().citations;
  const second = { ...passage!, n: 2, quote: 'It comes back.', start: 54, end: 68 };
  await answerIn(server, {
    mode: 'found',
    grounded: false,
    answers: [REFUSAL],
    citations: [],
    nearest: [passage!, second],
    found: [leaseSection()],
  });
  const nearest = within(screen.getByRole('region', { name: 'Nearest passages' }));
  const texts = ['Either party may end it.', 'It comes back.'];
  expect(nearest.getAllByRole('paragraph').map((paragraph) => paragraph.textContent)).toEqual(
    texts,
  );
  expect(screen.queryByRole('region', { name: /Sources|Found/u })).toBeNull();
  const announcement = 'Your files hold no answer. Below: 2 nearest passages.';
  expect(screen.getByText(announcement).tagName).toBe('OUTPUT');

  const [first] = nearest.getAllByRole('button', { name: 'Open Lease.txt, line 3' });
  await user.click(first!);
  const viewer = await screen.findByRole('dialog', { name: 'Passage 1: Lease.txt' });
  await user.click(within(viewer).getByRole('button', { name: 'Next passage' }));
  expect(await screen.findByRole('dialog', { name: 'Passage 2: Lease.txt' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(first));

  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(
    `${REFUSAL}\n\nThe nearest passages:\n- Lease.txt, line 3: “Either party may end it.”\n- Lease.txt, line 3: “It comes back.”`,
  );
});

const newer = { artifactId: '00000000-0000-4000-8000-000000000009', fileName: 'Amendment.pdf' };
const otherFile = (n: number) =>
  leaseSection({
    n,
    artifactId: historyEntry(n).id,
    fileName: `Other ${n}.txt`,
    location: { page: n },
  });

/** A found answer with five sections, the first two from one file. */
const foundAnswer = () => ({
  mode: 'found' as const,
  writtenBy: 'files',
  answers: ['**Lease.txt**, line 3 [1]\n\n> Either party may end it.'],
  found: [
    leaseSection({ newer }),
    leaseSection({
      n: 2,
      start: 0,
      end: 8,
      text: 'Contents',
      highlights: [],
      location: { line: 1 },
    }),
    ...[3, 4, 5].map(otherFile),
  ],
});

test('a found answer shows exact sections by file, with the best sentence highlighted', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, foundAnswer());
  const found = within(screen.getByRole('region', { name: 'Found in your files' }));
  const files = () => found.getAllByRole('list').map((list) => list.getAttribute('aria-label'));
  expect(files()).toEqual(['Places in Lease.txt', 'Places in Other 3.txt']);
  const [first, second] = found.getAllByRole('listitem');
  const paragraphs = within(first!).getAllByRole('paragraph');
  expect(paragraphs.map((paragraph) => paragraph.textContent)).toEqual([
    '§ 14 Notice. Either party may end it.',
    '§ 15 Deposit. It comes back.',
  ]);
  expect(first!.querySelector('mark')?.textContent).toBe('Either party may end it.');
  expect(within(first!).getByText('Notice').tagName).toBe('SPAN');
  expect(within(second!).getByText('Contents')).toBeTruthy();
  // The answer adds nothing to the text of the files.
  expect(screen.getByRole('article').querySelector('strong')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Source/u })).toBeNull();
  expect(screen.getByText('Found in your files: 5 places.').tagName).toBe('OUTPUT');

  await user.click(found.getByRole('button', { name: 'Show 2 more' }));
  expect(files()).toHaveLength(4);
  expect(found.queryByRole('button', { name: /more/u })).toBeNull();
});

test('a card opens its file at the sentence, by a click or by Enter', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, foundAnswer());
  const [card] = screen.getAllByText(/Either party may end it/u);
  await user.click(card!);
  await screen.findByRole('dialog', { name: 'Passage 1: Lease.txt' });
  await user.keyboard('{Escape}');
  const sourceButton = screen.getByRole('button', { name: 'Open Lease.txt, line 1' });
  act(() => sourceButton.focus());
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: 'Passage 2: Lease.txt' });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'newer: Amendment.pdf' }));
  expect(await screen.findByRole('dialog', { name: 'Amendment.pdf' })).toBeTruthy();
});

test('a found answer is copied as its quotes with their sources', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, { ...foundAnswer(), found: [leaseSection()] });
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(
    '“§ 14 Notice. Either party may end it.\n\n§ 15 Deposit. It comes back.”\n— Lease.txt, line 3',
  );
});

test('found sections are shown while a model works, and the cited ones stay', async () => {
  const user = userEvent.setup();
  open();
  const question = await askIn(server);
  const found = [leaseSection(), otherFile(2)];
  question.send('sources', {
    history_id: historyEntry(9).id,
    citations: [],
    found,
    similar_vectors: [],
  });
  question.send('step', { text: 'Reading 2 passages…' });
  const region = await screen.findByRole('region', { name: 'Found in your files' });
  expect(within(region).getAllByRole('listitem')).toHaveLength(2);
  expect(screen.getAllByText('Reading 2 passages…')).not.toHaveLength(0);
  expect(screen.queryByTestId('loading-cube')).toBeNull();

  question.send('done', searchData({ found }));
  const sources = within(await screen.findByRole('region', { name: 'Sources' }));
  expect(sources.getAllByRole('listitem')).toHaveLength(1);
  expect(sources.getByRole('list', { name: 'Places in Lease.txt' }).textContent).toContain('§ 14');
  await user.click(sources.getByRole('button', { name: '1 more place' }));
  expect(sources.getByRole('list', { name: 'Places in Other 2.txt' })).toBeTruthy();
});

test('a card that is opened on a phone stays open when the answer is complete', async () => {
  const user = userEvent.setup();
  const router = open();
  const question = await askIn(server);
  const found = [leaseSection()];
  const data = searchData({ found });
  const { history_id, similar_vectors } = data;
  question.send('sources', { history_id, citations: [], found, similar_vectors });
  question.send('step', { text: 'Reading a passage…' });
  await user.click(await screen.findByRole('button', { name: 'Open Lease.txt, line 3' }));
  await screen.findByRole('dialog', { name: 'Passage 1: Lease.txt' });
  question.send('done', data);
  await screen.findByText('Written by a model');
  expect(screen.getByRole('dialog', { name: 'Passage 1: Lease.txt' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(router.state.location.search).toBe(`?entry=${history_id}`));
  expect(screen.getByText('Written by a model')).toBeTruthy();
});

test('rows of a table keep their column names, without added text', async () => {
  open();
  const text = 'Item: Rent · Amount: 900\nItem: Gas · Amount: 80';
  const row = leaseSection({
    text,
    start: 0,
    end: text.length,
    highlights: [[6, 10]],
    location: { sheet: '', row: 2 },
  });
  const quote = text.slice(0, 24);
  const [citation] = searchData().citations;
  await answerIn(server, {
    ...foundAnswer(),
    citations: [{ ...citation!, location: { sheet: '', row: 2 }, quote, start: 0, end: 24 }],
    found: [row],
  });
  const [first, second] = screen.getAllByRole('paragraph');
  expect([first!.textContent, second!.textContent]).toEqual(text.split('\n'));
  expect(first!.querySelector('mark')?.textContent).toBe(quote);
  expect(screen.getByRole('button', { name: 'Open Lease.txt, row 2' })).toBeTruthy();
});

test('sources and related files show their folder, which is not copied', async () => {
  const user = userEvent.setup();
  open();
  const path = 'Papers/home/Lease.txt';
  const { citations, similar_vectors: related } = searchData();
  await answerIn(server, {
    citations: citations.map((citation) => ({ ...citation, path })),
    similar_vectors: related.map((file) => ({ ...file, path })),
  });
  const sources = screen.getByRole('region', { name: 'Sources' });
  expect(within(sources).getByTitle(path).textContent).toBe('Papers/home');
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).not.toContain('Papers');
});

test('copying includes the sources, and removes the escapes of the Markdown', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, { answers: ['5 \\* 3 is \\[15\\] [1].'] });
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(
    '5 * 3 is [15] [1].\n\nSources:\n[1] Lease.txt, line 3',
  );
  expect(await screen.findByText('The answer is copied with its sources.')).toBeTruthy();
});
