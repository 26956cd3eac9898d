import {
  getBilling,
  getMetrics,
  getProfile,
  importAccount,
  type ImportResult,
  signExport,
} from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aProfile, someMetrics, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

let server: FakeServer;

const emptyResult: ImportResult = {
  files: { added: 0, present: 0 },
  history: { added: 0, present: 0 },
  keywords: { added: 0, present: 0 },
  profile: false,
  rejected: [],
};

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'false');
  server = startServerWithFiles()
    .on(getProfile, () => aProfile())
    .on(getMetrics, () => someMetrics())
    .on(getBilling, () => [])
    .on(importAccount, () => emptyResult);
});

const panel = async () => within(await screen.findByRole('region', { name: 'Your data' }));
const anExport = () => new File(['PK'], 'engram-export.zip', { type: 'application/zip' });

async function open() {
  const { user, router } = renderApp('/profile');
  const dataPanel = await panel();
  const send = async (file = anExport()): Promise<void> =>
    user.upload(dataPanel.getByLabelText('Export to be imported'), file);
  return { user, router, dataPanel, send };
}

test('the contents of an export are listed, and the browser downloads it from a signed link', async () => {
  const url = '/v1/exports/a-token.of-the-link';
  server.on(signExport, () => ({ url, expiresAt: '2026-03-10T09:15:00Z' }));
  const downloads: { href: string | null; isDownload: boolean }[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    downloads.push({ href: this.getAttribute('href'), isDownload: this.hasAttribute('download') });
  });
  const { user, router, dataPanel } = await open();
  expect(dataPanel.getByText(/all your files as you added them, your questions/u)).toBeTruthy();
  await user.click(dataPanel.getByRole('button', { name: 'Export' }));
  expect(await dataPanel.findByText(/^The download has started\./u)).toBeTruthy();
  expect(downloads).toEqual([{ href: url, isDownload: true }]);
  expect(router.state.location.pathname).toBe('/profile');
});

test('an export that cannot be started shows an error, and can be retried', async () => {
  server.on(signExport, () => new Refusal(503, 'The server is restarting.'));
  const { user, dataPanel } = await open();
  await user.click(dataPanel.getByRole('button', { name: 'Export' }));
  expect((await dataPanel.findByRole('alert')).textContent).toContain('The server is restarting.');
  expect(dataPanel.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', false);
});

test('an import reports what was imported, what existed, and what was rejected with the reason', async () => {
  server.on(importAccount, () => ({
    files: { added: 3, present: 1 },
    history: { added: 1200, present: 0 },
    keywords: { added: 0, present: 6 },
    profile: true,
    rejected: [{ name: 'tool.exe', message: 'File type not supported: tool.exe' }],
  }));
  const { dataPanel, send } = await open();
  const requestCount = server.callsOf(getProfile).length;
  await send();
  expect(await dataPanel.findByText('Your export was imported.')).toBeTruthy();
  const result = within(dataPanel.getByRole('region', { name: 'Result of the import' }));
  const valueOf = (name: string) => result.getByText(name).nextElementSibling?.textContent;
  expect(valueOf('Files')).toBe('3 imported, 1 already present');
  expect(valueOf('Questions')).toBe('1,200 imported');
  expect(valueOf('Keywords')).toBe('6 already present');
  expect(valueOf('Profile')).toBe('Empty fields were filled in');
  expect(result.getByText('1 entry was not imported')).toBeTruthy();
  expect(result.getByText('File type not supported: tool.exe')).toBeTruthy();
  const [call] = server.callsOf(importAccount);
  expect(call?.token).toBe('a-token');
  expect(call?.form.getAll('files').map((part) => (part as File).name)).toEqual([
    'engram-export.zip',
  ]);
  // The page is reloaded, because the data has changed and questions are possible.
  await waitFor(() => expect(server.callsOf(getProfile).length).toBeGreaterThan(requestCount));
  expect(sessionStorage.getItem('a_exist')).toBe('true');
});

test('an export without new entries and an empty export are explained', async () => {
  server.on(importAccount, () => ({ ...emptyResult, files: { added: 0, present: 2 } }));
  const { user, dataPanel, send } = await open();
  await send();
  expect(await dataPanel.findByText('Everything in this export was already present.')).toBeTruthy();
  await user.click(dataPanel.getByRole('button', { name: 'Dismiss the result of the import' }));
  expect(dataPanel.queryByText('Everything in this export was already present.')).toBeNull();
  server.on(importAccount, () => emptyResult);
  await send();
  expect(await dataPanel.findByText('The export was empty.')).toBeTruthy();
});

test('a refused import shows the reason, and the same file can be chosen again', async () => {
  server.on(importAccount, () => new Refusal(415, 'The file is not an Engram export.'));
  const { dataPanel, send } = await open();
  await send();
  const alert = await dataPanel.findByRole('alert');
  expect(alert.textContent).toContain('The export was not imported.');
  expect(alert.textContent).toContain('The file is not an Engram export.');
  expect(sessionStorage.getItem('a_exist')).toBe('false');
  server.on(importAccount, () => ({ ...emptyResult, files: { added: 1, present: 0 } }));
  await send();
  expect(await dataPanel.findByText('Your export was imported.')).toBeTruthy();
  expect(dataPanel.queryByRole('alert')).toBeNull();
});

test('the progress of an import is shown, and its upload can be stopped', async () => {
  server.on(importAccount, () => new Promise<ImportResult>(() => undefined));
  const { user, dataPanel, send } = await open();
  await send();
  const bar = await dataPanel.findByRole('progressbar', { name: 'Export being uploaded' });
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('50'));
  expect(dataPanel.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
  await user.click(dataPanel.getByRole('button', { name: 'Stop' }));
  expect(await dataPanel.findByText('The import was stopped. Nothing was imported.')).toBeTruthy();
  expect(dataPanel.queryByRole('progressbar')).toBeNull();
});
