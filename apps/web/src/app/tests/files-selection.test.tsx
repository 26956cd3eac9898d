import { changeArtifacts, renameArtifact } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

beforeEach(() => sessionStorage.setItem('authToken', 'a-token'));

it('all matching files are tagged in four actions, and their number is reported', async () => {
  const files = Array.from({ length: 20 }, (_, n) =>
    anArtifact({ artifactId: crypto.randomUUID(), artifactFileName: `${n}.pdf` }),
  );
  const server = startServerWithFiles(files);
  const sent: unknown[] = [];
  server.on(changeArtifacts, ({ body }) => {
    sent.push(body);
    return { done: files.map(({ artifactId }) => artifactId), refused: [] };
  });
  const { user } = renderApp('/allfiles');
  await screen.findByRole('button', { name: '3.pdf' });
  await user.click(screen.getByRole('checkbox', { name: 'Select all files on this page' }));
  const selectAll = screen.queryByRole('button', { name: 'Select all 20' });
  if (selectAll) await user.click(selectAll);
  await user.click(await screen.findByRole('button', { name: 'Keyword' }));
  await user.type(await screen.findByLabelText('Search or add a keyword'), 'Taxes{Enter}');
  expect(await screen.findByText('20 files have the keyword Taxes.')).toBeTruthy();
  expect(sent).toMatchObject([{ verb: 'tag', keywords: ['Taxes'] }]);
});

it('Shift selects all files between two', async () => {
  startServerWithFiles(
    Array.from({ length: 5 }, (_, n) =>
      anArtifact({ artifactId: crypto.randomUUID(), artifactFileName: `${n}.pdf` }),
    ),
  );
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('checkbox', { name: 'Select 1.pdf' }));
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select 4.pdf' }));
  await user.keyboard('{/Shift}');
  expect(await screen.findByText('4 files selected')).toBeTruthy();
});

it('a keyword of the selected files is removed from all of them', async () => {
  const files = [['Home', 'Taxes'], ['Taxes'], ['Boats']].map((keywords, n) =>
    anArtifact({ artifactId: crypto.randomUUID(), artifactFileName: `${n}.pdf`, keywords }),
  );
  const server = startServerWithFiles(files);
  const sent: unknown[] = [];
  server.on(changeArtifacts, ({ body }) => {
    sent.push(body);
    return { done: files.slice(0, 2).map(({ artifactId }) => artifactId), refused: [] };
  });
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('checkbox', { name: 'Select 0.pdf' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select 1.pdf' }));
  await user.click(await screen.findByRole('button', { name: 'More' }));
  const menu = within(await screen.findByRole('menu'));
  expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Retry failed',
    'Home',
    'Taxes',
  ]);
  await user.click(menu.getByRole('menuitem', { name: 'Remove Taxes' }));
  expect(await screen.findByText('2 files lost the keyword Taxes.')).toBeTruthy();
  expect(sent).toMatchObject([{ verb: 'untag', keywords: ['Taxes'] }]);
});

it('a renamed file keeps its extension', async () => {
  const file = anArtifact({ artifactFileName: 'Lease.pdf' });
  const server = startServerWithFiles([file]);
  server.on(renameArtifact, () => ({ ...file, artifactFileName: 'Flat.pdf' }));
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('button', { name: 'Options for Lease.pdf' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const name = await screen.findByRole('textbox', { name: /name/iu });
  await user.clear(name);
  await user.type(name, 'Flat{Enter}');
  await waitFor(() => expect(server.callsOf(renameArtifact)).toHaveLength(1));
  expect(server.callsOf(renameArtifact)[0]?.body).toEqual({ name: 'Flat' });
});
