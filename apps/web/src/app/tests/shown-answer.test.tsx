import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPages, searchData, SearchServer } from '../../tests/search-server.test-setup.tsx';
import { SearchPage } from '../search-page.tsx';
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

test('a sentence that could not be verified is marked, and Copy takes the mark along', async () => {
  const user = userEvent.setup();
  open();
  const asked = await askIn(server);
  const text = 'At the end of a month. [1] It was two once. [unverified]';
  asked.send('done', searchData({ answers: [text], unverified: ['It was two once.'] }));
  expect(await screen.findByText('not verified')).toBeTruthy();
  expect(screen.getByText(/What is marked as not verified/u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(`${text}\n\nSources:\n[1] Lease.txt, line 3`);
});

test('a refusal shows the nearest passages as no answer, and opens each at its place', async () => {
  const user = userEvent.setup();
  open();
  const { citations } = searchData();
  const [passage] = citations;
  const second = { ...passage!, n: 2, quote: 'It comes back.', start: 0, end: 0 };
  await answerIn(server, {
    grounded: false,
    answers: [REFUSAL],
    citations: [],
    nearest: [passage!, second],
  });
  const nearest = screen.getByRole('region', { name: 'The nearest passages' });
  expect(within(nearest).getByText(/^They are no answer/u)).toBeTruthy();
  expect(within(nearest).getAllByRole('listitem')).toHaveLength(2);
  const [first] = within(nearest).getAllByRole('button', { name: /Lease\.txt/u });
  expect(within(first!).getByText('Line 3')).toBeTruthy();
  expect(within(first!).getByText('Either party may end it.', { selector: 'mark' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Sources' })).toBeNull();
  const said = 'Your files hold no answer. Below: 2 nearest passages.';
  expect(screen.getByText(said).tagName).toBe('OUTPUT');

  await user.click(first!);
  const viewer = await screen.findByRole(
    'dialog',
    { name: 'Passage 1: Lease.txt' },
    { timeout: 5000 },
  );
  await user.click(within(viewer).getByRole('button', { name: 'Next passage' }));
  expect(await screen.findByRole('dialog', { name: 'Passage 2: Lease.txt' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(first));

  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(
    `${REFUSAL}\n\nThe nearest passages:\n- Lease.txt, line 3: “Either party may end it.”\n- Lease.txt, line 3: “It comes back.”`,
  );
});

test('a computed figure comes first, and says what it was computed from', async () => {
  const user = userEvent.setup();
  open();
  const text =
    '**€ 42.00** (sum of Amount; costs.csv)\n\n| Amount | Source |\n| --- | --- |\n| € 42.00 | [1] |';
  await answerIn(server, { answers: [text], computed: { operation: 'sum', value: 42, rows: 12 } });
  const figure = screen.getByRole('figure');
  expect(figure.textContent).toBe(
    '€ 42.00Sum of Amount; costs.csvSum of 12 rows, 1 of them cited below',
  );
  const table = await screen.findByRole('region', { name: 'Table' });
  // The value is not said again in the text.
  expect(screen.queryByText('€ 42.00', { selector: 'strong' })).toBeNull();
  expect(within(table).getByRole('button', { name: 'Source 1: Lease.txt, line 3' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toContain('\n\nSum of 12 rows\n\nSources:\n');
});

test('a figure within a sentence stands above it', async () => {
  open();
  await answerIn(server, {
    answers: ['You have **1,204** entries in May. [1]'],
    computed: { operation: 'count', value: 1204, rows: 1204 },
  });
  expect(screen.getByRole('figure').textContent).toBe(
    '1,204Count of 1,204 entries, 1 of them cited below',
  );
  expect(await screen.findByText(/You have/u)).toBeTruthy();
});

test('sources and related files say in which folder they are, and copying does not', async () => {
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

test('copying takes the answer without the escapes of its Markdown, and its sources', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, { answers: ['5 \\* 3 is \\[15\\] [1].'] });
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(
    '5 * 3 is [15] [1].\n\nSources:\n[1] Lease.txt, line 3',
  );
  expect(await screen.findByText('The answer is copied with its sources.')).toBeTruthy();
});
