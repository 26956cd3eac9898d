import { getArtifactSegments, getArtifactText, signArtifact } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const ID = '00000000-0000-4000-8000-000000000001';
const TEXT = 'The flat is bright.\nThe lease ends in May.\n';

let server: FakeServer;

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  server = startServerWithFiles()
    .on(signArtifact, () => ({
      presignedUrl: '/v1/files/link',
      expiresAt: '2026-11-20T00:00:00Z',
      fileName: 'Lease.txt',
      fileType: 'text/plain',
      size: TEXT.length,
      thumbnailUrl: null,
    }))
    .on(getArtifactSegments, () => [
      { start: 20, end: 42, location: { line: 2 }, kind: 'prose' as const, headings: [] },
    ]);
  const answered = server.handle.bind(server);
  const textPath = getArtifactText.path.replace('{artifactId}', ID);
  server.handle = async (method, url, headers, body) =>
    url.endsWith(textPath) ? new Response(TEXT) : answered(method, url, headers, body);
});

test('a link opens the file at the marked passage, and the page can be closed', async () => {
  const { user } = renderApp(`/source/${ID}?from=20&to=42`);
  const dialog = await screen.findByRole('dialog', { name: 'Passage 1: Lease.txt' });
  await within(dialog).findByText('Line 2');
  await waitFor(() =>
    expect(dialog.querySelector('mark')?.textContent).toBe('The lease ends in May.'),
  );
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  await screen.findByRole('heading', { name: 'Lease.txt', level: 1 });
  await user.click(screen.getByRole('button', { name: 'Open this passage' }));
  await screen.findByRole('dialog', { name: 'Passage 1: Lease.txt' });
});

test.each([`/source/${ID}`, `/source/${ID}?from=20&to=x`, `/source/${ID}?from=9000&to=9001`])(
  '%s opens the file at its beginning',
  async (address) => {
    renderApp(address);
    const dialog = await screen.findByRole('dialog', { name: 'Lease.txt' });
    expect(dialog.querySelector('mark')).toBeNull();
  },
);

test('a link to a deleted file or another user’s file shows a message', async () => {
  server.on(signArtifact, () => new Refusal(404, 'There is no such file.'));
  renderApp(`/source/${ID}?from=20&to=42`);
  const title = await screen.findByRole('heading', { name: 'This file is not in your library' });
  expect(title.isConnected).toBe(true);
});

test('a signed-out user signs in first, and returns to the file', async () => {
  sessionStorage.removeItem('authToken');
  const { router } = renderApp(`/source/${ID}?from=20&to=42`);
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(router.state.location.state).toEqual({ from: `/source/${ID}?from=20&to=42` });
});
