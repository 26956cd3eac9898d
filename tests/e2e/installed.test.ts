import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chromiumOfThisMachine,
  type Engram,
  enterCode,
  startEngram,
  STEP_TIMEOUT_MS,
} from './engram.ts';
import { callStore, missingAssets, SHARED_ITEMS, storageOf } from './browser-storage.test-setup.ts';

const PANEL = 'Upload your files to start organizing your content';

interface Shared {
  title?: string;
  text?: string;
  files?: { name: string; type: string; content: string }[];
}

/** Sends a form as a phone's share sheet does, and waits until the next page replaces this one. */
async function share(page: Page, { title = '', text = '', files = [] }: Shared): Promise<void> {
  await page.evaluate(`{
    const { fields, files } = ${JSON.stringify({ fields: { title, text, url: '' }, files })};
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: '/share', enctype: 'multipart/form-data' });
    const add = (properties) =>
      form.appendChild(Object.assign(document.createElement('textarea'), properties));
    for (const [name, value] of Object.entries(fields)) add({ name, value });
    const input = Object.assign(document.createElement('input'), {
      type: 'file', name: 'files', multiple: true,
    });
    const transfer = new DataTransfer();
    for (const { name, type, content } of files) {
      transfer.items.add(new File([content], name, { type }));
    }
    input.files = transfer.files;
    form.append(input);
    document.body.append(form);
    form.submit();
    window.isLeft = true;
  }`);
  await expect.poll(() => page.evaluate('window.isLeft === undefined')).toBe(true);
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('the installed app', () => {
  let engram: Engram;
  let profile: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    engram = await startEngram({ ENGRAM_LLM: 'none' });
    // A context without a profile counts as private, where apps cannot be installed.
    profile = await mkdtemp(path.join(tmpdir(), 'engram-profile-'));
    context = await chromium.launchPersistentContext(profile, {
      ...chromiumOfThisMachine,
      viewport: { width: 390, height: 844 },
    });
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    page = await context.newPage();
  });
  afterAll(async () => {
    await context?.close();
    await engram?.close();
    // The browser's other processes may write to it for a moment longer.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  });

  const panel = () => page.getByRole('dialog', { name: PANEL });
  async function signIn(address: string): Promise<void> {
    await page.getByRole('textbox', { name: /mail/iu }).fill(address);
    await page.keyboard.press('Enter');
    await enterCode(page, engram, address);
    await page.getByRole('button', { name: 'Agree' }).click();
  }
  const workerIsActive = () => page.evaluate('navigator.serviceWorker.ready.then(() => true)');

  test('can be installed by browsers', async () => {
    await page.goto(`${engram.url}/search`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const devtools = await context.newCDPSession(page);
    expect(await devtools.send('Page.getInstallabilityErrors')).toEqual({
      installabilityErrors: [],
    });
    const manifest = await devtools.send('Page.getAppManifest');
    expect(manifest.errors).toEqual([]);
    expect(JSON.parse(manifest.data ?? '')).toMatchObject({ name: 'Engram', id: '/', scope: '/' });
  });

  test('has a worker that is revalidated each time, and files of the right types', async () => {
    const headersOf = async (file: string) => (await fetch(engram.url + file)).headers;
    const worker = await headersOf('/service-worker.js');
    expect(worker.get('cache-control')).toBe('no-cache');
    expect(worker.get('content-type')).toMatch(/^(?:text|application)\/javascript/u);
    const manifest = await headersOf('/manifest.webmanifest');
    expect(manifest.get('content-type')).toMatch(/^application\/manifest\+json/u);
    expect((await headersOf('/icons/maskable-512.png')).get('content-type')).toBe('image/png');
  });

  test('starts offline after the first visit, and caches no script before it is used', async () => {
    expect(await workerIsActive()).toBe(true);
    expect((await storageOf(page)).addresses.filter((file) => file.endsWith('.js'))).toEqual([
      '/color-scheme.js',
    ]);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.setOffline(false);
  });

  test('content that is shared while signed out is stored until after the sign-in and the terms', async () => {
    expect(await workerIsActive()).toBe(true);
    await share(page, {
      title: 'From the phone',
      text: 'The boiler was serviced.',
      files: [{ name: 'lease.txt', type: 'text/plain', content: 'Three months of notice.' }],
    });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn('ann@example.org');

    await panel().getByText('lease.txt').waitFor();
    expect(await panel().getByLabel('Text').inputValue()).toBe(
      'From the phone\nThe boiler was serviced.',
    );
    await panel().getByRole('button', { name: 'UPLOAD', exact: true }).click();
    await page.waitForURL('**/allfiles');
    const sources = await page.evaluate(async () => {
      const answer = await fetch('/v1/artifacts', {
        headers: { authorization: `Bearer ${sessionStorage.getItem('authToken')}` },
      });
      const { data } = (await answer.json()) as {
        data: { artifactFileName: string; source: string }[];
      };
      return Object.fromEntries(data.map((file) => [file.artifactFileName, file.source]));
    });
    expect(sources).toMatchObject({ 'lease.txt': 'Share' });
    expect(Object.keys(sources)).toHaveLength(2);
    const isReady = () =>
      page.evaluate(async () => {
        const answer = await fetch('/v1/artifacts/search_ready', {
          headers: { authorization: `Bearer ${sessionStorage.getItem('authToken')}` },
        });
        return ((await answer.json()) as { data: boolean }).data;
      });
    await expect.poll(isReady).toBe(true);
  });

  test('uploaded content is not offered again', async () => {
    await page.goto(`${engram.url}/share`);
    await panel().getByText('Drop files anywhere').waitFor();
    expect(await panel().getByRole('list', { name: 'Chosen files' }).count()).toBe(0);
    expect(await panel().getByLabel('Text').inputValue()).toBe('');
  });

  test('shared files and texts are never lost silently', async () => {
    await share(page, {
      title: 'A long read',
      text: 'word '.repeat(501),
      files: [
        { name: 'setup.exe', type: 'application/x-msdownload', content: 'MZ' },
        { name: 'photo.gif', type: 'image/gif', content: 'x'.repeat(2_200_000) },
      ],
    });
    await panel().getByText('File type not supported: setup.exe').waitFor();
    await panel().getByText('File too large: photo.gif exceeds 2MB.').waitFor();
    await panel().getByText('A long read.txt', { exact: true }).waitFor();
    await panel()
      .getByText(/^Maximum word limit reached of 500 words/u)
      .waitFor();
  });

  test('content that is removed from the panel is not stored', async () => {
    await panel().getByRole('button', { name: 'Remove A long read.txt' }).click();
    await expect.poll(() => callStore(page, SHARED_ITEMS, 'count')).toBe(0);
    await page.reload();
    await panel().getByText('Drop files anywhere').waitFor();
    expect(await panel().getByRole('list', { name: 'Chosen files' }).count()).toBe(0);
  });

  // While there is a network, because the worker repeats failed requests only on the next visit.
  test('after its first use, everything that works offline is cached', async () => {
    await expect.poll(() => missingAssets(page, engram.url)).toEqual([]);
  });

  test('a missing network is reported, and the question stays', async () => {
    await page.goto(`${engram.url}/search`);
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill('How much notice?');
    await context.setOffline(true);
    await page.getByText("You're offline. Showing what's already loaded.").waitFor();
    await input.press('Enter');
    await page.getByText('Your question is still here. Ask again when you are online.').waitFor();
    expect(await input.inputValue()).toBe('How much notice?');
    await context.setOffline(false);
    await page
      .getByText("You're offline. Showing what's already loaded.")
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page
      .getByRole('button', { name: /^Open .+, (?:page|line|row) /u })
      .first()
      .waitFor();
  });

  test('with the server down, a reload still shows the app with its session', async () => {
    await engram.stop();
    await page.reload();
    await page.getByRole('heading', { name: 'Ask your AI Brain anything' }).waitFor();
    await page.getByText('The server cannot be reached.').waitFor();
  });

  test('a window without a session asks again instead of signing out', async () => {
    const window = await context.newPage();
    await window.goto(`${engram.url}/allfiles`);
    await window.getByRole('heading', { name: 'Engram cannot be reached' }).waitFor();
    await engram.restart();
    await window.getByRole('button', { name: 'Try again' }).first().click();
    await window.getByText('lease.txt').first().waitFor();
    await window.close();
    // The other page has already noticed it, and detects automatically when the server returns.
    const notice = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' });
    await notice.waitFor({ state: 'detached' });
  });

  test('content shared by one user is not shown to the next', async () => {
    await share(page, { text: 'A secret.' });
    await panel().getByText('A secret.').waitFor();
    // The session expires, and another user signs in.
    await context.clearCookies();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${engram.url}/share`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn('bob@example.org');
    await panel().getByText('Drop files anywhere').waitFor();
    expect(await panel().getByLabel('Text').inputValue()).toBe('');
  });

  test('after logging out the browser stores the shell and no data of the user', async () => {
    await share(page, { text: 'Bob was here.' });
    await panel().getByText('Bob was here.').waitFor();
    await panel().getByRole('button', { name: 'CLOSE' }).click();
    expect((await storageOf(page)).databases).toEqual(['engram-share-inbox']);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await expect.poll(async () => (await storageOf(page)).databases).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    // The page checks for shared content, which creates no database either.
    await page.addInitScript(`{
      const open = indexedDB.open.bind(indexedDB);
      indexedDB.open = (...database) => {
        const request = open(...database);
        request.addEventListener('error', () => (window.hasAsked = true));
        return request;
      };
    }`);
    await page.reload();
    await expect.poll(() => page.evaluate('window.hasAsked')).toBe(true);
    const { addresses, databases } = await storageOf(page);
    expect(databases).toEqual([]);
    expect(addresses).toContain('/search');
    const otherAddresses = addresses.filter((address) => !address.startsWith('/assets/'));
    expect(otherAddresses.toSorted()).toEqual([
      '/color-scheme.js',
      '/icon.svg',
      '/manifest.webmanifest',
      '/search',
    ]);
  });

  test('a share that reaches the server without the worker opens a page that explains what to do', async () => {
    const without = await context
      .browser()!
      .newContext({ serviceWorkers: 'block', viewport: { width: 390, height: 844 } });
    const first = await without.newPage();
    await first.goto(`${engram.url}/home`);
    await first.getByRole('heading', { level: 1 }).waitFor();
    await share(first, {
      text: 'Hello',
      files: [{ name: 'a.txt', type: 'text/plain', content: 'a' }],
    });
    await first.waitForURL('**/share/again');
    await first.getByRole('heading', { name: 'What you shared did not arrive' }).waitFor();
    await first.getByRole('link', { name: 'Sign in' }).waitFor();
    await without.close();
  });
});
