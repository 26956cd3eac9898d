import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@engram/client';
import { createShare, generateCode, updateProfile, validateCode } from '@engram/contract';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumOfThisMachine, type Engram, signIn, startEngram } from '../tests/e2e/engram.ts';
import { findChromium } from './chromium.ts';
import { fillLibrary } from './screens/library.ts';
import { type Shown, views } from './screens/views.ts';
import { ensureWebBuild } from './web-build.ts';

const ADDRESS = 'mara.visser@example.org';

const SIZES = { wide: { width: 1440, height: 800 }, phone: { width: 390, height: 844 } };
const SCHEMES = ['light', 'dark'] as const;

/** What suits pictures with gradients, and what keeps the hairlines of all others. */
const ENCODINGS = [
  { quality: 62, effort: 6 },
  { nearLossless: true, quality: 20, effort: 6 },
] as const;

/** Pages whose name contains this are taken; without it all. */
const only = process.argv[2] ?? '';

/** Where the pictures go. */
const FOLDER = path.resolve(import.meta.dirname, '..', process.argv[3] ?? 'docs/screens');

/** Signs the context's browser in by a code of its own; the cookie then brings the session back. */
async function enter(engram: Engram, context: BrowserContext): Promise<void> {
  const anonymous = createClient({ baseUrl: `${engram.url}/v1` });
  await anonymous.call(generateCode, { body: { email: ADDRESS } });
  const code = await engram.codeFor(ADDRESS);
  await context.request.post(`${engram.url}/v1${validateCode.path}`, {
    data: { email: ADDRESS, code },
  });
}

async function takePicture(page: Page, file: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Pictures are decoded beside the page, which is there before them.
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.complete && image.decode().catch(() => undefined)))',
  );
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const encoded = await Promise.all(ENCODINGS.map((how) => sharp(png).webp(how).toBuffer()));
  const smallest = encoded.reduce((best, one) => (one.length < best.length ? one : best));
  await writeFile(file, smallest);
  console.log(path.relative(process.cwd(), file));
}

async function photograph(browser: Browser, engram: Engram, at: Shown): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      for (const inside of [false, true]) {
        const context = await browser.newContext({
          viewport,
          colorScheme,
          hasTouch: size === 'phone',
          reducedMotion: 'reduce',
        });
        if (inside) await enter(engram, context);
        for (const view of views) {
          if (view.signedIn !== inside || !view.name.includes(only)) continue;
          const page = await context.newPage();
          await view.show(page, at);
          await takePicture(page, path.join(FOLDER, `${view.name}-${size}-${colorScheme}.webp`));
          await page.close();
        }
        await context.close();
      }
    }
  }
}

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium was found. Set CHROMIUM_PATH to one.');
await ensureWebBuild();
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({ ...chromiumOfThisMachine, executablePath });
const engram = await startEngram({ ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off' });
try {
  const token = await signIn(engram, ADDRESS);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  const { entry, unanswered } = await fillLibrary(client);
  const { data: share } = await client.call(createShare, { body: { historyId: entry } });
  await photograph(browser, engram, { url: engram.url, entry, unanswered, share: share.url });
} finally {
  await browser.close();
  await engram.close();
}
