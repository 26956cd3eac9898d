import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { updateProfile } from '@engram/contract';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser, signIn, signInBrowser, startServer } from '../bench/setup.ts';
import { fillLibrary } from './sample-library.ts';

const SIZES = { wide: { width: 1440, height: 800 }, phone: { width: 390, height: 844 } };
const OWNER = 'mara.visser@example.org';
const SCHEMES = ['light', 'dark'] as const;
const SAMPLES = path.resolve(import.meta.dirname, '../tests/e2e/files');
const FOLDER = path.resolve(import.meta.dirname, '..', process.argv[3] ?? 'docs/screens');

/** The first is better for gradients, the second for thin lines. The smaller file is used. */
const ENCODINGS = [
  { quality: 62, effort: 6 },
  { nearLossless: true, quality: 20, effort: 6 },
] as const;

/** A screen to take a picture of: its path, and steps on that page. */
interface View {
  /** The start of the picture's name. */
  name: string;
  path: string;
  steps?: (page: Page) => Promise<unknown>;
}

async function chooseFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'UPLOAD FILES' }).click();
  const panel = page.getByRole('dialog');
  const read = async (name: string, mimeType: string) => ({
    name,
    mimeType,
    buffer: await readFile(path.join(SAMPLES, name)),
  });
  await panel
    .locator('input[type=file]')
    .setInputFiles([
      await read('lease.pdf', 'application/pdf'),
      await read('household.csv', 'text/csv'),
      { name: 'Model train.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    ]);
  await panel.getByText('household.csv').waitFor();
  await panel.getByRole('textbox', { name: 'Text' }).fill('The spare key hangs behind the boiler.');
}

async function openSource(page: Page): Promise<void> {
  const source = page.getByRole('button', { name: /^Open .+, (?:page|line|row) /u });
  await source.first().click();
  await page.locator('[data-evidence]').getByTestId('quote').first().waitFor();
}

/** The screens, with the history IDs of an answered and an unanswered question. */
const viewsOf = (answered: string, unanswered: string): View[] => [
  { name: 'home', path: '/home' },
  { name: 'upload', path: '/home', steps: chooseFiles },
  { name: 'files', path: '/allfiles' },
  { name: 'ask', path: '/search' },
  { name: 'search', path: `/search?entry=${answered}` },
  { name: 'source', path: `/search?entry=${answered}`, steps: openSource },
  { name: 'no-answer', path: `/search?entry=${unanswered}` },
  {
    name: 'history',
    path: `/history?entry=${answered}`,
    steps: (page) => page.getByRole('article', { name: 'Answer' }).waitFor(),
  },
  { name: 'profile', path: '/profile' },
  { name: 'pricing', path: '/pricing' },
  { name: 'documentation', path: '/documentation' },
  { name: 'connector', path: '/connector' },
];

async function takePicture(page: Page, file: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Images are decoded after the page is loaded.
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.complete && image.decode().catch(() => undefined)))',
  );
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const encoded = await Promise.all(
    ENCODINGS.map((options) => sharp(png).webp(options).toBuffer()),
  );
  const [smallest] = encoded.toSorted((a, b) => a.length - b.length);
  await writeFile(file, smallest ?? png);
  console.log(path.relative(process.cwd(), file));
}

await mkdir(FOLDER, { recursive: true });
await using browser = await openBrowser();
await using engram = await startServer();
const { client } = await signIn(engram, OWNER);
await client.call(updateProfile, { body: { name: 'Mara Visser' } });
const { answered, unanswered } = await fillLibrary(client);
const only = process.argv[2] ?? '';
const views = viewsOf(answered, unanswered).filter(({ name }) => name.includes(only));
for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of SCHEMES) {
    const hasTouch = size === 'phone';
    await using context = await browser.newContext({
      viewport,
      colorScheme,
      hasTouch,
      reducedMotion: 'reduce',
    });
    await signInBrowser(context, engram, OWNER);
    for (const { name, path: address, steps } of views) {
      await using page = await context.newPage();
      await page.goto(`${engram.url}${address}`);
      await page.waitForLoadState('networkidle');
      await steps?.(page);
      await takePicture(page, path.join(FOLDER, `${name}-${size}-${colorScheme}.webp`));
    }
  }
}
