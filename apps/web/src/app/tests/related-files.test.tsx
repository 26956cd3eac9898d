import {
  getArtifactSegments,
  historyThread,
  listHistory,
  setArtifactArchived,
  signArtifact,
  type RelatedFile,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { historyEntry } from '../../tests/search-server.test-setup.tsx';

const NOW = new Date('2026-11-20T20:00:00Z');
const QUESTION = 'What do I have about the boathouse?';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const [template] = historyEntry(1).similarVectors;
const related = (n: number, fileName: string, fileType: string, text: string | null = null) => ({
  ...template!,
  artifactId: `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`,
  fileName,
  fileType,
  artifact_text: text,
  presignedUrl: `/v1/files/given-${n}`,
  size: 2048,
});

const files: RelatedFile[] = [
  related(1, 'Pier.jpg', 'image/jpeg'),
  related(2, 'Tour.mp4', 'video/mp4'),
  related(3, 'Bell.wav', 'audio/wav'),
  related(4, 'Lease.pdf', 'application/pdf'),
  related(5, 'Letter.docx', DOCX, 'Dear Ann, the boathouse'),
  related(6, 'Costs.xlsx', XLSX, 'Month · Amount'),
  related(7, 'Note.txt', 'text/plain'),
  related(8, 'Page.html', 'text/html'),
  related(9, 'Things.bin', 'other'),
];
const numberOf = (artifactId: string | undefined): number => Number(artifactId?.slice(-2));

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined);
  sessionStorage.setItem('authToken', 'a-token');
  const entry = historyEntry(1, {
    searchText: QUESTION,
    date: '2026-11-18T20:00:00Z',
    similarVectors: files,
  });
  server = startServerWithFiles()
    .on(
      listHistory,
      () => [entry],
      () => ({ total: 1, nextCursor: null }),
    )
    .on(historyThread, () => [entry])
    .on(setArtifactArchived, ({ params }) =>
      anArtifact({ artifactId: params['artifactId']!, artifactArchived: true }),
    )
    .on(signArtifact, ({ params }) => {
      const file = files.find(({ artifactId }) => artifactId === params['artifactId'])!;
      const n = numberOf(file.artifactId);
      return {
        presignedUrl: `/v1/files/signed-${n}-${server.callsOf(signArtifact).length}`,
        expiresAt: '2026-11-20T20:15:00Z',
        fileName: file.fileName,
        fileType: file.fileType,
        size: file.size,
        thumbnailUrl: [1, 4].includes(n) ? `/v1/files/small-${n}` : null,
      };
    });
});
afterEach(() => {
  vi.useRealTimers();
  notifications.clean();
});

/** Opens the list of the answer's files. */
async function openFiles() {
  const { user } = renderApp(`/history?entry=${historyEntry(1).id}`);
  await user.click(await screen.findByRole('button', { name: 'View All' }));
  const dialog = within(await screen.findByRole('dialog', { name: QUESTION }));
  const card = (name: string) => dialog.getByRole('article', { name });
  const choose = (tab: string) => user.click(dialog.getByRole('button', { name: tab }));
  const archive = async (name: string) => {
    await user.click(dialog.getByRole('button', { name: `Options for ${name}` }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Archived']);
    await user.click(items[0]!);
  };
  return { user, dialog, card, choose, archive };
}

test('each category has a button with its count, and the selected one is marked', async () => {
  const { dialog, choose } = await openFiles();
  const tabs = () =>
    within(dialog.getByRole('group', { name: 'Categories' })).getAllByRole('button');
  expect(tabs().map(({ textContent }) => textContent)).toEqual([
    '9 All',
    '1 Images',
    '1 Videos',
    '1 Audios',
    '1 Pdf',
    '1 Document',
    '1 Spreadsheet',
    '3 Others',
  ]);
  const chosen = () =>
    tabs()
      .filter((tab) => tab.getAttribute('aria-pressed') === 'true')
      .map((tab) => tab.textContent);
  expect(chosen()).toEqual(['9 All']);
  await choose('1 Pdf');
  expect(chosen()).toEqual(['1 Pdf']);
  expect(dialog.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
    'Lease.pdf',
  ]);
});

test('each card has a name and a size, and opens the file in a new tab', async () => {
  const { card } = await openFiles();
  for (const { fileName } of files) {
    const link = within(card(fileName)).getByRole('link', {
      name: new RegExp(`^${fileName}`, 'u'),
    });
    expect(link.textContent).toContain('2 KB');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link.getAttribute('href')).toMatch(/^\/v1\/files\//u);
  }
});

test('among all files, recordings can be played, pages have a preview, and others an icon or name', async () => {
  const { card } = await openFiles();
  expect(card('Tour.mp4').querySelector('video')?.textContent).toBe(
    'Your browser does not support the video tag.',
  );
  expect(card('Bell.wav').querySelector('audio')?.textContent).toBe(
    'Your browser does not support the audio tag.',
  );
  await waitFor(() =>
    expect(card('Lease.pdf').querySelector('a > img')?.getAttribute('src')).toBe(
      '/v1/files/small-4',
    ),
  );
  expect(card('Letter.docx').querySelector('a')?.textContent).toContain('Dear Ann, the boathouse');
  expect(card('Costs.xlsx').querySelector('a')?.textContent).toContain('Month · Amount');
  expect(card('Things.bin').querySelector('a')?.textContent).toContain('Things.bin');
  for (const [name, label] of [
    ['Pier.jpg', 'JPG'],
    ['Note.txt', 'TXT'],
    ['Page.html', 'HTML'],
  ] as const) {
    expect(card(name).querySelector('a')?.textContent).toBe(label);
    expect(card(name).querySelector('img')).toBeNull();
  }
});

test('in its category a picture is shown, recordings can be played, pages are links, and others have a button', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const { card, choose, dialog } = await openFiles();
  await choose('1 Images');
  const picture = () => card('Pier.jpg').querySelector('img');
  await waitFor(() => expect(picture()?.getAttribute('src')).toBe('/v1/files/small-1'));
  // A missing small picture is replaced by the picture itself.
  fireEvent.error(picture()!);
  await waitFor(() => expect(picture()?.getAttribute('src')).toMatch(/^\/v1\/files\/signed-1-/u));

  await choose('1 Videos');
  expect(card('Tour.mp4').querySelector('video')).toBeTruthy();
  await choose('1 Audios');
  expect(card('Bell.wav').querySelector('audio')).toBeTruthy();
  for (const [tab, name] of [
    ['1 Pdf', 'Lease.pdf'],
    ['1 Document', 'Letter.docx'],
    ['1 Spreadsheet', 'Costs.xlsx'],
  ] as const) {
    await choose(tab);
    expect(card(name).querySelector('a')?.getAttribute('target')).toBe('_blank');
  }

  await choose('3 Others');
  for (const name of ['Note.txt', 'Page.html', 'Things.bin']) {
    expect(dialog.getByRole('button', { name: `Open ${name}` }).textContent).toBe('Open file');
  }
});

test('an expired link is signed again before its tab opens', async () => {
  const replace = vi.fn<(url: string) => void>();
  const tab = { opener: window, location: { replace }, close: vi.fn<() => void>() };
  const opened = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  const { user, card } = await openFiles();
  const link = () => within(card('Note.txt')).getByRole('link');
  link().addEventListener('click', (event) => event.preventDefault());
  await user.click(link());
  expect(opened).not.toHaveBeenCalled();

  // The tab was suspended, including the timer that signs links again.
  vi.setSystemTime(NOW.getTime() + 20 * 60_000);
  await user.click(link());
  expect(opened).toHaveBeenCalledWith('', '_blank');
  await waitFor(() => expect(replace).toHaveBeenCalledOnce());
  expect(replace.mock.calls[0]?.[0]).toMatch(/^\/v1\/files\/signed-7-/u);
  expect(tab.opener).toBeNull();
});

test('a file that cannot be opened shows an error, and its empty tab is closed', async () => {
  const replace = vi.fn<(url: string) => void>();
  const tab = { opener: window, location: { replace }, close: vi.fn<() => void>() };
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  const { user, choose, dialog } = await openFiles();
  server.on(signArtifact, () => new Refusal(404, 'This file was deleted.'));
  await choose('3 Others');
  await user.click(dialog.getByRole('button', { name: 'Open Things.bin' }));
  expect(await screen.findByText('The file could not be opened')).toBeTruthy();
  expect(screen.getByText('This file was deleted.')).toBeTruthy();
  expect(tab.close).toHaveBeenCalledOnce();
  expect(replace).not.toHaveBeenCalled();
});

test('a player whose link has expired gets a new one and continues where it was', async () => {
  const { card } = await openFiles();
  const player = () => card('Bell.wav').querySelector('audio')!;
  expect(player().getAttribute('src')).toBe('/v1/files/given-3');
  fireEvent.play(player());
  Object.defineProperty(player(), 'readyState', { value: 4, configurable: true });
  player().currentTime = 42;
  fireEvent.timeUpdate(player());

  vi.setSystemTime(NOW.getTime() + 20 * 60_000);
  fireEvent.error(player());
  await waitFor(() => expect(player().getAttribute('src')).toMatch(/^\/v1\/files\/signed-3-/u));
  player().currentTime = 0;
  fireEvent.loadedMetadata(player());
  expect(player().currentTime).toBe(42);
  expect(HTMLMediaElement.prototype.play).toHaveBeenCalledOnce();
});

test('a recording that cannot be played shows an error', async () => {
  const { card } = await openFiles();
  const player = () => card('Tour.mp4').querySelector('video')!;
  fireEvent.error(player());
  // The link may have expired, so another one is tried before an error is shown.
  await waitFor(() => expect(player().getAttribute('src')).toMatch(/^\/v1\/files\/signed-2-/u));
  fireEvent.error(player());
  expect(await within(card('Tour.mp4')).findByText('Your browser cannot play it.')).toBeTruthy();
});

test('Archived changes the flag of a file in every category once the server confirms it', async () => {
  const { card, choose, archive } = await openFiles();
  await archive('Lease.pdf');
  await waitFor(() => expect(card('Lease.pdf').textContent).toContain('Archived'));
  expect(await screen.findByText(/The file is archived/u)).toBeTruthy();
  await choose('1 Pdf');
  expect(card('Lease.pdf').textContent).toContain('Archived');

  await archive('Lease.pdf');
  await waitFor(() => expect(card('Lease.pdf').textContent).not.toContain('Archived'));
  expect(server.callsOf(setArtifactArchived).map(({ params }) => params)).toEqual([
    { artifactId: files[3]!.artifactId, archived: 'true' },
    { artifactId: files[3]!.artifactId, archived: 'false' },
  ]);
});

test('a file that could not be archived is unchanged, and the reason is shown', async () => {
  server.on(setArtifactArchived, () => new Refusal(503, 'The database is busy.'));
  const { card, archive } = await openFiles();
  await archive('Lease.pdf');
  expect(await screen.findByText('The file was not archived')).toBeTruthy();
  expect(screen.getByText('The database is busy.')).toBeTruthy();
  expect(card('Lease.pdf').textContent).not.toContain('Archived');
});

test('a file is shown above the list, and Escape returns to the list', async () => {
  server.on(getArtifactSegments, () => []);
  const { user, dialog } = await openFiles();
  const showButton = dialog.getByRole('button', { name: 'Show Note.txt here' });
  await user.click(showButton);
  const viewer = await screen.findByRole('dialog', { name: 'Note.txt' });
  expect(await within(viewer).findByRole('button', { name: 'More' })).toBeTruthy();

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Note.txt' })).toBeNull());
  expect(screen.getByRole('dialog', { name: QUESTION })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(showButton));

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('View All'));
});

test('an empty category shows a message', async () => {
  files.splice(3, 1);
  const { dialog, choose } = await openFiles();
  await choose('0 Pdf');
  expect(dialog.getByText('The answer has no files of this kind.')).toBeTruthy();
  expect(dialog.queryByRole('article')).toBeNull();
});
