import { deleteArtifact, listArtifacts, retryArtifact } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anArtifact, startServerWithFiles } from '../testing/factories.ts';
import { Refusal } from '../testing/fake-server.ts';
import { renderApp } from '../testing/render-app.tsx';

beforeEach(() => sessionStorage.setItem('authToken', 'a-token'));

const rowOf = async (name: string) =>
  within((await screen.findByRole('button', { name })).closest('tr')!);

it('shows each file with size, date, readiness and keywords', async () => {
  startServerWithFiles([
    anArtifact({ keywords: ['Home', 'Finance', 'Berlin', 'Tax'] }),
    anArtifact({
      artifactFileName: 'locked.pdf',
      uploadStatus: 'FAILED',
      isVectorReady: false,
      statusReason: 'This PDF is password-protected.',
    }),
  ]);
  renderApp('/allfiles');
  const row = await rowOf('Lease.pdf');
  for (const text of ['1.76 MB', 'Web', 'Nov 3, 2026 09:05 AM', 'Yes', 'Home', 'Finance']) {
    expect(row.getByText(text)).toBeTruthy();
  }
  expect(row.getByRole('button', { name: /^\+2 ?more: Berlin, Tax$/u })).toBeTruthy();
  const locked = await rowOf('locked.pdf');
  expect(
    locked.getByRole('button', { name: /^No.*This PDF is password-protected\.$/u }),
  ).toBeTruthy();
});

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
  expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText('Search files by name'), 'file 7');
  expect(await screen.findByText('1-1 of 1 item')).toBeTruthy();
  await user.type(screen.getByLabelText('Search files by name'), 'x');
  expect(await screen.findByText('No file of that name')).toBeTruthy();
});

it('deletes a file after asking', async () => {
  const file = anArtifact();
  const files = [file];
  const server = startServerWithFiles(files).on(deleteArtifact, () => {
    files.pop();
    return null;
  });
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Delete Lease.pdf' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Artifact Deleted successfully')).toBeTruthy();
  expect(server.callsOf(deleteArtifact)[0]?.params).toEqual({ artifactId: file.artifactId });
  expect(await screen.findByText('No files yet')).toBeTruthy();
  await waitFor(() => expect(sessionStorage.getItem('a_exist')).toBe('false'));
});

it('keeps a file that could not be deleted', async () => {
  startServerWithFiles([anArtifact()]).on(deleteArtifact, () => new Refusal(503, 'Try later.'));
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Delete Lease.pdf' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Try later.')).toBeTruthy();
  expect(screen.getByText('1-1 of 1 item')).toBeTruthy();
});

it('has a failed file read again', async () => {
  const file = anArtifact({
    uploadStatus: 'FAILED',
    isVectorReady: false,
    statusReason: 'Cut off.',
  });
  const server = startServerWithFiles([file]).on(retryArtifact, () => file);
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Retry Lease.pdf' }));
  await waitFor(() =>
    expect(server.callsOf(retryArtifact)[0]?.params).toEqual({ artifactId: file.artifactId }),
  );
});

it('offers to try again when the list could not be loaded', async () => {
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
