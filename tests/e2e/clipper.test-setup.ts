import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildClipper } from '../../scripts/clipper-build.ts';
import { chromiumOfThisMachine, STEP_TIMEOUT_MS } from './engram.ts';

export interface Clipper {
  context: BrowserContext;
  /** Evaluates an expression in the background of the extension. */
  run: <T>(expression: string) => Promise<T>;
  /** Opens the popup over a page. */
  openPopup: (page: Page) => Promise<Page>;
  /** Pairs with a server, on whose pages the user is signed in by a token. */
  pair: (page: Page, server: string, token: string) => Promise<void>;
  /** Chooses an entry of the context menu of a page. */
  chooseMenu: (page: Page, id: 'page' | 'selection' | 'image', srcUrl?: string) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * A Chromium with the built extension. It may read pages of this machine, because no test can click the
 * button or the dialogs of the browser, which permit that otherwise.
 */
export async function startClipper(executablePath: string): Promise<Clipper> {
  const folder = mkdtempSync(path.join(tmpdir(), 'engram-clipper-'));
  await buildClipper(path.join(folder, 'built'));
  const extension = path.join(folder, 'extension');
  cpSync(path.join(folder, 'built/chrome'), extension, { recursive: true });
  const file = path.join(extension, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  const host_permissions = ['http://localhost/*', 'http://127.0.0.1/*'];
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions }));
  const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    executablePath,
    // The library's own flag is for the headless shell, which loads no extensions.
    headless: false,
    serviceWorkers: 'allow',
    args: [
      ...chromiumOfThisMachine.args,
      '--headless=new',
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const run = async <T>(expression: string): Promise<T> => {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    return worker.evaluate<T>(expression);
  };

  const openPopup = async (page: Page): Promise<Page> => {
    await page.bringToFront();
    const opened = context.waitForEvent('page');
    await run(`chrome.windows.create({ url: 'popup.html', type: 'popup', width: 360 })`);
    const popup = await opened;
    await popup.setViewportSize({ width: 360, height: 600 });
    await popup.waitForLoadState();
    return popup;
  };

  return {
    context,
    run,
    openPopup,
    pair: async (page, server, token) => {
      await context.addInitScript(
        `if (location.origin === '${server}') sessionStorage.setItem('authToken', '${token}')`,
      );
      const popup = await openPopup(page);
      await popup.getByRole('textbox', { name: 'Address of the server' }).fill(server);
      const confirming = context.waitForEvent('page');
      await popup.getByRole('button', { name: 'Connect' }).click();
      const confirm = await confirming;
      const code = await popup.locator('.code').innerText();
      await confirm.getByRole('button', { name: 'Continue' }).click();
      if (!confirm.url().includes(code)) throw new Error('The page has another code.');
      await confirm.getByRole('button', { name: 'Allow' }).click();
      await confirm.getByText('is connected').waitFor();
      await popup.getByRole('button', { name: 'Sign out' }).waitFor();
      await confirm.close();
      await popup.close();
    },
    chooseMenu: async (page, menuItemId, srcUrl) => {
      const info = JSON.stringify({ menuItemId, srcUrl, frameId: 0 });
      await run(`chrome.tabs.query({}).then((tabs) => {
        const tab = tabs.find(({ url }) => url === ${JSON.stringify(page.url())});
        chrome.contextMenus.onClicked.dispatch(${info}, tab);
      })`);
    },
    close: async () => {
      await context.close();
      // The browser's other processes may write to its profile for a moment longer.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
