import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Client, createClient } from '@engram/client';
import { createShare, generateCode, updateProfile, validateCode } from '@engram/contract';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumOfThisMachine, type Engram, signIn, startEngram } from '../tests/e2e/engram.ts';
import { requireChromium } from './chromium.ts';
import { fillAccount, OTHERS } from './screens/account.ts';
import { fillLibrary } from './screens/library.ts';
import { fillPrograms } from './screens/programs.ts';
import { OWNER, type Shown, views } from './screens/views.ts';
import { ensureWebBuild } from './web-build.ts';

const SIZES = { wide: { width: 1440, height: 800 }, phone: { width: 390, height: 844 } };
const SCHEMES = ['light', 'dark'] as const;

/** The first suits gradients, the second hairlines. The smaller picture is kept. */
const ENCODINGS = [
  { quality: 62, effort: 6 },
  { nearLossless: true, quality: 20, effort: 6 },
] as const;

/** Only views whose name contains this. */
const only = process.argv[2] ?? '';
const chosen = views.filter(({ name }) => name.includes(only));

const FOLDER = path.resolve(import.meta.dirname, '..', process.argv[3] ?? 'docs/screens');

/** Signs a browser in by its cookie. */
async function signInBrowser(
  engram: Engram,
  context: BrowserContext,
  email: string,
): Promise<void> {
  const anonymous = createClient({ baseUrl: `${engram.url}/v1` });
  await anonymous.call(generateCode, { body: { email } });
  const code = await engram.codeFor(email);
  await context.request.post(`${engram.url}/v1${validateCode.path}`, {
    data: { email, code },
  });
}

async function takePicture(page: Page, file: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Images are decoded after the page is loaded.
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.complete && image.decode().catch(() => undefined)))',
  );
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const encoded = await Promise.all(ENCODINGS.map((how) => sharp(png).webp(how).toBuffer()));
  const smallest = encoded.reduce((best, one) => (one.length < best.length ? one : best));
  await writeFile(file, smallest);
  console.log(path.relative(process.cwd(), file));
}

/** A browser with a size and a colour scheme, and a user or nobody signed in. */
interface Stage {
  context: BrowserContext;
  /** The end of the pictures' names. */
  suffix: string;
  user: string | null;
}

async function openStages(browser: Browser, engram: Engram): Promise<Stage[]> {
  const users = new Set(chosen.map(({ user }) => user));
  const stages: Stage[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      for (const user of users) {
        const context = await browser.newContext({
          viewport,
          colorScheme,
          hasTouch: size === 'phone',
          reducedMotion: 'reduce',
        });
        if (user) await signInBrowser(engram, context, user);
        stages.push({ context, user, suffix: `${size}-${colorScheme}` });
      }
    }
  }
  return stages;
}

async function takePictures({ context, suffix, user }: Stage, at: Shown): Promise<void> {
  for (const { name, show } of chosen.filter((view) => view.user === user)) {
    const page = await context.newPage();
    await show(page, at);
    await takePicture(page, path.join(FOLDER, `${name}-${suffix}.webp`));
    await page.close();
  }
  await context.close();
}

/** Creates an account and returns a client of its user. */
async function createAccount(engram: Engram, address: string): Promise<Client> {
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
  ENGRAM_ADMIN_EMAILS: OWNER,
  ENGRAM_CONTACT_EMAIL: 'hello@engram.example',
  ENGRAM_CONTACT_PHONE: '+31 20 555 0142',
  ENGRAM_CONTACT_ADDRESS: 'Amstelkade 12, 1078 AM Amsterdam, Netherlands',
});
try {
  const client = await createAccount(engram, OWNER);
  for (const address of Object.keys(OTHERS)) await createAccount(engram, address);
  // Before anything is bought, since the mails after that are receipts without codes.
  const stages = await openStages(browser, engram);
  await fillAccount(client);
  const { entry, unanswered } = await fillLibrary(client);
  const { data: share } = await client.call(createShare, { body: { historyId: entry } });
  const programs = await fillPrograms(engram.url, client);
  const at = { url: engram.url, entry, unanswered, share: share.url, ...programs };
  for (const stage of stages) await takePictures(stage, at);
} finally {
  await browser.close();
  await engram.close();
}
