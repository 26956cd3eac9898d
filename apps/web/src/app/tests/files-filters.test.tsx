import { listArtifacts } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

beforeEach(() => sessionStorage.setItem('authToken', 'a-token'));

async function openFiles(address: string) {
  const server = startServerWithFiles([anArtifact({ artifactFileName: 'Lease.pdf' })]);
  const app = renderApp(address);
  await screen.findByRole('button', { name: 'Lease.pdf' });
  const lastQuery = () => Object.fromEntries(server.callsOf(listArtifacts).at(-1)!.query);
  return { ...app, lastQuery };
}

const choose = (name: string) => screen.getByRole('combobox', { name });

it('filters by type, state, source and time are stored in the address', async () => {
  const { user, router, lastQuery } = await openFiles('/allfiles?page=3');
  await user.selectOptions(choose('Type'), 'PDF');
  await user.selectOptions(choose('Search Ready'), 'Failed');
  await user.selectOptions(choose('Source'), 'Connector');
  await user.selectOptions(choose('Uploaded On'), 'Last 7 days');
  expect(router.state.location.search).toBe(
    '?kind=pdf&state=failed&source=Connector&uploaded=week',
  );
  await waitFor(() =>
    expect(lastQuery()).toMatchObject({ kind: 'pdf', state: 'failed', source: 'Connector' }),
  );
  const days = (Date.now() - Date.parse(lastQuery()['since'] ?? '')) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(router.state.location.search).toBe('');
  await waitFor(() => expect(lastQuery()).not.toHaveProperty('kind'));
});

it('filters in an address are applied, and invalid ones ignored', async () => {
  const { lastQuery } = await openFiles('/allfiles?kind=mail&state=lost&source=Web');
  expect((choose('Type') as HTMLSelectElement).value).toBe('mail');
  expect((choose('Search Ready') as HTMLSelectElement).value).toBe('');
  expect(lastQuery()).toMatchObject({ kind: 'mail', source: 'Web' });
  expect(lastQuery()).not.toHaveProperty('state');
  expect(screen.getByRole('button', { name: 'Filters (2)' })).toBeTruthy();
});

it('a content search shows the line that it found, with the words marked', async () => {
  const matchedLine = 'Either party may end the lease with three months notice.';
  startServerWithFiles([anArtifact({ artifactFileName: 'NOTICE lease.pdf', matchedLine })]);
  renderApp('/allfiles?q=NOTICE+lease&content=true');
  const row = (await screen.findByRole('button', { name: 'NOTICE lease.pdf' })).closest('tr')!;
  expect([...row.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'lease',
    'notice',
  ]);
  expect(row.textContent).toContain(matchedLine);
});

it('the contents of files are searched on request', async () => {
  const { user, lastQuery } = await openFiles('/allfiles?q=lease');
  expect(lastQuery()).toMatchObject({ q: 'lease', in: 'names' });
  await user.click(screen.getByRole('checkbox', { name: 'Search in content' }));
  await waitFor(() => expect(lastQuery()).toMatchObject({ q: 'lease', in: 'content' }));
  expect(screen.getByRole('searchbox', { name: 'Search files by name and content' })).toBeTruthy();
});

it('an archived file is shown as not ready for search', async () => {
  startServerWithFiles([anArtifact({ artifactArchived: true })]);
  renderApp('/allfiles?archived=true');
  const name = await screen.findByRole('button', { name: 'Lease.pdf' });
  const row = within(name.closest('tr')!);
  expect(row.getByText('No')).toBeTruthy();
  expect(row.getByText('Archived: left out of search.')).toBeTruthy();
  expect(row.queryByText('Yes')).toBeNull();
});
