import {
  appSettings,
  createShare,
  deleteShare,
  historyThread,
  getSharedAnswer,
  listHistory,
  listShares,
  refreshSession,
  type Share,
  type SharedAnswer,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { someSettings, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, startFakeServer, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { historyEntry } from '../../tests/search-server.test-setup.tsx';

const entry = historyEntry(1, { date: '2026-11-18T20:00:00Z' });
const NOTE =
  'Anyone with this link can read this question and its answer. Your files stay private.';

const aShare = (n: number): Share => ({
  id: `word-${n}`,
  historyId: historyEntry(n).id,
  question: `Question ${n}`,
  url: `https://engram.test/shared/word-${n}`,
  createdDate: '2026-11-20T17:52:00Z',
});

/** A server with up to one link for the entry, which is different each time. */
function startSharingServer(): { server: FakeServer; shares: Share[] } {
  const shares: Share[] = [];
  let linkCount = 0;
  const server = startServerWithFiles()
    .on(
      listHistory,
      () => [entry],
      () => ({ total: 1, nextCursor: null }),
    )
    .on(historyThread, () => [entry])
    .on(createShare, () => {
      linkCount += 1;
      if (shares.length === 0) shares.push({ ...aShare(1), id: `word-${linkCount}` });
      return shares[0]!;
    })
    .on(
      listShares,
      () => shares,
      () => ({ total: shares.length, nextCursor: null }),
    )
    .on(deleteShare, ({ params }) => {
      const index = shares.findIndex(({ id }) => id === params['id']);
      if (index === -1) return new Refusal(404, 'This answer is no longer shared.');
      shares.splice(index, 1);
      return null;
    });
  return { server, shares };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  sessionStorage.setItem('authToken', 'a-token');
});
afterEach(() => {
  vi.useRealTimers();
  notifications.clean();
  Reflect.deleteProperty(navigator, 'share');
  Reflect.deleteProperty(navigator, 'canShare');
  window.history.replaceState(null, '', '/');
});

/** Opens the dialog, and confirms it. */
const share = async (user: UserEvent, confirmLabel = 'Create link') => {
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  const dialog = within(await dialogNamed('Share this answer'));
  await user.click(dialog.getByRole('button', { name: confirmLabel }));
  return dialog;
};

const openEntry = () => renderApp(`/history?entry=${entry.id}`);
const dialogNamed = (name: string) => screen.findByRole('dialog', { name });

/** Gives the browser a share sheet with the given result. */
function giveShareSheet(finish: () => Promise<void>, isAllowed = true) {
  const sheet = vi.fn<(data: ShareData) => Promise<void>>(finish);
  Object.defineProperty(navigator, 'share', { value: sheet, configurable: true });
  Object.defineProperty(navigator, 'canShare', { value: () => isAllowed, configurable: true });
  return sheet;
}

test('without a share sheet a dialog has the link, explains what it shows, and copies it', async () => {
  startSharingServer();
  const { user } = openEntry();
  const dialog = await share(user);
  const link = await dialog.findByRole<HTMLInputElement>('textbox', { name: 'Link' });
  expect(link.value).toBe(aShare(1).url);
  expect(dialog.getByText(NOTE)).toBeTruthy();
  // An answer that is already shared shows since when.
  expect(dialog.getByText('Nov 20, 2026 05:52 PM')).toBeTruthy();

  await user.click(dialog.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(aShare(1).url);
  expect(await screen.findByText('The link is copied.')).toBeTruthy();

  await user.keyboard('{Escape}');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Share' })),
  );
});

test('a failed copy shows an error', async () => {
  startSharingServer();
  const { user } = openEntry();
  const dialog = await share(user);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('No.'));
  await user.click(await dialog.findByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('The link was not copied')).toBeTruthy();
});

test('sharing can be stopped in the dialog, and started again with another link', async () => {
  const { server, shares } = startSharingServer();
  const { user } = openEntry();
  const dialog = await share(user);
  await user.click(await dialog.findByRole('button', { name: 'Stop sharing' }));
  expect(await dialog.findByText(/This answer is no longer shared\./u)).toBeTruthy();
  expect(shares).toEqual([]);
  expect(server.callsOf(deleteShare).map(({ params }) => params['id'])).toEqual(['word-1']);
  expect(dialog.queryByRole('textbox')).toBeNull();

  const shareAgain = dialog.getByRole('button', { name: 'Share with a new link' });
  await waitFor(() => expect(document.activeElement).toBe(shareAgain));
  await user.click(shareAgain);
  expect(await dialog.findByRole('textbox', { name: 'Link' })).toBeTruthy();
  expect(shares.map(({ id }) => id)).toEqual(['word-2']);
});

test('a failure to share or revoke shows an error and changes nothing', async () => {
  const { server } = startSharingServer();
  server.on(createShare, () => new Refusal(503, 'The database is busy.'));
  const { user } = openEntry();
  const dialog = await share(user);
  expect(await screen.findByText('The answer was not shared')).toBeTruthy();
  expect(screen.getByText('The database is busy.')).toBeTruthy();
  expect(dialog.queryByRole('textbox')).toBeNull();

  server.on(createShare, () => aShare(1));
  server.on(deleteShare, () => new Refusal(503, 'The database is away.'));
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  await user.click(await dialog.findByRole('button', { name: 'Stop sharing' }));
  expect(await screen.findByText('The answer is still shared')).toBeTruthy();
  expect(dialog.getByRole('textbox', { name: 'Link' })).toBeTruthy();
});

test.each(['Cancel', 'Close'])('nothing is published before a confirmation: %s', async (no) => {
  const { server } = startSharingServer();
  const sheet = giveShareSheet(() => Promise.resolve());
  const { user } = openEntry();
  const button = await screen.findByRole('button', { name: 'Share' });
  await user.click(button);
  const dialog = within(await dialogNamed('Share this answer'));
  expect(dialog.getByText('Question 1')).toBeTruthy();
  expect(dialog.getByText(/This creates a public link\. Anyone who has it can read/u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: no }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf(createShare)).toEqual([]);
  expect(sheet).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('a share sheet gets the question and its link, and the dialog closes', async () => {
  startSharingServer();
  const sheet = giveShareSheet(() => Promise.resolve());
  const { user } = openEntry();
  await share(user, 'Create link and share');
  await waitFor(() => expect(sheet).toHaveBeenCalledOnce());
  expect(sheet).toHaveBeenCalledWith({ title: 'Question 1', url: aShare(1).url });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  ['is closed', 'AbortError'],
  ['refuses', 'NotAllowedError'],
])(
  'after a share sheet that %s, the dialog has the link with a way to revoke it',
  async (_, name) => {
    const { shares } = startSharingServer();
    giveShareSheet(() => Promise.reject(new DOMException('No.', name)));
    const { user } = openEntry();
    const dialog = await share(user, 'Create link and share');
    await user.click(await dialog.findByRole('button', { name: 'Stop sharing' }));
    await dialog.findByText(/This answer is no longer shared\./u);
    expect(shares).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test('a share sheet that the browser does not allow is not opened', async () => {
  startSharingServer();
  const sheet = giveShareSheet(() => Promise.resolve(), false);
  const { user } = openEntry();
  const dialog = await share(user);
  expect(await dialog.findByRole('textbox', { name: 'Link' })).toBeTruthy();
  expect(sheet).not.toHaveBeenCalled();
});

test('the history lists all shared answers, and each can be revoked', async () => {
  const { server, shares } = startSharingServer();
  shares.push(aShare(1), aShare(2));
  const { user } = renderApp('/history');
  await user.click(await screen.findByRole('button', { name: 'Shared answers' }));
  const dialog = within(await dialogNamed('Shared answers'));
  const link = await dialog.findByRole('link', { name: 'Question 2' });
  expect(link.getAttribute('href')).toBe(aShare(2).url);

  await user.click(dialog.getByRole('button', { name: 'Copy link: Question 1' }));
  expect(await navigator.clipboard.readText()).toBe(aShare(1).url);
  await user.click(dialog.getByRole('button', { name: 'Stop sharing: Question 2' }));
  await waitFor(() => expect(dialog.queryByRole('link', { name: 'Question 2' })).toBeNull());
  expect(server.callsOf(deleteShare)).toHaveLength(1);
  // The link has been revoked elsewhere, which is the desired state.
  shares.length = 0;
  await user.click(dialog.getByRole('button', { name: 'Stop sharing: Question 1' }));
  expect(await dialog.findByText('Nothing is shared')).toBeTruthy();
  expect(screen.queryByText('The answer is still shared')).toBeNull();
});

test('a long list of shared answers is loaded page by page', async () => {
  const { server } = startSharingServer();
  server.on(
    listShares,
    ({ query }) => [aShare(query.get('cursor') === 'more' ? 2 : 1)],
    ({ query }) => ({ total: 2, nextCursor: query.get('cursor') === 'more' ? null : 'more' }),
  );
  const { user } = renderApp('/history');
  await user.click(await screen.findByRole('button', { name: 'Shared answers' }));
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('link', { name: 'Question 2' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Question 1' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

const shared: SharedAnswer = {
  question: 'How much notice?',
  date: '2026-11-20T17:52:00Z',
  answer: 'At the **end** of a month [1], see [2].\n\n![x](https://evil.test/pixel.png) <b>hi</b>',
  grounded: true,
  sources: [
    { n: 1, fileName: 'Lease.pdf', location: { page: 7 } },
    { n: 2, fileName: 'Papers.zip', location: { path: 'a/b.pdf', page: 2 } },
  ],
  nearest: [],
};

/** Opens the page at its address, as a visitor does. */
function visit(answer: () => SharedAnswer | Refusal, token: string | null = null): FakeServer {
  sessionStorage.clear();
  if (token) sessionStorage.setItem('authToken', token);
  window.history.replaceState(null, '', '/shared/word-1');
  const server = startFakeServer()
    .on(appSettings, () => someSettings())
    .on(getSharedAnswer, answer);
  renderApp('/shared/word-1');
  return server;
}

test('the page shows question, date, answer and the names of its sources', async () => {
  const server = visit(() => shared);
  expect(await screen.findByRole('heading', { level: 1, name: 'How much notice?' })).toBeTruthy();
  expect(document.title).toContain('How much notice?');
  expect(screen.getByText('Friday, November 20, 2026 · 9:52 AM PST')).toBeTruthy();
  const citation = await screen.findByRole('link', { name: 'Source 1: Lease.pdf, page 7' });
  expect(citation.getAttribute('href')).toBe('#source-1');
  const rows = within(screen.getByRole('region', { name: 'Sources' })).getAllByRole('listitem');
  expect(rows.map(({ id }) => id)).toEqual(['source-1', 'source-2']);
  expect(within(rows[0]!).getByText('Lease.pdf')).toBeTruthy();
  expect(rows[0]!.textContent).toContain('Page 7');
  expect(rows[1]!.textContent).toContain('a/b.pdf · page 2');
  expect(screen.getByRole('link', { name: 'Answered by Engram' }).getAttribute('href')).toBe(
    '/home',
  );
  expect(document.querySelector('meta[name="robots"]')?.getAttribute('content')).toContain(
    'noindex',
  );
  // The page has no remote content, no scripts and no links to files.
  const main = screen.getByRole('main');
  expect(main.querySelector('img, iframe, script, b, video')).toBeNull();
  expect(server.callsOf(refreshSession)).toEqual([]);
});

test('a shared answer without a result shows the nearest passages as such', async () => {
  const [source] = shared.sources;
  visit(() => ({
    ...shared,
    answer: "Your files don't seem to say.",
    grounded: false,
    sources: [],
    nearest: [source!],
  }));
  const nearest = await screen.findByRole('region', {
    name: 'The nearest passages, which do not answer it',
  });
  expect(within(nearest).getByRole('listitem').textContent).toContain('Lease.pdf');
  expect(screen.queryByRole('region', { name: 'Sources' })).toBeNull();
});

test('unverified sentences are explained, and quotes are formatted as quotes', async () => {
  const answer = '**Lease.pdf**, page 7 [1]\n\n> Either party may end it.\n\nOr less. [unverified]';
  visit(() => ({ ...shared, answer }));
  const quote = await screen.findByText('Either party may end it.');
  expect(quote.closest('blockquote')).toBeTruthy();
  expect(screen.getByText(/^Sentences marked as not verified/u)).toBeTruthy();
});

test.each(['a-token', null])(
  'the request for a shared answer has no session (%s)',
  async (token) => {
    const server = visit(() => shared, token);
    await screen.findByRole('heading', { level: 1, name: 'How much notice?' });
    expect(
      server.callsOf(getSharedAnswer).map(({ params, token: sent }) => [params, sent]),
    ).toEqual([[{ id: 'word-1' }, null]]);
    expect(sessionStorage.getItem('authToken')).toBe(token);
  },
);

test('a revoked or unknown link shows a message', async () => {
  visit(() => new Refusal(404, 'This answer is no longer shared.'), 'a-token');
  expect(
    await screen.findByRole('heading', { name: 'This answer is no longer shared.' }),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(sessionStorage.getItem('authToken')).toBe('a-token');
});

test('a failed request can be retried', async () => {
  let fails = true;
  visit(() => (fails ? new Refusal(429, 'Too many calls.') : shared));
  expect(await screen.findByText('The answer could not be loaded')).toBeTruthy();
  fails = false;
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(await screen.findByRole('heading', { name: 'How much notice?' })).toBeTruthy();
});
