import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectorStatus } from '../../apps/connector/src/connector.ts';
import { type Page as Served, startPage } from '../../apps/connector/src/page/page.ts';
import {
  SampleConnector,
  sampleFolder,
} from '../../apps/connector/src/page/tests/sample-connector.test-setup.ts';
import { openBrowser } from './engram.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const code = { userCode: 'WDJB-MJHT', link: 'https://engram.example.org/device' };
const longPath = `/media/${'a very long name of a disk/'.repeat(12)}Scans`;
const leftOut = [{ path: 'Videos/Summer.mov', reason: 'It is larger than what Engram takes.' }];
const folders = [
  sampleFolder({ id: 1, keywords: ['Home'], refused: 1, leftOut }),
  sampleFolder({
    id: 2,
    name: 'Work',
    state: 'syncing',
    files: 212,
    waiting: 992,
    waitingBytes: 2_400_000_000,
    secondsLeft: 380,
  }),
  sampleFolder({ id: 3, name: 'Scans', root: longPath, state: 'missing' }),
  sampleFolder({ id: 4, name: 'Notes', archiveAsked: 84 }),
  sampleFolder({ id: 5, name: 'Pictures', state: 'waiting', waiting: 1, waitingBytes: 5_200_000 }),
];

/** Every state of the page, with its first text. */
const states: Record<string, [status: Partial<ConnectorStatus>, heading: string]> = {
  unpaired: [{ pairing: 'unpaired', server: null }, 'Connect this computer'],
  pairing: [{ pairing: 'pairing', code }, 'Confirm this computer'],
  'a code that is asked for': [{ pairing: 'pairing' }, 'Connecting'],
  ended: [{ pairing: 'ended', folders }, 'Connect again'],
  empty: [{}, 'Choose a folder'],
  'every kind of folder': [{ folders }, 'Sending 992 files'],
  paused: [{ paused: true, folders }, 'Paused'],
  problem: [{ problem: 'Engram does not answer.', folders }, 'Waiting'],
  'a file is left out': [{ folders: folders.slice(0, 1) }, 'Synced, except 1 file'],
  'many folders': [
    { folders: Array.from({ length: 60 }, (_, id) => sampleFolder({ id: id + 1 })) },
    'Everything is synced',
  ],
};

describe.skipIf(!process.env['CHROMIUM_PATH'])('the page of the Connector', () => {
  let browser: Browser;
  let home: string;
  let connector: SampleConnector;
  let served: Served;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'engram-home-')));
    await mkdir(path.join(home, 'Documents/Insurance'), { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await rm(home, { recursive: true });
  });
  beforeEach(async () => {
    errors.length = 0;
    connector = new SampleConnector();
    served = await startPage(connector, { home, onQuit: () => connector.close() });
  });
  afterEach(async () => {
    await page.close();
    await served.close();
    if (errors.length > 0) throw new Error(errors.join('\n'));
  });

  async function open(
    status: Partial<ConnectorStatus> = {},
    colorScheme: 'light' | 'dark' = 'light',
    width = 1440,
  ): Promise<void> {
    connector.set(status);
    page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (consoleMessage) => {
      // Some states include a refused call or a stopped Connector.
      const isExpected = /status of 400|ERR_CONNECTION_REFUSED/u.test(consoleMessage.text());
      if (consoleMessage.type() === 'error' && !isExpected) errors.push(consoleMessage.text());
    });
    await page.goto(served.newUrl());
    await page.getByRole('main').waitFor();
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  async function findings(): Promise<string[]> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{
      violations: { id: string; nodes: { html: string }[] }[];
    }>('axe.run(document)');
    return violations.map(({ id, nodes: [node] }) => `${id}: ${node?.html.slice(0, 160)}`);
  }

  test.each(Object.entries(states))('%s', async (_name, [status, heading]) => {
    for (const [scheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      if (scheme === 'dark') {
        await page.close();
        await served.close();
        served = await startPage(connector, { home, onQuit: () => connector.close() });
      }
      await open(status, scheme, width);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      expect(await findings()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });

  test('a user connects, sees a code, and is connected', async () => {
    await open({ pairing: 'unpaired', server: null });
    await page.getByLabel('Address of your Engram').fill('engram');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That is not the address of a server.').waitFor();
    await page.getByLabel('Address of your Engram').fill('https://engram.example.org');
    await page.keyboard.press('Enter');
    await page.getByText('WDJB-MJHT').waitFor();
    const link = page.getByRole('link', { name: 'Open Engram to confirm' });
    expect(await link.getAttribute('href')).toContain('https://engram.example.org/device');
    await button('Start again').click();
    await page.getByText('Use an API key instead').click();
    await page.getByLabel('API key').fill('eg_secret');
    await button('Connect').click();
    await page.getByRole('heading', { name: 'Choose a folder' }).waitFor();
    expect(connector.calls.at(-1)).toEqual(['pair', 'https://engram.example.org', 'eg_secret']);
  });

  test('a folder is chosen by keyboard, previewed and added', async () => {
    await open();
    await button('Add folder').press('Enter');
    await button('Documents').press('Enter');
    await button('Insurance').press('Enter');
    const field = page.getByLabel('Path of the folder');
    const root = path.join(home, 'Documents/Insurance');
    await expect.poll(() => field.inputValue()).toBe(root);
    await field.press('Enter');
    await page.getByText('1,204 files, 3.1 GB; 37 left out').waitFor();
    await page.getByText('What is left out, and why').click();
    await page.getByText('It is larger than what Engram takes.').waitFor();
    await page.getByText('and 34 more').waitFor();
    expect(await findings()).toEqual([]);
    await page.getByLabel('Keywords', { exact: true }).fill('Home, Insurance,, Home');
    await page.getByLabel('Folders become keywords too').check();
    await button('Add and send 1,204 files').click();
    await page.getByRole('heading', { name: 'Insurance' }).waitFor();
    expect(connector.calls).toEqual([
      ['preview', root],
      [
        'addFolder',
        root,
        {
          keywords: ['Home', 'Insurance'],
          topFolderKeyword: true,
          archive: false,
          intervalMs: 300_000,
        },
      ],
    ]);
  });

  test('a missing folder is reported, and the typed path stays', async () => {
    await open();
    await button('Add folder').click();
    await page.getByLabel('Path of the folder').fill('/nowhere');
    await button('Preview').click();
    await page.getByRole('alert').getByText('There is no such folder.').waitFor();
    expect(await page.getByLabel('Path of the folder').inputValue()).toBe('/nowhere');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('progress continues while the focus is somewhere else on the page', async () => {
    await open({ folders });
    await button('Settings of Work').focus();
    const moved = folders.map((folder) =>
      folder.id === 2 ? { ...folder, files: 1000, waiting: 204, secondsLeft: 60 } : folder,
    );
    connector.set({ folders: moved });
    await page.getByText('1,000 of 1,204 files').waitFor();
    await page.getByRole('heading', { name: 'Sending 204 files' }).waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Settings of Work');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Work' }).waitFor();
  });

  test('the archive question can be answered, and files that are left out are shown with the reason', async () => {
    await open({ folders });
    await page.getByText('84 files were removed from this folder.').waitFor();
    await button('Keep them').click();
    await expect
      .poll(() => page.getByText('84 files were removed from this folder.').count())
      .toBe(0);
    await button('1 left out').click();
    await page.getByRole('dialog').getByText('Videos/Summer.mov').waitFor();
    expect(connector.calls).toEqual([['answerArchive', 4, false]]);
  });

  test('settings can be changed, syncing paused, and a folder removed', async () => {
    await open({ folders: folders.slice(0, 1) });
    await button('Settings').click();
    await page.getByLabel('Bandwidth').selectOption('At most 1 MB a second');
    await page.getByLabel('Start with the system').uncheck();
    await button('Save').click();
    await button('Pause').click();
    await button('Resume').click();
    await button('Sync now').click();
    await button('Settings of Insurance').click();
    await page.getByLabel('Archive files that are removed from the folder').check();
    await button('Save').click();
    await button('Settings of Insurance').click();
    expect(
      await page.getByLabel('Archive files that are removed from the folder').isChecked(),
    ).toBe(true);
    await button('Remove folder…').click();
    await button('Remove folder').click();
    await page.getByRole('heading', { name: 'Choose a folder' }).waitFor();
    expect(connector.calls.map(([name, ...args]) => [name, args[0]])).toEqual([
      ['changeSettings', { bytesPerSecond: 1_000_000, autostart: false }],
      ['pause', undefined],
      ['resume', undefined],
      ['syncOnce', undefined],
      ['changeFolder', 1],
      ['removeFolder', 1],
    ]);
  });

  test('removing the Connector requires a confirmation, and the page shows the result', async () => {
    await open({ folders });
    await button('Settings').click();
    await button('Remove the Connector…').click();
    await button('Remove').click();
    await page.getByRole('heading', { name: 'This computer is disconnected' }).waitFor();
    expect(connector.calls).toEqual([['uninstall'], ['close']]);
  });

  test('names of files and servers are shown as they are, and never run', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const link = { version: '9', link: 'javascript:alert(1)' };
    await open({ folders: [sampleFolder({ id: 1, name, root: `/home/${name}` })], newer: link });
    await page.getByRole('heading', { name, exact: true }).waitFor();
    expect(await page.getByText('Get it').getAttribute('href')).toBeNull();
  });
});
