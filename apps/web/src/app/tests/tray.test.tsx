import { getArtifact, listArtifacts, retryArtifact, uploadArtifacts } from '@engram/contract';
import type { Artifact } from '@engram/contract';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

let server: FakeServer;
let stored: Artifact[];
let uploadedState: Partial<Artifact>;

const pdf = (name: string, size = 8): File =>
  Object.defineProperty(new File(['%PDF-1.7'], name, { type: 'application/pdf' }), 'size', {
    value: size,
  });

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  stored = [];
  uploadedState = { stage: 'ready' };
  server = startServerWithFiles()
    .on(uploadArtifacts, ({ form }) => {
      const names = form.getAll('files').map((file) => (file as File).name);
      if (form.get('artifactText')) names.push('A note.txt');
      const artifacts = names.map((fileName) => ({
        artifactId: crypto.randomUUID(),
        fileName,
        duplicate: false,
      }));
      stored.unshift(
        ...artifacts.map(({ artifactId, fileName }) =>
          anArtifact({ artifactId, artifactFileName: fileName, ...uploadedState }),
        ),
      );
      return { artifactGroupId: crypto.randomUUID(), artifacts, rejected: [] };
    })
    .on(listArtifacts, () => stored);
});

const transfer = (files: File[], text = '') => ({
  types: [...(files.length > 0 ? ['Files'] : []), ...(text ? ['text/plain'] : [])],
  items: [],
  files,
  dropEffect: 'copy',
  getData: () => text,
});

/** Whether the event is left to the browser. */
const drag = (type: 'dragOver' | 'drop', files: File[]): boolean => {
  const event = createEvent[type](document.body);
  Object.defineProperty(event, 'dataTransfer', { value: transfer(files) });
  return fireEvent(document.body, event);
};
const drop = (...files: File[]): boolean => drag('drop', files);
/** A page handles what is dropped and pasted shortly after it is shown. */
const awaitDropTarget = () =>
  waitFor(() => expect(drag('dragOver', [pdf('Lease.pdf')])).toBe(false));
const paste = (target: Element, files: File[], text = '') =>
  fireEvent.paste(target, { clipboardData: transfer(files, text) });

async function openApp() {
  const app = renderApp('/keywords', userEvent.setup({ delay: null }));
  await screen.findAllByRole('heading', { name: /keywords/iu });
  await awaitDropTarget();
  return app;
}

const tray = async () => within(await screen.findByRole('region', { name: 'Incoming files' }));

it('uploads files that are dropped anywhere, and stays on the page', async () => {
  const { user, router } = await openApp();
  expect(drop(pdf('Lease.pdf'), new File(['x'], 'setup.exe'))).toBe(false);
  const shownTray = await tray();
  expect(await shownTray.findByText(/File type not supported: setup\.exe\. Save it/u)).toBeTruthy();
  const askButton = await shownTray.findByRole('button', { name: 'Ask about it' });
  expect(router.state.location.pathname).toBe('/keywords');
  expect(await screen.findByText('Lease.pdf: ready.')).toBeTruthy();
  await user.click(askButton);
  await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
  expect(await screen.findByText('Searching in Lease.pdf')).toBeTruthy();
});

it('uploads files that a signed-in user drops on the landing page, and stays visible on the next page', async () => {
  const { user, router } = renderApp('/home', userEvent.setup({ delay: null }));
  await screen.findByText('Or drop files anywhere on this page.');
  await awaitDropTarget();
  drop(pdf('Lease.pdf'));
  await user.click(await (await tray()).findByRole('button', { name: 'Ask about it' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
  expect(await screen.findByText('Searching in Lease.pdf')).toBeTruthy();
  expect((await tray()).getByText('Ready')).toBeTruthy();
});

it('ignores files that a visitor drops on the landing page', async () => {
  sessionStorage.clear();
  renderApp('/home');
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByText('Or drop files anywhere on this page.')).toBeNull();
  expect(drop(pdf('Lease.pdf'))).toBe(true);
});

it('names a screenshot from the clipboard by its time', async () => {
  await openApp();
  paste(document.body, [new File(['x'], 'image.png', { type: 'image/png' })]);
  await tray();
  await waitFor(() => expect(server.callsOf(uploadArtifacts)).toHaveLength(1));
  const [file] = server.callsOf(uploadArtifacts)[0]!.form.getAll('files') as File[];
  expect(file!.name).toMatch(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/u);
});

it('saves pasted text as a note on Enter', async () => {
  const { user } = await openApp();
  paste(document.body, [], 'The deposit is due in May.');
  const shownTray = await tray();
  expect(await shownTray.findByText('Save as a note?')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(await shownTray.findByRole('button', { name: 'Ask about it' })).toBeTruthy();
  expect(server.callsOf(uploadArtifacts)[0]!.form.get('artifactText')).toBe(
    'The deposit is due in May.',
  );
});

it('ignores text that is pasted into a field', async () => {
  await openApp();
  const field = document.createElement('textarea');
  document.querySelector('main')!.append(field);
  paste(field, [], 'When is the deposit due?');
  expect(screen.queryByText('Save as a note?')).toBeNull();
});

it('ignores dropped files and pasted text while a dialog is open', async () => {
  const { user } = await openApp();
  await user.click((await screen.findAllByRole('button', { name: 'Upload' }))[0]!);
  await screen.findByRole('dialog');
  expect(drop(pdf('Lease.pdf'))).toBe(false);
  paste(document.body, [], 'A text');
  expect(screen.queryByRole('region', { name: 'Incoming files' })).toBeNull();
});

it('shows why an upload failed, and retries it on request', async () => {
  const { user } = await openApp();
  server.on(uploadArtifacts, () => new Refusal(402, 'The storage is full.'));
  drop(pdf('Lease.pdf'));
  const shownTray = await tray();
  expect(await shownTray.findByText(/The storage is full\./u)).toBeTruthy();
  server.on(uploadArtifacts, () => ({
    artifactGroupId: crypto.randomUUID(),
    artifacts: [{ artifactId: crypto.randomUUID(), fileName: 'Lease.pdf', duplicate: true }],
    rejected: [],
  }));
  await user.click(shownTray.getByRole('button', { name: 'Retry' }));
  expect(await shownTray.findByText('Ready')).toBeTruthy();
});

it('retries the extraction of a failed file on request', async () => {
  uploadedState = { stage: 'failed', statusReason: 'This PDF is password-protected.' };
  const { user } = await openApp();
  server.on(retryArtifact, () => (stored = [{ ...stored[0]!, stage: 'ready' }])[0]!);
  drop(pdf('Lease.pdf'));
  const shownTray = await tray();
  expect(await shownTray.findByText('This PDF is password-protected.')).toBeTruthy();
  await user.click(shownTray.getByRole('button', { name: 'Retry' }));
  expect(await shownTray.findByText('Ready')).toBeTruthy();
});

it('polls files that are not among the newest one by one, until they are ready', async () => {
  const { user } = await openApp();
  let isDone = false;
  server.on(listArtifacts, () => Array.from({ length: 200 }, () => anArtifact()));
  server.on(getArtifact, ({ params }) => {
    const file = stored.find(({ artifactId }) => artifactId === params['artifactId'])!;
    if (file.artifactFileName === 'Deleted.pdf') return new Refusal(404, 'Not found');
    const stage: Artifact['stage'] = isDone ? 'ready' : 'reading';
    return { ...file, stage };
  });
  drop(...[1, 2, 3, 4, 5].map((number) => pdf(`Lease ${number}.pdf`)), pdf('Deleted.pdf'));
  const shownTray = await tray();
  await waitFor(() => expect(shownTray.getAllByText(/^Reading \d+%/u)).toHaveLength(6));
  isDone = true;
  await waitFor(() => expect(shownTray.getAllByText('Ready')).toHaveLength(5));
  expect(shownTray.queryByText('Deleted.pdf')).toBeNull();
  await user.click(shownTray.getByRole('button', { name: 'Close' }));
});
