import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Client, createClient } from '@engram/client';
import { createShare, generateCode, updateProfile, validateCode } from '@engram/contract';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { startDevServer } from '../apps/web/build/dev-server.ts';
import { chromiumOfThisMachine, type Engram, signIn, startEngram } from '../tests/e2e/engram.ts';
import { requireChromium } from './chromium.ts';
import { fillAccount, OTHERS } from './screens/account.ts';
import { fillLibrary } from './screens/library.ts';
import { fillPrograms } from './screens/programs.ts';
import { type Shown, type View, views } from './screens/views.ts';
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
async function enter(engram: Engram, context: BrowserContext, email: string): Promise<void> {
  const anonymous = createClient({ baseUrl: `${engram.url}/v1` });
  await anonymous.call(generateCode, { body: { email } });
  const code = await engram.codeFor(email);
  await context.request.post(`${engram.url}/v1${validateCode.path}`, {
    data: { email, code },
  });
}

async function takePicture(page: Page, file: string, fullPage: boolean): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Pictures are decoded beside the page, which is there before them.
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.complete && image.decode().catch(() => undefined)))',
  );
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide', fullPage });
  const encoded = await Promise.all(ENCODINGS.map((how) => sharp(png).webp(how).toBuffer()));
  const smallest = encoded.reduce((best, one) => (one.length < best.length ? one : best));
  await writeFile(file, smallest);
  console.log(path.relative(process.cwd(), file));
}

/** A browser as somebody has it: how wide, which scheme, and who is signed in. */
interface Stage {
  context: BrowserContext;
  /** The end of the pictures' names. */
  suffix: string;
  /** The address of whoever is signed in; null for nobody. */
  visitor: string | null;
}

const visitorOf = ({ signedIn: inside, visitor }: View): string | null =>
  inside ? (visitor ?? ADDRESS) : null;

/** Opens a browser for each size, scheme and visitor, and signs the visitors in. */
async function openStages(browser: Browser, engram: Engram): Promise<Stage[]> {
  const visitors = new Set(views.filter(({ name }) => name.includes(only)).map(visitorOf));
  const stages: Stage[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      for (const visitor of visitors) {
        const context = await browser.newContext({
          viewport,
          colorScheme,
          hasTouch: size === 'phone',
          reducedMotion: 'reduce',
        });
        if (visitor) await enter(engram, context, visitor);
        stages.push({ context, visitor, suffix: `${size}-${colorScheme}` });
      }
    }
  }
  return stages;
}

async function photograph({ context, suffix, visitor }: Stage, at: Shown): Promise<void> {
  for (const view of views) {
    if (visitorOf(view) !== visitor || !view.name.includes(only)) continue;
    const page = await context.newPage();
    await view.show(page, at);
    await takePicture(page, path.join(FOLDER, `${view.name}-${suffix}.webp`), view.whole ?? false);
    await page.close();
  }
  await context.close();
}

/** Signs somebody in for the first time, who then has an account; answers a client of theirs. */
async function join(engram: Engram, address: string): Promise<Client> {
  const token = await signIn(engram, address);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  return client;
}

await ensureWebBuild();
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({
  ...chromiumOfThisMachine,
  executablePath: requireChromium(),
});
const engram = await startEngram({
  ENGRAM_LLM: 'none',
  ENGRAM_RATE_LIMITS: 'off',
  ENGRAM_ADMIN_EMAILS: ADDRESS,
  ENGRAM_CONTACT_EMAIL: 'hello@engram.example',
  ENGRAM_CONTACT_PHONE: '+31 20 555 0142',
  ENGRAM_CONTACT_ADDRESS: 'Amstelkade 12, 1078 AM Amsterdam, Netherlands',
});
const dev = await startDevServer(engram.url);
try {
  const client = await join(engram, ADDRESS);
  for (const address of Object.keys(OTHERS)) await join(engram, address);
  // Before anything is bought: the mails that follow hold receipts and no codes.
  const stages = await openStages(browser, engram);
  await fillAccount(client);
  const { entry, unanswered } = await fillLibrary(client);
  const { data: share } = await client.call(createShare, { body: { historyId: entry } });
  const programs = await fillPrograms(engram.url, client);
  const at = { url: engram.url, entry, unanswered, share: share.url, dev: dev.url, ...programs };
  for (const stage of stages) await photograph(stage, at);
} finally {
  await browser.close();
  await dev.close();
  await engram.close();
}
