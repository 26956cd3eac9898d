import { deleteArtifacts, listArtifacts, signArtifact } from '@engram/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

beforeEach(() => sessionStorage.setItem('authToken', 'a-token'));

const someFiles = (count: number) =>
  Array.from({ length: count }, (_, n) => anArtifact({ artifactFileName: `File ${n + 1}.pdf` }));

const names = async () =>
  (await screen.findAllByRole('button', { name: /^File \d+\.pdf$/u })).map(
    ({ textContent }) => /File \d+/u.exec(textContent)?.[0],
  );

const button = (name: string) => screen.getByRole('button', { name });

it('any page can be opened, and is stored in the address', async () => {
  const server = startServerWithFiles(someFiles(37));
  const { user, router } = renderApp('/allfiles');
  const address = () => router.state.location.pathname + router.state.location.search;
  expect(await screen.findByText('1-10 of 37 items')).toBeTruthy();
  await user.click(button('Last'));
  expect(await screen.findByText('31-37 of 37 items')).toBeTruthy();
  expect(address()).toBe('/allfiles?page=4');
  await user.click(button('Next'));
  expect(address()).toBe('/allfiles?page=4');
  await user.click(button('Prev'));
  expect(await screen.findByText('21-30 of 37 items')).toBeTruthy();
  const number = screen.getByRole('textbox', { name: 'Page of 4' });
  await user.clear(number);
  await user.type(number, '99{Enter}');
  expect(await screen.findByText('31-37 of 37 items')).toBeTruthy();
  await user.click(button('First'));
  expect(await screen.findByText('1-10 of 37 items')).toBeTruthy();
  await router.navigate(-1);
  expect(await screen.findByText('31-37 of 37 items')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Items per page'), '200');
  expect(await screen.findByText('1-37 of 37 items')).toBeTruthy();
  expect(address()).toBe('/allfiles');
  const { query } = server.callsOf(listArtifacts).at(-1)!;
  expect([query.get('limit'), query.get('offset')]).toEqual(['200', '0']);
});

it('the list is limited to the keyword in the address until it is removed', async () => {
  const [first, ...others] = someFiles(3);
  startServerWithFiles([{ ...first!, keywords: ['Boats'] }, ...others]);
  const { user, router } = renderApp('/allfiles?keyword=Boats');
  expect(await names()).toEqual(['File 1']);
  await user.click(button('Show files without Boats, too'));
  await waitFor(async () => expect(await names()).toHaveLength(3));
  expect(router.state.location.search).toBe('');
  await router.navigate('/allfiles?keyword=Cars');
  expect(await screen.findByText('No file has the keyword “Cars”.')).toBeTruthy();
});

it('options in the address are applied, and invalid ones ignored', async () => {
  const files = someFiles(23);
  files[20] = { ...files[20]!, artifactArchived: true };
  const server = startServerWithFiles(files);
  const { user, router } = renderApp('/allfiles?page=2&q=file+1&sort=-size');
  expect(await screen.findByText('11-11 of 11 items')).toBeTruthy();
  expect(screen.getByLabelText('Search files by name')).toHaveProperty('value', 'file 1');
  expect(screen.getByRole('columnheader', { name: 'Size' }).ariaSort).toBe('descending');
  await user.click(button('Size'));
  await waitFor(() => expect(router.state.location.search).toBe('?q=file+1&sort=size'));
  await user.clear(screen.getByLabelText('Search files by name'));
  await user.click(screen.getByRole('checkbox', { name: 'Show Archived Only' }));
  await waitFor(async () => expect(await names()).toEqual(['File 21']));
  expect(router.state.location.search).toContain('archived=true');
  await router.navigate('/allfiles?page=-1&size=17&sort=color&archived=maybe');
  expect(await screen.findByText('1-10 of 22 items')).toBeTruthy();
  expect(screen.getByLabelText('Search files by name')).toHaveProperty('value', '');
  expect(server.callsOf(listArtifacts).at(-1)?.query.get('sort')).toBe('-created');
});

it('the chosen page size is stored for later visits', async () => {
  startServerWithFiles(someFiles(250));
  const first = renderApp('/allfiles?page=2');
  await screen.findByText('11-20 of 250 items');
  await first.user.selectOptions(screen.getByLabelText('Items per page'), '200');
  expect(await screen.findByText('1-200 of 250 items')).toBeTruthy();
  cleanup();
  renderApp('/allfiles?page=2');
  expect(await screen.findByText('201-250 of 250 items')).toBeTruthy();
});

it('the last page is shown when all files of a page are deleted', async () => {
  const files = someFiles(21);
  const server = startServerWithFiles(files).on(deleteArtifacts, ({ body }) => {
    files.splice(20, 1);
    return body as string[];
  });
  const { user, router } = renderApp('/allfiles?page=3');
  await user.click(await screen.findByRole('checkbox', { name: 'Select File 21.pdf' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('1 file was deleted.')).toBeTruthy();
  expect(await screen.findByText('11-20 of 20 items')).toBeTruthy();
  expect(router.state.location.search).toBe('?page=2');
  expect(screen.queryByRole('region', { name: 'Selected files' })).toBeNull();
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(server.callsOf(deleteArtifacts)).toHaveLength(1));
  expect(await screen.findByText('11-20 of 20 items')).toBeTruthy();
});

it('a selection spans pages, shows where it is, and does not include files that arrive later', async () => {
  const files = someFiles(25);
  const requests: string[][] = [];
  startServerWithFiles(files).on(deleteArtifacts, ({ body }) => {
    requests.push(body as string[]);
    return body as string[];
  });
  const { user } = renderApp('/allfiles');
  await user.click(await screen.findByRole('checkbox', { name: 'Select File 2.pdf' }));
  await user.click(button('Next'));
  await user.click(await screen.findByRole('checkbox', { name: 'Select File 12.pdf' }));
  const bar = within(screen.getByRole('region', { name: 'Selected files' }));
  expect(bar.getByText('2 files selected')).toBeTruthy();
  expect(bar.getByText('1 on other pages')).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'Select all files on this page' }));
  await user.click(await screen.findByRole('button', { name: 'Select all 25' }));
  expect(await bar.findByText('25 files selected')).toBeTruthy();
  // Deselecting a file does not affect the others, even those of other pages.
  await user.click(screen.getByRole('checkbox', { name: 'Select File 13.pdf' }));
  expect(bar.getByText('24 files selected')).toBeTruthy();
  const chosen = files.filter((_, n) => n !== 12).map(({ artifactId }) => artifactId);
  files.push(anArtifact({ artifactFileName: 'Newer.pdf' }));
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
  expect(dialog.getByText(/15 of them on other pages/u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('24 files were deleted.')).toBeTruthy();
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests.map((ids) => ids.toSorted())).toEqual([chosen.toSorted()]);
});

it('only the rows near the visible ones of a long page are rendered', async () => {
  startServerWithFiles(someFiles(450));
  renderApp('/allfiles?size=400');
  expect(await screen.findByText('1-400 of 450 items')).toBeTruthy();
  const table = screen.getByRole('table');
  await waitFor(() => expect(within(table).getAllByRole('row').length).toBeGreaterThan(5));
  expect(within(table).getAllByRole('row').length).toBeLessThan(100);
  expect(table.getAttribute('aria-rowcount')).toBe('451');
});

const signed = (fileName: string) => ({
  presignedUrl: `/v1/files/${fileName}`,
  expiresAt: '2026-11-03T17:05:00Z',
  fileName,
  fileType: 'image/png',
  size: 5,
  thumbnailUrl: null,
});

it('the list has its columns, a name opens its file, and a note shows its beginning', async () => {
  const begins = 'Milk, bread, and what else a breakfast of six want';
  const note = { artifactFileName: 'Milk.txt', source: 'Text', artifactText: begins } as const;
  startServerWithFiles([anArtifact(note)]).on(signArtifact, () => signed('Milk.txt'));
  const { user } = renderApp('/allfiles');
  const name = await screen.findByRole('button', { name: 'Milk.txt' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '',
    'File Name',
    'Size',
    'Source',
    'Uploaded On',
    'Search Ready',
    'Keywords',
    'Options',
  ]);
  expect(within(name.closest('tr')!).getByText(begins)).toBeTruthy();
  await user.click(name);
  expect(await screen.findByRole('dialog', { name: /Milk\.txt/u })).toBeTruthy();
  expect(name.closest('tr')!.ariaCurrent).toBe('true');
});

it('a picture is shown without leaving the list, or an error if it cannot be', async () => {
  const picture = anArtifact({ artifactFileName: 'Sun.png', artifactFileType: 'image/png' });
  const server = startServerWithFiles([picture, anArtifact()]);
  server.on(signArtifact, () => new Refusal(404, 'There is no such file.'));
  const { user } = renderApp('/allfiles');
  const preview = await screen.findByRole('button', { name: 'Preview Sun.png' });
  expect(screen.queryByRole('button', { name: 'Preview Lease.pdf' })).toBeNull();
  await user.click(preview);
  const dialog = within(await screen.findByRole('dialog', { name: 'Sun.png' }));
  expect(await dialog.findByText('There is no such file.')).toBeTruthy();
  server.on(signArtifact, () => signed('Sun.png'));
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  const image = await dialog.findByRole('img', { name: 'Sun.png' });
  expect(image.getAttribute('src')).toBe('/v1/files/Sun.png');
  fireEvent.error(image);
  expect(await dialog.findByText('The picture could not be shown.')).toBeTruthy();
});
