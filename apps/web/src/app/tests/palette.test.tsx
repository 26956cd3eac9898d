import { listArtifacts, listHistory, logout, refreshSession } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { historyEntry } from '../../tests/search-server.test-setup.tsx';
import { paths } from '../paths.ts';

const LEASE = '3f0f6f3e-5d1c-4c55-9d11-0d2c6f0d4a01';
const QUESTION_ID = '3f0f6f3e-5d1c-4c55-9d11-0d2c6f0d4a02';

let server: FakeServer;
beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  server = startServerWithFiles([
    anArtifact({ artifactFileName: 'Office lease.pdf' }),
    anArtifact({ artifactId: LEASE, artifactFileName: 'Lease Rosenweg.pdf' }),
    anArtifact({ artifactFileName: 'Boiler.txt' }),
  ])
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(logout, () => null)
    .on(
      listHistory,
      ({ query }) =>
        [
          historyEntry(0, { id: QUESTION_ID, searchText: 'When does the lease end?' }),
          // The same question, asked earlier.
          historyEntry(1, { searchText: 'When does the lease end?' }),
        ].filter(({ searchText }) => searchText.includes(query.get('q') ?? '')),
      () => ({ total: 2, nextCursor: null }),
    );
});

const field = () => screen.getByRole('combobox', { name: /^Find files/u });
const list = () => within(screen.getByRole('listbox', { name: 'Results' }));
const options = () =>
  list()
    .getAllByRole('option')
    .map((option) => option.textContent);
const active = () => list().getByRole('option', { selected: true });

async function openPalette(address: string = paths.keywords) {
  const opened = renderApp(address);
  await screen.findByRole('heading', { level: 1 });
  // The key handlers are added shortly after the page is rendered.
  await waitFor(async () => {
    if (!screen.queryByRole('combobox', { name: /^Find files/u })) {
      await opened.user.keyboard('{Control>}k{/Control}');
    }
    expect(document.activeElement).toBe(field());
  });
  expect(screen.getByRole('dialog', { name: 'Find anything' })).toBeTruthy();
  return opened;
}

/** Types, and waits for the results of the server. */
async function find(user: UserEvent, input: string): Promise<void> {
  await user.keyboard(input);
  await waitFor(() => expect(server.callsOf(listArtifacts).at(-1)?.query.get('q')).toBe(input));
  await waitFor(() =>
    expect(screen.getByRole('listbox', { name: 'Results' }).getAttribute('aria-busy')).toBe(
      'false',
    ),
  );
}

describe('the palette', () => {
  it('shows the newest files and questions, the pages and the commands before any input', async () => {
    await openPalette();
    await screen.findByRole('option', { name: /Boiler/u });
    await screen.findByRole('option', { name: /When does the lease end/u });
    const groups = list()
      .getAllByRole('group')
      .map((group) => group.firstElementChild?.textContent);
    expect(groups).toEqual(['Files', 'Questions', 'Pages', 'Commands']);
    for (const name of ['History', 'Billing', 'Pricing', 'New question', 'Upload', 'Logout']) {
      expect(screen.getByRole('option', { name: new RegExp(`^${name}`, 'u') })).toBeTruthy();
    }
    expect(screen.queryByRole('option', { name: 'Admin' })).toBeNull();
  });

  it('lists the question first, then matches at the start, and keeps results while the user types', async () => {
    const { user } = await openPalette();
    await find(user, 'lease');
    await waitFor(() =>
      expect(options()).toEqual([
        'Ask “lease”',
        'PDFLease Rosenweg.pdf',
        'PDFOffice lease.pdf',
        'When does the lease end?',
      ]),
    );
    const pending = Promise.withResolvers<never>();
    server.on(listArtifacts, () => pending.promise);
    await user.keyboard(' r');
    expect(options()[0]).toBe('Ask “lease r”');
    expect(options()).toContain('PDFLease Rosenweg.pdf');
    expect(screen.getByRole('listbox', { name: 'Results' }).getAttribute('aria-busy')).toBe('true');
  });

  it('asks the typed question with Enter', async () => {
    const { user, router } = await openPalette();
    await user.keyboard('How much notice?{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.search));
    expect(screen.queryByRole('combobox', { name: /^Find files/u })).toBeNull();
  });

  it('moves through its list by arrow keys, and opens the active file', async () => {
    const { user } = await openPalette();
    await find(user, 'rosenweg');
    await screen.findByRole('option', { name: /Lease Rosenweg/u });
    await user.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}');
    expect(field().getAttribute('aria-activedescendant')).toBe(active().id);
    expect(active().textContent).toContain('Lease Rosenweg.pdf');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: /Lease Rosenweg\.pdf/u })).toBeTruthy();
  });

  it('opens a file on its own page if there is no pane', async () => {
    const { user, router } = await openPalette(paths.privacy);
    await find(user, 'rosenweg');
    await user.click(await screen.findByRole('option', { name: /Lease Rosenweg/u }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/source/${LEASE}`));
  });

  it('opens an earlier question', async () => {
    const { user, router } = await openPalette();
    await find(user, 'end');
    await user.click(await screen.findByRole('option', { name: /When does the lease end/u }));
    await waitFor(() => expect(router.state.location.search).toBe(`?entry=${QUESTION_ID}`));
    expect(router.state.location.pathname).toBe(paths.search);
  });

  it('asks with a keyword, or shows its files', async () => {
    const { user, router } = await openPalette();
    await user.keyboard('fin');
    expect(await screen.findByRole('option', { name: /Ask with this keyword/u })).toBeTruthy();
    await user.click(screen.getByRole('option', { name: /Finance.*Show its files/u }));
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.files));
    expect(new URLSearchParams(router.state.location.search).get('keyword')).toBe('Finance');
  });

  it.each([
    ['show keyboard shortcuts', () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' })],
    ['upload', () => screen.findByRole('button', { name: 'UPLOAD' })],
    ['logout', () => screen.findByRole('heading', { name: 'Sign in' })],
    [
      'color scheme: dark',
      () =>
        waitFor(() => expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')),
    ],
  ])('“%s” is a command', async (input, expectDone) => {
    const { user } = await openPalette();
    await user.keyboard(input);
    const command = list().getAllByRole('option').at(-1)!;
    expect(command.textContent?.toLowerCase()).toContain(input);
    await user.click(command);
    await expectDone();
    localStorage.clear();
  });

  it('restores the focus on Escape, and leaves a dialog below it open', async () => {
    const { user } = await openPalette();
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('combobox', { name: /^Find files/u })).toBeNull(),
    );
    const upload = screen.getByRole('button', { name: 'Upload' });
    await user.click(upload);
    await screen.findByRole('button', { name: 'UPLOAD' });
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('combobox', { name: /^Find files/u })).toBeNull(),
    );
    expect(screen.getByRole('button', { name: 'UPLOAD' })).toBeTruthy();
  });

  it('limits the search with “Ask with this keyword”', async () => {
    const { user } = await openPalette();
    await user.keyboard('fin');
    await user.click(await screen.findByRole('option', { name: /Ask with this keyword/u }));
    expect(await screen.findByRole('button', { name: 'Finance', pressed: true })).toBeTruthy();
  });

  it('opens from its button in the sidebar, which gets the focus back', async () => {
    const { user } = renderApp(paths.keywords);
    const button = await screen.findByRole('button', { name: /^Find anything/u });
    await user.click(button);
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(document.activeElement).toBe(button);
  });

  it('reports that nothing was found', async () => {
    const { user } = await openPalette();
    await find(user, 'zzz');
    expect(await screen.findByText('No results')).toBeTruthy();
    await waitFor(() => expect(options()).toEqual(['Ask “zzz”']));
  });

  it('works without a network, and says what it cannot find', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    server.on(listArtifacts, () => Promise.reject(new TypeError('Failed to fetch')));
    const { user } = await openPalette();
    await user.keyboard('his');
    const message = await screen.findByText(/^You are offline: your files/u);
    expect(message.getAttribute('role')).toBe('alert');
    expect(list().getByText('History')).toBeTruthy();
  });
});
