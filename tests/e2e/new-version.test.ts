import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer } from '../../apps/server/src/platform/http/server.ts';
import { serveWebApp } from '../../apps/server/src/platform/http/web-app.ts';
import { openBrowser } from './engram.ts';
import { missingAssets } from './browser-storage.test-setup.ts';

const BUILD = path.resolve(import.meta.dirname, '../../apps/web/dist');

/** The name of the entry script of a build. */
async function entryOf(folder: string): Promise<string> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  const entry = /<script type="module"[^>]* src="\/assets\/([^"]+)"/u.exec(page)?.[1];
  if (!entry) throw new Error('The page has no entry.');
  return entry;
}

/** Changes all scripts of a build, whose names contain a hash of their text. */
async function changeBuild(to: string): Promise<void> {
  await cp(BUILD, to, { recursive: true });
  const scripts = new Set(globSync('assets/*.js', { cwd: to }).map((file) => path.basename(file)));
  await Promise.all(globSync('**/*.{br,gz}', { cwd: to }).map((file) => rm(path.join(to, file))));
  for (const name of globSync(['**/*.html', '*.js', 'assets/*.js'], { cwd: to })) {
    const file = path.join(to, name);
    const content = await readFile(file, 'utf8');
    const changedName = (script: string) => (scripts.has(script) ? `changed-${script}` : script);
    await writeFile(file, content.replace(/[\w-]+\.js/gu, changedName));
  }
  for (const name of scripts) {
    await rename(path.join(to, 'assets', name), path.join(to, 'assets', `changed-${name}`));
  }
  const worker = path.join(to, 'service-worker.js');
  const script = await readFile(worker, 'utf8');
  await writeFile(worker, script.replace(/\bversion:([`"'])/u, 'version:$1changed-'));
}

/** The entry script of the build that a waiting worker reports to the page. */
const WAITING_BUILD = `navigator.serviceWorker.getRegistration().then(({ waiting }) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    if (waiting) waiting.postMessage('which-build', [port2]);
    else resolve(null);
  }))`;

describe.skipIf(!process.env['CHROMIUM_PATH'])('a new version', () => {
  let changed: string;
  let app: FastifyInstance;
  let browser: Browser;
  let page: Page;

  async function serve(folder: string, port = 0): Promise<string> {
    app = await createHttpServer({ log: pino({ level: 'silent' }), trustProxy: undefined });
    await serveWebApp(app, folder);
    return app.listen({ port, host: '127.0.0.1' });
  }

  beforeAll(async () => {
    changed = await mkdtemp(path.join(tmpdir(), 'engram-build-'));
    await changeBuild(changed);
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await rm(changed, { recursive: true, force: true });
  });

  const entryOfPage = () =>
    page.evaluate(`new URL(document.querySelector('script[type=module]').src).pathname`);
  const cacheNames = (): Promise<string[]> => page.evaluate('caches.keys()');
  const hasWorker = () => page.evaluate('navigator.serviceWorker.controller !== null');
  const isChanged = () =>
    page.evaluate(`document.querySelector('script[type=module]')?.src.includes('/changed-')`);

  test('is offered, and used after the user reloads', async () => {
    const origin = await serve(BUILD);
    await page.goto(origin);
    await expect.poll(hasWorker).toBe(true);
    await page.getByRole('textbox', { name: /mail/iu }).fill('half an addr');
    await expect.poll(() => missingAssets(page, origin)).toEqual([]);
    const [before] = await cacheNames();
    await app.close();
    await serve(changed, Number(new URL(origin).port));

    await page.evaluate('navigator.serviceWorker.getRegistration().then((it) => it.update())');
    await page.getByText('A new version of Engram is ready.').waitFor();
    expect(await page.getByRole('textbox', { name: /mail/iu }).inputValue()).toBe('half an addr');
    expect(await entryOfPage()).toBe(`/assets/${await entryOf(BUILD)}`);

    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(isChanged).toBe(true);
    await expect.poll(cacheNames).toEqual([expect.not.stringMatching(before!)]);
    expect(await page.getByText('A new version of Engram is ready.').count()).toBe(0);
  });

  test('is not offered if a reload has already loaded it', async () => {
    const { port } = new URL(page.url());
    await app.close();
    await serve(BUILD, Number(port));
    await page.reload();
    expect(await entryOfPage()).toBe(`/assets/${await entryOf(BUILD)}`);
    await expect.poll(() => page.evaluate(WAITING_BUILD)).toBe(await entryOfPage());
    expect(await page.getByText('A new version of Engram is ready.').count()).toBe(0);
  });
});
