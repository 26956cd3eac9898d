import {
  deleteArtifacts,
  listArtifacts,
  retryArtifact,
  setArtifactArchived,
  setArtifactKeywords,
  type Artifact,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
// The ten seconds in which a deletion can be undone pass while modules are loaded.
import '../toasts.tsx';

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  // Messages of one test must not appear in the next one.
  notifications.clean();
});
afterEach(() => vi.useRealTimers());

const failed = (statusReason: string): Partial<Artifact> => ({
  uploadStatus: 'FAILED',
  stage: 'failed',
  isVectorReady: false,
  statusReason,
});

const rowOf = async (name: string) =>
  within((await screen.findByRole('button', { name })).closest('tr')!);

it('shows each file with size, date, readiness and keywords', async () => {
  startServerWithFiles([
    anArtifact({ keywords: ['Home', 'Finance', 'Berlin', 'Tax'] }),
    anArtifact({ artifactFileName: 'locked.pdf', ...failed('This PDF is password-protected.') }),
    anArtifact({ artifactFileName: 'call.mp3', durationMs: 42_000, statusReason: 'No speech.' }),
    anArtifact({
      artifactFileName: 'blank.png',
      isVectorReady: false,
      statusReason: 'No text was found in this picture. It can be found by its name and keywords.',
    }),
  ]);
  renderApp('/allfiles');
  const row = await rowOf('Lease.pdf');
  await row.findByText('Home');
  for (const text of ['1.76 MB', 'Web', 'Nov 3, 2026 05:05 PM', 'Yes', 'Home', 'Finance', '+2']) {
    expect(row.getByText(text)).toBeTruthy();
  }
  const locked = await rowOf('locked.pdf');
  expect(locked.getByText('Failed')).toBeTruthy();
  expect(locked.getByText('This PDF is password-protected.')).toBeTruthy();
  const blank = await rowOf('blank.png');
  expect(blank.getByText('No')).toBeTruthy();
  expect(blank.getByText(/No text was found in this picture\./u)).toBeTruthy();
  const call = await rowOf('call.mp3');
  expect(call.getByText('0:42')).toBeTruthy();
  expect(call.getByText('Yes')).toBeTruthy();
  expect(call.getByRole('button', { name: 'Note on call.mp3: No speech.' })).toBeTruthy();
});

it('shows the folder of a file, if it has one', async () => {
  const path = 'Papers/tax/2025/notice.mp3';
  startServerWithFiles([
    anArtifact({ artifactFileName: 'notice.mp3', path, source: 'Connector', durationMs: 42_000 }),
    anArtifact({ artifactFileName: 'by hand.pdf' }),
  ]);
  renderApp('/allfiles');
  const row = await rowOf('notice.mp3');
  expect(row.getByTitle(path).textContent).toBe('Papers/tax/2025');
  expect(row.getByText('0:42')).toBeTruthy();
  expect((await rowOf('by hand.pdf')).queryByText('In the folder')).toBeNull();
});

it('shows how far files are, and polls until they are ready', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const reading: Partial<Artifact> = { uploadStatus: 'PROCESSING', isVectorReady: false };
  const files = [
    anArtifact({ artifactFileName: 'a.pdf', ...reading, stage: 'reading', progress: 42 }),
    anArtifact({ artifactFileName: 'b.pdf', ...reading, stage: 'indexing', progress: 93 }),
    anArtifact({ artifactFileName: 'c.pdf', ...reading, stage: 'stored', progress: 0 }),
  ];
  const server = startServerWithFiles(files);
  renderApp('/allfiles');
  expect((await rowOf('a.pdf')).getByText('Reading 42%')).toBeTruthy();
  expect((await rowOf('b.pdf')).getByText('Indexing 93%')).toBeTruthy();
  expect((await rowOf('c.pdf')).getByText('Waiting')).toBeTruthy();
  files.splice(0, 2);
  await vi.advanceTimersByTimeAsync(1500);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'a.pdf' })).toBeNull());
  // Without progress, the list is polled every 15 seconds.
  const lists = () =>
    server.callsOf(listArtifacts).filter(({ query }) => query.get('limit') === '10').length;
  const before = lists();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(lists()).toBe(before);
  files[0] = anArtifact({ artifactFileName: 'c.pdf' });
  await vi.advanceTimersByTimeAsync(1500);
  await waitFor(() => expect(screen.getByText('Yes')).toBeTruthy());
  // Once everything is ready, polling stops.
  const settled = lists();
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(lists()).toBe(settled);
});

it('does not poll in a hidden tab, and shows an error if polling fails', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const waiting = anArtifact({ uploadStatus: 'PENDING', isVectorReady: false, stage: 'stored' });
  const server = startServerWithFiles([waiting]);
  const lists = () => server.callsOf(listArtifacts).length;
  renderApp('/allfiles');
  await rowOf('Lease.pdf');
  const setVisibility = (state: DocumentVisibilityState): void => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    window.dispatchEvent(new Event('visibilitychange'));
  };
  setVisibility('hidden');
  const before = lists();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lists()).toBe(before);
  server.on(listArtifacts, () => new Refusal(400, 'The database is not answering.'));
  setVisibility('visible');
  expect(await screen.findByText(/^The list may be out of date\. The database/u)).toBeTruthy();
  expect((await rowOf('Lease.pdf')).getByText('Waiting')).toBeTruthy();
});

/** Selects an entry in the menu of a file. */
async function choose(user: UserEvent, item: string, name = 'Lease.pdf'): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `Options for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

it('pages through the files and searches them', async () => {
  const files = Array.from({ length: 23 }, (_, n) =>
    anArtifact({ artifactFileName: `File ${n + 1}.pdf` }),
  );
  startServerWithFiles(files);
  const { user } = renderApp('/allfiles');
  expect(await screen.findByText('1-10 of 23 items')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByText('11-20 of 23 items')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByText('21-23 of 23 items')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Next' }).ariaDisabled).toBe('true');
  await user.type(screen.getByLabelText('Search files by name'), 'file 7');
  expect(await screen.findByText('1-1 of 1 item')).toBeTruthy();
  await user.type(screen.getByLabelText('Search files by name'), 'x');
  expect(await screen.findByText('No file of that name')).toBeTruthy();
});

/** Confirms the deletion in the dialog. */
async function confirmDelete(user: UserEvent): Promise<void> {
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
}

/** A server that deletes from the given files. */
const startServerThatDeletes = (files: Artifact[]) =>
  startServerWithFiles(files).on(deleteArtifacts, ({ body }) => {
    const ids = new Set(body as string[]);
    files.splice(0, files.length, ...files.filter(({ artifactId }) => !ids.has(artifactId)));
    return [...ids];
  });

it('hides a deleted file immediately and deletes it after ten seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const file = anArtifact();
  const server = startServerThatDeletes([file]);
  const { user } = renderApp('/allfiles');
  await choose(user, 'Delete');
  await confirmDelete(user);
  const confirmedAt = Date.now();
  expect(await screen.findByText('No files yet')).toBeTruthy();
  expect(await screen.findByText('was deleted.', { exact: false })).toBeTruthy();
  await vi.advanceTimersByTimeAsync(confirmedAt + 9000 - Date.now());
  expect(server.callsOf(deleteArtifacts)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.callsOf(deleteArtifacts).map(({ body }) => body)).toEqual([[file.artifactId]]);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect(screen.getByText('No files yet')).toBeTruthy();
  await waitFor(() => expect(sessionStorage.getItem('a_exist')).toBe('false'));
});

it.each(['the button', 'Ctrl Z'])('restores a deleted file with Undo by %s', async (method) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = startServerThatDeletes([anArtifact(), anArtifact({ artifactFileName: 'b.pdf' })]);
  const { user } = renderApp('/allfiles');
  await choose(user, 'Delete');
  await confirmDelete(user);
  expect(await screen.findByText('1-1 of 1 item')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Lease.pdf' })).toBeNull();
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  if (method === 'the button') await user.click(undo);
  else fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(await screen.findByRole('button', { name: 'Lease.pdf' })).toBeTruthy();
  expect(screen.getByText('1-2 of 2 items')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server.callsOf(deleteArtifacts)).toHaveLength(0);
});

it('deletes a hidden file immediately when the page is left', async () => {
  const server = startServerThatDeletes([anArtifact()]);
  const { user } = renderApp('/allfiles');
  await choose(user, 'Delete');
  await confirmDelete(user);
  await screen.findByRole('button', { name: 'Undo' });
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(server.callsOf(deleteArtifacts)).toHaveLength(1));
});

it('restores a file that could not be deleted', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  startServerWithFiles([anArtifact()]).on(deleteArtifacts, () => new Refusal(503, 'Try later.'));
  const { user } = renderApp('/allfiles');
  await choose(user, 'Delete');
  await confirmDelete(user);
  await screen.findByText('No files yet');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await screen.findByText('The file was not deleted')).toBeTruthy();
  expect(screen.getByText('Try later.')).toBeTruthy();
  expect(await screen.findByText('1-1 of 1 item')).toBeTruthy();
});

it('retries a failed file', async () => {
  const file = anArtifact(failed('Cut off.'));
  const server = startServerWithFiles([file]).on(retryArtifact, () => file);
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Retry Lease.pdf' }));
  await waitFor(() =>
    expect(server.callsOf(retryArtifact)[0]?.params).toEqual({ artifactId: file.artifactId }),
  );
});

it('offers a retry when the list could not be loaded', async () => {
  const server = startServerWithFiles();
  server.on(listArtifacts, () => new Refusal(400, 'The database is not answering.'));
  const { user } = renderApp('/allfiles');
  expect(await screen.findByText('Your files could not be loaded.')).toBeTruthy();
  server.on(
    listArtifacts,
    () => [],
    () => ({ total: 0, nextCursor: null }),
  );
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No files yet')).toBeTruthy();
});

it('archives a file, and lists it among the archived ones', async () => {
  const files = [anArtifact(), anArtifact({ artifactFileName: 'Other.pdf' })];
  startServerWithFiles(files).on(setArtifactArchived, ({ params }) => {
    const file = files.find(({ artifactId }) => artifactId === params['artifactId'])!;
    return Object.assign(file, { artifactArchived: params['archived'] === 'true' });
  });
  const { user } = renderApp('/allfiles');
  await choose(user, 'Archive');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Lease.pdf' })).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: 'Show Archived Only' }));
  expect(await screen.findByRole('button', { name: 'Lease.pdf' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Other.pdf' })).toBeNull();
  await choose(user, 'Un-Archive');
  expect(await screen.findByText('No archived files')).toBeTruthy();
});

it('says that all files are archived', async () => {
  startServerWithFiles([anArtifact({ artifactArchived: true })]);
  const { user } = renderApp('/allfiles');
  expect(await screen.findByText('All your files are archived')).toBeTruthy();
  expect(sessionStorage.getItem('a_exist')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Show archived files' }));
  expect(await screen.findByRole('button', { name: 'Lease.pdf' })).toBeTruthy();
});

it('deletes all selected files after a confirmation, including those of other pages', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const files = Array.from({ length: 450 }, (_, n) => anArtifact({ artifactFileName: `${n}.pdf` }));
  const server = startServerThatDeletes(files);
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('checkbox', { name: 'Select 3.pdf' }));
  expect(await screen.findByText('1 file selected')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Select page' }));
  expect(await screen.findByText('10 files selected')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Select all 450' }));
  const bar = within(screen.getByRole('region', { name: 'Selected files' }));
  expect(await bar.findByText('450 files selected')).toBeTruthy();
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  expect(dialog.getByText('450 files')).toBeTruthy();
  await confirmDelete(user);
  expect(await screen.findByText('450 files were deleted.')).toBeTruthy();
  expect(await screen.findByText('No files yet')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.callsOf(deleteArtifacts).map(({ body }) => (body as string[]).length)).toEqual([
    450,
  ]);
  expect(screen.getByText('No files yet')).toBeTruthy();
});

it('fills the page with the next files while a deletion can be undone', async () => {
  const files = Array.from({ length: 13 }, (_, n) => anArtifact({ artifactFileName: `${n}.pdf` }));
  startServerThatDeletes(files);
  const { user } = renderApp('/allfiles');
  await rowOf('0.pdf');
  await user.click(screen.getByRole('checkbox', { name: 'Select all files on this page' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await confirmDelete(user);
  expect(await screen.findByText('1-3 of 3 items')).toBeTruthy();
  await rowOf('12.pdf');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('1-10 of 13 items')).toBeTruthy();
  await rowOf('0.pdf');
});

it('removes keywords from a file and adds others', async () => {
  const file = anArtifact({ keywords: ['Home', 'Berlin', 'Tax'] });
  const server = startServerWithFiles([file]).on(setArtifactKeywords, ({ body }) =>
    Object.assign(file, { keywords: (body as Artifact).keywords }),
  );
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Remove Home from Lease.pdf' }));
  await waitFor(() => expect(file.keywords).toEqual(['Berlin', 'Tax']));

  await user.click(screen.getByRole('button', { name: 'Add a keyword to Lease.pdf' }));
  const search = await screen.findByRole('textbox', { name: 'Search or add a keyword' });
  await user.type(search, 'fin');
  await user.click(await screen.findByRole('option', { name: 'Finance' }));
  await waitFor(() => expect(file.keywords).toEqual(['Berlin', 'Tax', 'Finance']));

  await user.click(await screen.findByRole('button', { name: 'More keywords of Lease.pdf: 1' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove Finance from Lease.pdf' }));
  await waitFor(() => expect(file.keywords).toEqual(['Berlin', 'Tax']));

  await user.click(screen.getByRole('button', { name: 'Add a keyword to Lease.pdf' }));
  const reopened = await screen.findByRole('textbox', { name: 'Search or add a keyword' });
  await user.type(reopened, 'two words');
  expect(
    await screen.findByText('Keywords can only contain alphabets and numbers upto 20 characters.'),
  ).toBeTruthy();
  await user.clear(reopened);
  await user.type(reopened, 'Garden2026andmuchmoreX');
  expect(
    await screen.findByText('Keywords can only contain alphabets and numbers upto 20 characters.'),
  ).toBeTruthy();
  const choices = () =>
    within(screen.getByRole('listbox', { name: 'Keywords' }))
      .queryAllByRole('option')
      .map(({ textContent }) => textContent);
  expect(choices()).toEqual([]);
  // An existing keyword is selected, and not added twice.
  await user.clear(reopened);
  await user.type(reopened, 'FINANCE');
  expect(choices()).toEqual(['Finance']);
  await user.clear(reopened);
  await user.type(reopened, 'Garden2026andmuchmor');
  await user.click(await screen.findByRole('option', { name: 'Add “Garden2026andmuchmor”' }));
  await waitFor(() => expect(file.keywords).toContain('Garden2026andmuchmor'));
  expect(server.callsOf(setArtifactKeywords)).toHaveLength(4);

  // Enter accepts the typed keyword in its existing spelling, and an invalid one stays in the input.
  const plus = screen.getByRole('button', { name: 'Add a keyword to Lease.pdf' });
  expect(plus.className).not.toBe('');
  for (const [typed, taken] of [
    ['FINANCE', 'Finance'],
    ['Porto', 'Porto'],
  ] as const) {
    await user.click(plus);
    await user.keyboard(`${typed}{Enter}`);
    await waitFor(() => expect(file.keywords).toContain(taken));
  }
  await user.click(plus);
  await user.keyboard('bad!{Enter}');
  expect(screen.getByDisplayValue('bad!')).toBeTruthy();
  expect(server.callsOf(setArtifactKeywords)).toHaveLength(6);
});

it('reverts a change of keywords when the server refuses it', async () => {
  startServerWithFiles([anArtifact({ keywords: ['Home'] })]).on(
    setArtifactKeywords,
    () => new Refusal(503, 'Try later.'),
  );
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Remove Home from Lease.pdf' }));
  expect(await screen.findByText('The keywords were not changed')).toBeTruthy();
  expect(await screen.findByText('Home')).toBeTruthy();
});

it('shows a thumbnail, and the icon of the type when it cannot be loaded', async () => {
  startServerWithFiles([anArtifact({ thumbnailUrl: '/v1/files/thumb' })]);
  renderApp('/allfiles');
  const row = (await screen.findByRole('button', { name: 'Lease.pdf' })).closest('tr')!;
  const picture = row.querySelector('img')!;
  expect(picture.getAttribute('src')).toBe('/v1/files/thumb');
  expect(picture.getAttribute('loading')).toBe('lazy');
  fireEvent.error(picture);
  await waitFor(() => expect(row.querySelector('img')).toBeNull());
  expect(within(row).getByText('PDF')).toBeTruthy();
});
