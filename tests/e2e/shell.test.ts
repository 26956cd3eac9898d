import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterCode } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';
import { collectProblems, startUser } from './user.test-setup.ts';

const ADDRESS = 'ann@example.org';
const PHONE = { width: 390, height: 844 };

/** The position of an element in the window. */
async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width };
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('the frame of all pages', () => {
  const problems: string[] = [];
  const journey = useJourney();
  let page: Page;

  beforeAll(async () => {
    const lease = await readFile(path.join(import.meta.dirname, 'files/lease.pdf'));
    const files = [
      { name: 'boiler.txt', content: new Blob(['The boiler was serviced in May.']) },
      { name: 'Lease of the flat, signed by both parties.pdf', content: new Blob([lease]) },
    ];
    const ann = await startUser(journey.engram, ADDRESS, files);
    page = await ann.openPage(journey.browser, problems, {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });

  const bar = () => page.getByRole('navigation', { name: 'Bottom bar' });

  test('the sign-in page says why it is needed, and continues to the page', async () => {
    const context = await journey.browser.newContext({ serviceWorkers: 'block' });
    const visitor = await context.newPage();
    collectProblems(visitor, problems, (message) => !message.text().includes('401'));
    await visitor.goto(`${journey.engram.url}/pricing?upgrade=true`);
    await visitor.getByText('Sign in to see the plans.').waitFor();
    await visitor.getByRole('textbox', { name: /mail/iu }).fill(ADDRESS);
    await visitor.keyboard.press('Enter');
    await enterCode(visitor, journey.engram, ADDRESS);
    await visitor.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    expect(new URL(visitor.url()).search).toBe('?upgrade=true');
    await context.close();
  });

  test('the bottom bar opens the search, the files, the upload and the history', async () => {
    await page.goto(`${journey.engram.url}/search`);
    await bar().getByRole('link', { name: 'Files' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    await bar().getByRole('link', { name: 'History' }).tap();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await bar().getByRole('button', { name: 'Add' }).tap();
    const panel = page.getByRole('dialog');
    await panel.getByText('Upload your files to start organizing your content').waitFor();
    await panel.getByRole('button', { name: 'CLOSE' }).tap();
    await panel.waitFor({ state: 'detached' });
    await bar().getByRole('link', { name: 'Ask' }).tap();
    await page.waitForURL('**/search');
    expect((await boxOf(bar())).bottom).toBe(PHONE.height);
    expect(problems).toEqual([]);
  });

  test('the question field is above the bottom bar, and messages cover neither', async () => {
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill('When was the boiler serviced?');
    await input.press('Enter');
    const copy = page.getByRole('button', { name: 'Copy', exact: true });
    await copy.tap();
    const toast = page.getByRole('alert').filter({ hasText: /copied/iu });
    await toast.waitFor();
    const [message, field, bottomBar, header] = await Promise.all([
      boxOf(toast),
      boxOf(input),
      boxOf(bar()),
      boxOf(page.getByRole('banner').first()),
    ]);
    expect(field.bottom).toBeLessThanOrEqual(bottomBar.top);
    expect(message.top).toBeGreaterThanOrEqual(header.bottom);
    expect(message.bottom).toBeLessThan(field.top);
    expect(problems).toEqual([]);
  });

  test('a passage of a PDF is scrolled into view and stays there, below a one-line file name', async () => {
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill('How much notice does the lease ask for?');
    await input.press('Enter');
    await page
      .getByRole('button', { name: /^Open Lease/u })
      .first()
      .tap();
    const sheet = page.getByRole('dialog', { name: /^Passage \d+: Lease/u });
    const passage = sheet.getByTestId('quote').first();
    await passage.waitFor();
    // The layout of pages is stable after a few frames.
    await page.evaluate(
      'new Promise((done) => { let left = 30; const next = () => left-- ? requestAnimationFrame(next) : done(); next(); })',
    );
    const { top, bottom } = await boxOf(passage);
    expect(top).toBeGreaterThan(150);
    expect(bottom).toBeLessThan(PHONE.height);
    const name = await boxOf(sheet.getByRole('heading', { level: 2 }));
    expect(name.bottom - name.top).toBeLessThan(30);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('the palette fills the window on a phone, and opens a file', async () => {
    await page.getByRole('button', { name: 'Open the menu' }).tap();
    await page.getByRole('button', { name: /^Find anything/u }).tap();
    const palette = page.getByRole('dialog', { name: 'Find anything' });
    await palette.waitFor();
    await expect.poll(() => boxOf(palette)).toEqual({ top: 0, left: 0, right: 390, bottom: 844 });
    await palette.getByRole('combobox').fill('boil');
    await palette.getByRole('option', { name: /boiler\.txt/u }).tap();
    await page.getByRole('dialog', { name: 'boiler.txt' }).waitFor();
    expect(problems).toEqual([]);
  });
});
