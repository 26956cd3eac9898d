/**
 * Records the clips of the landing page, the documentation and the Connector page, in light and dark,
 * into apps/web/public/demo. It uses the real server with an empty data folder, three small files, and
 * the real app or Connector in a browser.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateApiKey } from '@engram/contract';
import { chromium, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import { Engine } from '../apps/connector/src/engine.ts';
import { startPage } from '../apps/connector/src/page/page.ts';
import { signIn } from '../bench/setup.ts';
import { chromiumOfThisMachine, type Engram, startEngram } from '../tests/e2e/engram.ts';
import { requireChromium } from './chromium.ts';
import { recordClip } from './record-clip.ts';
import { ensureWebBuild } from './web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'apps/web/public/demo');
const files = ['lease.pdf', 'household.csv', 'boiler.txt'].map((name) =>
  path.join(root, 'tests/e2e/files', name),
);
const TYPING_MS = 60;

interface Clip {
  name: string;
  /** The path of the first page; null for the Connector's page. */
  path: string | null;
  /** A text that is visible once that page is loaded. */
  ready: string;
  /** Plays the scene and returns the poster, a PNG. */
  scene: (page: Page) => Promise<Buffer>;
  /** The size of the window in CSS pixels. */
  viewport: { width: number; height: number };
  /** Pixels of the clip per CSS pixel. */
  scale: number;
}

const wide = { viewport: { width: 1152, height: 720 }, scale: 1.25 };

const clips: Clip[] = [
  { name: 'wide', path: '/search', ready: 'No files yet', scene: askQuestion, ...wide },
  {
    name: 'phone',
    path: '/search',
    ready: 'No files yet',
    scene: askQuestion,
    viewport: { width: 390, height: 694 },
    scale: 2,
  },
  { name: 'key', path: '/settings', ready: 'No API keys yet', scene: createKey, ...wide },
  { name: 'connector', path: null, ready: 'Choose a folder', scene: chooseFolder, ...wide },
];

const pause = (page: Page, seconds: number): Promise<void> => page.waitForTimeout(1000 * seconds);

async function show(page: Page, target: Locator, seconds: number): Promise<void> {
  await target.first().waitFor();
  await pause(page, seconds);
}

/** Uploads the files, asks a question and opens the source of the answer. */
async function askQuestion(page: Page): Promise<Buffer> {
  await page.getByRole('main').getByRole('button', { name: 'Upload', exact: true }).click();
  const panel = page.getByRole('dialog');
  const choose = panel.getByRole('button', { name: 'Choose files' });
  await show(page, choose, 0.5);
  const chooser = page.waitForEvent('filechooser');
  await choose.click();
  await (await chooser).setFiles(files);
  await pause(page, 1);
  await panel.getByRole('button', { name: 'UPLOAD', exact: true }).click();
  await page.waitForURL('**/allfiles*');
  await show(page, page.getByText('Yes', { exact: true }).nth(files.length - 1), 1.2);
  // On a phone the message covers the menu button.
  await page.getByText(/uploads? stored/u).waitFor({ state: 'hidden' });

  const menu = page.getByRole('button', { name: 'Open the menu' });
  const isPhone = await menu.isVisible();
  if (isPhone) await menu.click();
  const navigation = page.getByRole(isPhone ? 'dialog' : 'complementary');
  await navigation.getByRole('link', { name: 'Search', exact: true }).click();
  const question = page.getByRole('textbox', { name: 'Ask your AI Brain' });
  await question.click();
  await question.pressSequentially('How much notice does the lease ask for?', { delay: TYPING_MS });
  await page.keyboard.press('Enter');
  const source = page.getByRole('button', { name: /^Open .+, (?:page|line|row) /u }).first();
  await show(page, source, 2.5);
  const poster = await page.screenshot();
  await source.click();
  await show(page, page.getByRole('dialog').getByTestId('quote'), 3.5);
  return poster;
}

/** Creates an API key, copies it and opens the documentation. */
async function createKey(page: Page): Promise<Buffer> {
  const name = page.getByRole('textbox', { name: 'Name of the new key' });
  await name.click();
  await name.pressSequentially('Nightly import', { delay: TYPING_MS });
  await page.getByRole('button', { name: 'Generate Key' }).click();
  const dialog = page.getByRole('dialog');
  const copy = dialog.getByRole('button', { name: 'Copy' });
  await show(page, copy, 1.4);
  await copy.click();
  await show(page, dialog.getByText('API Key Copied!'), 1.4);
  const poster = await page.screenshot();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await show(page, page.getByText('Last used'), 1.6);
  await page.getByRole('main').getByRole('link', { name: 'documentation' }).click();
  await show(page, page.getByText('Mail a code and a link'), 2.6);
  return poster;
}

/** Chooses a folder of the computer and sends its files. */
async function chooseFolder(page: Page): Promise<Buffer> {
  await page.getByRole('button', { name: 'Add folder' }).click();
  const folders = page.getByRole('region', { name: 'Folders of this computer' });
  for (const name of ['Documents', 'Papers']) {
    const folder = folders.getByRole('listitem').getByRole('button', { name });
    await show(page, folder, 0.5);
    await folder.click();
  }
  await pause(page, 0.8);
  await page.getByRole('button', { name: 'Preview' }).click();
  const send = page.getByRole('button', { name: /^Add and send/u });
  await show(page, send, 1.8);
  await send.click();
  await show(page, page.getByRole('heading', { name: 'Everything is synced' }), 2.4);
  return page.screenshot();
}

const HOUR_S = 3600;

/** Starts a Connector that is paired by an API key, with a home folder that contains the files. */
async function startConnector(engram: Engram, key: string) {
  const state = mkdtempSync(path.join(tmpdir(), 'engram-film-'));
  // The clip shows this path.
  const home = path.join(tmpdir(), 'ann');
  const folder = path.join(home, 'Documents', 'Papers');
  mkdirSync(folder, { recursive: true });
  const anHourAgo = Date.now() / 1000 - HOUR_S;
  for (const file of files) {
    const copy = path.join(folder, path.basename(file));
    cpSync(file, copy);
    // The Connector waits for files that have just been written.
    utimesSync(copy, anHourAgo, anHourAgo);
  }
  const engine = await Engine.open({ home: state, version: '0.1.0', keychain: null });
  await engine.pair(engram.url, key);
  engine.start();
  const connectorPage = await startPage(engine, { home, onQuit: () => undefined });
  return {
    url: connectorPage.newUrl(),
    close: async (): Promise<void> => {
      await connectorPage.close();
      await engine.close();
      for (const created of [state, home]) rmSync(created, { recursive: true, force: true });
    },
  };
}

async function record(engram: Engram, clip: Clip, colorScheme: 'light' | 'dark'): Promise<void> {
  const { viewport, scale } = clip;
  // Each clip has its own account.
  const { token, client } = await signIn(engram, `ann@${clip.name}.example.org`);
  // The screencast uses the scale factor of the browser, not of the context.
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: [...chromiumOfThisMachine.args, `--force-device-scale-factor=${scale}`],
  });
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    colorScheme,
    permissions: ['clipboard-write'],
  });
  const page = await context.newPage();
  await page.addInitScript((value) => sessionStorage.setItem('authToken', value), token);
  let connector: Awaited<ReturnType<typeof startConnector>> | undefined;
  if (clip.path === null) {
    const { data } = await client.call(generateApiKey, { params: { name: 'Connector' }, body: {} });
    connector = await startConnector(engram, data.apiKey);
  }
  await page.goto(connector?.url ?? `${engram.url}${clip.path}`);
  await show(page, page.getByText(clip.ready), 0.5);

  // The codec needs even numbers.
  const pixels = (length: number): number => 2 * Math.round((length * scale) / 2);
  const size = { width: pixels(viewport.width), height: pixels(viewport.height) };
  const stop = await recordClip(page, size);
  const poster = await clip.scene(page);
  const file = path.join(target, `engram-${clip.name}-${colorScheme}`);
  writeFileSync(`${file}.webm`, await stop());
  await sharp(poster).webp({ quality: 75 }).toFile(`${file}.webp`);
  console.log(path.relative(root, `${file}.webm`));
  await browser.close();
  await connector?.close();
}

const names = process.argv.slice(2);
const chosen = clips.filter(({ name }) => names.length === 0 || names.includes(name));
await ensureWebBuild();
mkdirSync(target, { recursive: true });
for (const scheme of ['light', 'dark'] as const) {
  // Each scheme starts with empty libraries.
  await using engram = await startEngram({ ENGRAM_LLM: 'none' });
  for (const clip of chosen) await record(engram, clip, scheme);
}
