/**
 * Records the clips of the landing page, of the documentation and of the Connector's page in both
 * schemes into apps/web/public/demo: the real server on an empty data folder with three small files, the real app
 * or the real Connector in a browser; and draws the clip behind the questionnaire (backdrop).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@engram/client';
import { generateApiKey, updateProfile } from '@engram/contract';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumOfThisMachine, type Engram, signIn, startEngram } from '../tests/e2e/engram.ts';
import { findChromium } from './chromium.ts';
import { drawBackdrop } from './recording/backdrop.ts';
import { chooseFolder, type FilmedConnector, startConnector } from './recording/connector.ts';
import { createEncoder, type Encoder } from './recording/encoder.ts';
import { type Film, STAGE_SCRIPT, startFilm } from './recording/film.ts';
import { writeWebm } from './recording/webm.ts';
import { ensureWebBuild } from './web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'apps/web/public/demo');
const files = ['lease.pdf', 'household.csv', 'boiler.txt'].map((name) =>
  path.join(root, 'tests/e2e/files', name),
);
const QUESTION = 'How much notice does the lease ask for?';

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

interface Format {
  name: string;
  /** Where the clip begins: a path in Engram, or the page of the Connector; and a text that is there. */
  start: { path: string | null; text: string };
  /** Answers the picture that stands for the clip until it plays. */
  scene: (page: Page, film: Film, format: Format) => Promise<string>;
  /** Whose empty library is filled. */
  address: string;
  /** Of the window, in CSS pixels. */
  viewport: { width: number; height: number };
  /** Pixels of the clip for one of the window. */
  scale: number;
  quantizer: number;
  phone: boolean;
}

const answering = {
  start: { path: '/search', text: 'No files yet' },
  scene: async (page: Page, film: Film, { phone }: Format): Promise<string> => {
    await uploadFiles(page, film);
    await goToSearch(page, film, phone);
    return askAndCheck(page, film);
  },
};

const formats: Format[] = [
  {
    name: 'wide',
    ...answering,
    address: 'ann.becker@example.org',
    viewport: { width: 1152, height: 720 },
    scale: 1.25,
    quantizer: 36,
    phone: false,
  },
  {
    name: 'phone',
    ...answering,
    address: 'ann.becker@example.com',
    viewport: { width: 390, height: 694 },
    scale: 2,
    quantizer: 42,
    phone: true,
  },
  {
    name: 'key',
    start: { path: '/settings', text: 'No API keys yet' },
    scene: makeKey,
    address: 'ann.becker@example.net',
    viewport: { width: 1152, height: 720 },
    scale: 1.25,
    quantizer: 40,
    phone: false,
  },
  {
    name: 'connector',
    start: { path: null, text: 'Choose a folder' },
    scene: chooseFolder,
    address: 'ann.becker@example.edu',
    viewport: { width: 1152, height: 720 },
    scale: 1.25,
    quantizer: 40,
    phone: false,
  },
];

/** Even numbers, as the codec wants them. */
const pixels = (length: number, scale: number): number => 2 * Math.round((length * scale) / 2);

interface Stage {
  page: Page;
  close: () => Promise<void>;
}

async function openStage(
  browser: Browser,
  engram: Engram,
  format: Format,
  colorScheme: Scheme,
): Promise<Stage> {
  const token = await signIn(engram, format.address);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  let connector: FilmedConnector | undefined;
  if (format.start.path === null) {
    const made = await client.call(generateApiKey, { params: { name: 'Connector' }, body: {} });
    connector = await startConnector(engram, made.data.apiKey, files);
  }
  const context = await browser.newContext({
    viewport: format.viewport,
    deviceScaleFactor: format.scale,
    hasTouch: format.phone,
    colorScheme,
    permissions: ['clipboard-write'],
  });
  const page = await context.newPage();
  await page.addInitScript({ path: STAGE_SCRIPT });
  await page.addInitScript((kept) => sessionStorage.setItem('authToken', kept), token);
  await page.clock.install();
  await page.goto(connector?.url ?? `${engram.url}${format.start.path}`);
  await page.getByText(format.start.text).waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.clock.pauseAt(Date.now() + 1000);
  return {
    page,
    close: async () => {
      await context.close();
      await connector?.close();
    },
  };
}

async function uploadFiles(page: Page, film: Film): Promise<void> {
  await film.click(page.getByRole('main').getByRole('button', { name: 'Upload', exact: true }));
  const panel = page.getByRole('dialog');
  const choose = panel.getByRole('button', { name: 'Choose files' });
  await film.until(() => choose.isVisible());
  await film.hold(0.5);
  const chooser = page.waitForEvent('filechooser');
  await film.click(choose);
  await (await chooser).setFiles(files);
  await film.hold(1.1);
  await film.click(panel.getByRole('button', { name: 'UPLOAD', exact: true }));
  await film.until(async () => new URL(page.url()).pathname === '/allfiles');
  await film.hold(0.7);
  const ready = page.getByText('Yes', { exact: true });
  await film.until(async () => (await ready.count()) === files.length);
  await film.hold(1.2);
  // On a phone it lies over the menu's button.
  await film.until(async () => !(await page.getByText(/uploads? stored/u).isVisible()));
}

async function goToSearch(page: Page, film: Film, phone: boolean): Promise<void> {
  if (phone) {
    await film.click(page.getByRole('button', { name: 'Open the menu' }));
    await film.until(() => page.getByRole('dialog').isVisible());
    await film.hold(0.5);
  }
  const place = phone ? page.getByRole('dialog') : page.getByRole('complementary');
  await film.click(place.getByRole('link', { name: 'Search', exact: true }));
  await film.until(() => page.getByRole('textbox', { name: 'Ask your AI Brain' }).isVisible());
  await film.hold(0.4);
}

/** Answers the picture of the answer, which stands for the clip until it plays. */
async function askAndCheck(page: Page, film: Film): Promise<string> {
  // The pointer stays where the answer will not be.
  await film.click(page.getByRole('textbox', { name: 'Ask your AI Brain' }), 0.15);
  await film.type(QUESTION);
  await film.hold(0.3);
  await film.press('Enter');
  const source = page.getByRole('button', { name: /^Open .+, (?:page|line|row) /u }).first();
  await film.until(() => source.isVisible());
  await film.hold(2.2);
  await film.moveTo(source);
  await film.hold(0.6);
  const picture = film.picture();
  await film.click(source);
  const quote = page.getByRole('dialog').getByTestId('quote').first();
  await film.until(() => quote.isVisible());
  await film.hold(3.6);
  return picture;
}

/** Makes a key, copies it, and goes to where it is told how a program uses it. */
async function makeKey(page: Page, film: Film): Promise<string> {
  await film.click(page.getByRole('textbox', { name: 'Name of the new key' }), 0.2);
  await film.type('Nightly import');
  await film.hold(0.3);
  await film.click(page.getByRole('button', { name: 'Generate Key' }));
  const dialog = page.getByRole('dialog');
  const copy = dialog.getByRole('button', { name: 'Copy' });
  await film.until(() => copy.isVisible());
  await film.hold(1.4);
  await film.click(copy);
  await film.until(() => dialog.getByText('API Key Copied!').isVisible());
  await film.hold(1.4);
  const picture = film.picture();
  await film.click(dialog.getByRole('button', { name: 'Done' }));
  await film.until(() => page.getByText('Last used').first().isVisible());
  await film.hold(1.6);
  await film.click(page.getByRole('main').getByRole('link', { name: 'documentation' }));
  await film.until(() => page.getByText('Mail a code and a link').first().isVisible());
  await film.hold(2.6);
  return picture;
}

async function record(
  browser: Browser,
  engram: Engram,
  format: Format,
  scheme: Scheme,
): Promise<void> {
  const { name, viewport, scale, quantizer, phone } = format;
  const size = { width: pixels(viewport.width, scale), height: pixels(viewport.height, scale) };
  const { page, close } = await openStage(browser, engram, format, scheme);
  const encoder = await createEncoder(browser, { ...size, quantizer });
  const film = await startFilm({ page, encoder, scale, touch: phone });
  await film.hold(0.6);
  const picture = await format.scene(page, film, format);
  await save(`${name}-${scheme}`, encoder, { ...size, duration: film.duration(), picture });
  await close();
}

interface Recorded {
  width: number;
  height: number;
  /** Milliseconds. */
  duration: number;
  /** What stands for the clip until it plays, as a PNG in base64. */
  picture: string;
}

/** Writes what was encoded as a clip, and its picture beside it. */
async function save(
  name: string,
  encoder: Encoder,
  { picture, ...recorded }: Recorded,
): Promise<void> {
  const clip = await writeWebm({ ...recorded, frames: await encoder.finish() });
  const poster = await encoder.toWebp(picture, 0.75);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, `engram-${name}.webm`), clip);
  writeFileSync(path.join(target, `engram-${name}.webp`), poster);
  console.log(
    `engram-${name}: ${(recorded.duration / 1000).toFixed(1)} s, ${Math.round(clip.length / 1000)} kB, poster ${Math.round(poster.length / 1000)} kB`,
  );
  await encoder.close();
}

async function recordBackdrop(browser: Browser): Promise<void> {
  const size = { width: 960, height: 600 };
  const encoder = await createEncoder(browser, { ...size, quantizer: 54 });
  await save('backdrop', encoder, { ...size, ...(await drawBackdrop(browser, encoder, size)) });
}

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium was found. Set CHROMIUM_PATH to one.');
const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
const filmed = formats.filter(({ name }) => isChosen(name));
const browser = await chromium.launch({ ...chromiumOfThisMachine, executablePath });
try {
  if (isChosen('backdrop')) await recordBackdrop(browser);
  if (filmed.length > 0) await film(filmed);
} finally {
  await browser.close();
}

async function film(wanted: readonly Format[]): Promise<void> {
  await ensureWebBuild();
  for (const scheme of SCHEMES) {
    // Each scheme starts with empty libraries.
    const engram = await startEngram({ ENGRAM_LLM: 'none' });
    try {
      for (const format of wanted) await record(browser, engram, format, scheme);
    } finally {
      await engram.close();
    }
  }
}
