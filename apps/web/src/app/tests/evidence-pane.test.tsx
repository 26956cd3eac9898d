import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPages, searchData, SearchServer } from '../../tests/search-server.test-setup.tsx';
import { onWideScreen } from '../../tests/wide-screen.test-setup.ts';
import SearchPage from '../search-page.tsx';
import { answerIn } from './search-page.test-setup.ts';

let server: SearchServer;

beforeEach(() => {
  server = new SearchServer();
  sessionStorage.setItem('authToken', 'token');
  sessionStorage.setItem('a_exist', 'true');
  onWideScreen();
});
afterEach(() => vi.unstubAllGlobals());

const open = () => renderPages(server, { '/search': SearchPage }, '/search');

const [first] = searchData().citations;
const citations = [first!, { ...first!, n: 2, quote: 'It comes back.', start: 54, end: 68 }];
const pane = (name: string) => screen.findByRole('complementary', { name });

test('a source opens beside the answer, which stays usable', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, { answers: ['At the **end** of a month [1]. So it is [2].'], citations });
  const citation = await screen.findByRole('button', { name: 'Source 1: Lease.txt, line 3' });
  await user.click(citation);
  const shown = await pane('Source 1: Lease.txt');
  expect(document.activeElement).toBe(shown);
  expect(screen.queryByRole('dialog')).toBeNull();
  const two = screen.getByRole('button', { name: 'Source 2: Lease.txt, line 3' });
  await user.click(two);
  await pane('Source 2: Lease.txt');
  expect(screen.getAllByRole('complementary', { name: /Lease\.txt/u })).toHaveLength(1);
  await user.click(await within(shown).findByRole('button', { name: 'Previous source' }));
  await pane('Source 1: Lease.txt');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(shown.isConnected).toBe(false));
  expect(document.activeElement).toBe(two);
});

test('keys open sources and move between them, except in text fields', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server, { answers: ['At the **end** of a month [1]. So it is [2].'], citations });
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: /Ask your AI Brain/u });
  await user.click(input);
  await user.keyboard('12');
  expect(input.value).toContain('12');
  expect(screen.queryByRole('complementary')).toBeNull();
  const chip = await screen.findByRole('button', { name: 'Source 1: Lease.txt, line 3' });
  chip.focus();
  await user.keyboard('2');
  await pane('Source 2: Lease.txt');
  await user.keyboard('{ArrowLeft}');
  await pane('Source 1: Lease.txt');
  await user.keyboard(']');
  await pane('Source 2: Lease.txt');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
  expect(document.activeElement).toBe(chip);
});

test('the width of the pane can be changed by keyboard, and is stored', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server);
  await user.click(await screen.findByRole('button', { name: 'Source 1: Lease.txt, line 3' }));
  const border = await screen.findByRole('separator', { name: 'Width of the evidence' });
  const before = Number(border.getAttribute('aria-valuenow'));
  border.focus();
  await user.keyboard('{ArrowLeft}');
  expect(Number(border.getAttribute('aria-valuenow'))).toBe(before + 24);
  await user.keyboard('{Home}');
  expect(border.getAttribute('aria-valuenow')).toBe(border.getAttribute('aria-valuemax'));
  await user.keyboard('{End}');
  expect(border.getAttribute('aria-valuenow')).toBe('400');
  expect(localStorage.getItem('evidence-width')).toBe('400');
});

test('selected text of a file becomes the beginning of a question', async () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  Range.prototype.getBoundingClientRect = () => new DOMRect(900, 200, 80, 20);
  const user = userEvent.setup();
  open();
  await answerIn(server);
  await user.click(await screen.findByRole('button', { name: 'Source 1: Lease.txt, line 3' }));
  const [quote] = await screen.findAllByTestId('quote');
  document.getSelection()?.selectAllChildren(quote!);
  await user.keyboard('{Shift}');
  const bar = await screen.findByRole('toolbar', { name: 'Selected text' });
  await user.click(within(bar).getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe('Either party may end it.');
  await user.click(within(bar).getByRole('button', { name: 'Ask about this' }));
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: /Ask your AI Brain/u });
  await waitFor(() => expect(input.value).toBe('“Either party may end it.” '));
  expect(document.activeElement).toBe(input);
  await pane('Source 1: Lease.txt');
});

test('the menu copies a link to the shown source location', async () => {
  const user = userEvent.setup();
  open();
  await answerIn(server);
  await user.click(await screen.findByRole('button', { name: 'Source 1: Lease.txt, line 3' }));
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy a link to this passage' }));
  const { artifactId, start, end } = first!;
  expect(await navigator.clipboard.readText()).toBe(
    `${window.location.origin}/source/${artifactId}?from=${start}&to=${end}`,
  );
});
