import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { createClient } from '@engram/client';
import { generateCode, updateProfile, validateCode } from '@engram/contract';
import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engram, signIn } from './engram.ts';
import { startVisit } from './visitor.test-setup.ts';

const NOTE = path.resolve(import.meta.dirname, 'files/boiler.txt');
const ADDRESS = 'ann@example.org';

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A black PNG of 64 pixels, with a large text chunk. */
function largePicture(bytes: number): Buffer {
  const side = 64;
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('tEXt', Buffer.from(`Comment\0${' '.repeat(bytes)}`, 'latin1')),
    pngChunk('IDAT', deflateSync(Buffer.alloc(side * (side + 1)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('from the landing page into the app', () => {
  let engram: Engram;
  let browser: Browser;
  let page: Page;
  let token: string;
  const problems: string[] = [];

  beforeAll(async () => {
    ({ engram, browser, page } = await startVisit(problems));
  });
  afterAll(async () => {
    await browser?.close();
    await engram?.close();
  });

  const pathname = (): string => new URL(page.url()).pathname;

  async function openHome(on = page): Promise<void> {
    await on.goto(`${engram.url}/home`);
    await on.getByRole('heading', { name: 'Your Data. Your AI. Your Brain. Your Way!' }).waitFor();
    await on.evaluate('document.fonts.ready');
  }

  test.each(['UPLOAD FILES', 'TRY'])('signed out, %s opens the sign-in', async (name) => {
    await openHome();
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(pathname()).toBe('/');
  });

  test('the features can be browsed by keys, and the page does not shift', async () => {
    await openHome();
    const about = page.getByRole('heading', { name: 'About Engram' });
    await page.getByRole('tab', { name: 'Artifacts' }).focus();
    const before = await about.boundingBox();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('tabpanel', { name: 'Security & Permissions' }).waitFor();
    expect(await page.getByRole('tabpanel').count()).toBe(1);
    expect(await about.boundingBox()).toEqual(before);
  });

  test.each(['light', 'dark'] as const)(
    'the last card is dark in the %s scheme',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      await openHome();
      const styles = await page.evaluate(`(() => {
        const card = document.getElementById('try-heading').closest('section');
        const { backgroundImage, color } = getComputedStyle(card);
        return [backgroundImage, color];
      })()`);
      expect(styles).toEqual([expect.stringContaining('gradient'), 'rgb(255, 255, 255)']);
    },
  );

  const playedFor = (on: Page): Promise<number> =>
    on.evaluate("document.querySelector('video').currentTime");

  test('the clip plays once it is visible', async () => {
    await openHome();
    expect(await playedFor(page)).toBe(0);
    await page.locator('video').scrollIntoViewIfNeeded();
    await expect.poll(() => playedFor(page)).toBeGreaterThan(0.3);
    const duration = await page.evaluate("document.querySelector('video').duration");
    expect(duration).toBeGreaterThan(15);
    expect(duration).toBeLessThan(25);
  });

  test('with reduced motion the clip waits for its button', async () => {
    const reducedMotionPage = await browser.newPage({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    });
    await openHome(reducedMotionPage);
    const play = reducedMotionPage.getByRole('button', { name: 'Play the demo' });
    await play.scrollIntoViewIfNeeded();
    await expect
      .poll(() => reducedMotionPage.locator('video').getAttribute('poster'))
      .toBe('/demo/engram-phone-light.webp');
    expect(await playedFor(reducedMotionPage)).toBe(0);
    await play.click();
    await expect.poll(() => playedFor(reducedMotionPage)).toBeGreaterThan(0.3);
    await reducedMotionPage.close();
  });

  test('signed in without artifacts, TRY scrolls to the top', async () => {
    token = await signIn(engram, ADDRESS);
    const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
    await client.call(updateProfile, { body: { isAgreedTerms: true } });
    await openHome();
    await page.evaluate(
      `sessionStorage.setItem('authToken', ${JSON.stringify(token)}); sessionStorage.setItem('a_exist', 'false')`,
    );
    await openHome();
    const tryButton = page.getByRole('button', { name: 'TRY' });
    await tryButton.scrollIntoViewIfNeeded();
    await tryButton.click();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    expect(pathname()).toBe('/home');
    expect(await page.getByRole('link', { name: 'Search...' }).count()).toBe(0);
  });

  test('UPLOAD FILES opens the panel, and with files the page links to the search', async () => {
    await page.getByRole('button', { name: 'UPLOAD FILES' }).click();
    const panel = page.getByRole('dialog');
    await panel.locator('input[type=file]').setInputFiles(NOTE);
    await panel.getByRole('button', { name: 'UPLOAD', exact: true }).click();
    await page.waitForURL('**/allfiles');
    await openHome();
    await page.getByRole('link', { name: 'Search...' }).waitFor();
    await page.getByRole('button', { name: 'TRY' }).click();
    // The same heading is beside TRY.
    await page.waitForURL('**/search');
    await page.getByRole('heading', { name: 'Ask your AI Brain anything', level: 1 }).waitFor();
  });

  test('a picture above the limit is shrunk before it is uploaded, and the panel says so', async () => {
    await openHome();
    await page.getByRole('button', { name: 'UPLOAD FILES' }).click();
    const panel = page.getByRole('dialog');
    await panel.locator('input[type=file]').setInputFiles({
      name: 'pier.png',
      mimeType: 'image/png',
      buffer: largePicture(3_000_000),
    });
    await panel.getByText('Larger than 2 MB. It is shrunk before it is sent.').waitFor();
    await panel.getByRole('button', { name: 'UPLOAD', exact: true }).click();
    await page.waitForURL('**/allfiles');
    await page.getByText('pier.jpg').first().waitFor();
  });

  test('below 768 pixels a menu replaces the links of the header', async () => {
    await openHome();
    const header = page.getByRole('banner').first();
    for (const [width, isCollapsed] of [
      [768, false],
      [767, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const menu = header.getByRole('button', { name: 'Open the menu' });
      expect(await menu.isVisible()).toBe(isCollapsed);
      const account = [
        header.getByRole('link', { name: 'Delete Account' }),
        header.getByRole('button', { name: 'Logout' }),
      ];
      for (const entry of account) expect(await entry.isVisible()).toBe(!isCollapsed);
    }
  });

  test('on a phone the menu closes before a page opens, and nothing overflows', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openHome();
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Billing' }).click();
    await page.waitForURL('**/profile#billing');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 2, name: 'Billing', exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('deleting the account opens the sign-in, and the address can create a new account', async () => {
    await openHome();
    await page.getByRole('banner').getByRole('link', { name: 'Delete Account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Delete' });
    await dialog.getByRole('textbox').fill(ADDRESS);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(pathname()).toBe('/');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);

    const { status } = await fetch(`${engram.url}/v1/user/profile`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    const anonymous = createClient({ baseUrl: `${engram.url}/v1` });
    await anonymous.call(generateCode, { body: { email: ADDRESS } });
    const code = await engram.codeFor(ADDRESS);
    const { data } = await anonymous.call(validateCode, { body: { email: ADDRESS, code } });
    expect(data).toMatchObject({ exist: false, agreed: false });
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});
