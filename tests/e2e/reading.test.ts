import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getArtifactText, listArtifacts } from '@engram/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

const fixtures = path.resolve(import.meta.dirname, '../../packages/extraction/fixtures');

/** A file of each kind, with one of its sentences. */
const documents = [
  { name: 'lease.docx', file: '019-docx/lease.docx', quote: 'The rent is 412 euros' },
  { name: 'bread.md', file: '002-markdown/bread.md', quote: 'step: rise · hours: 12' },
  { name: 'page.html', file: '007-html-page/page.html', quote: 'Carp need cold water,' },
  { name: 'ticket.eml', file: '151-eml-html-only/ticket.eml', quote: 'Deck C, seat 14.' },
] as const;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!process.env['CHROMIUM_PATH'])('reading a file', () => {
  const journey = useJourney();
  let ann: Awaited<ReturnType<typeof startUser>>;
  const problems: string[] = [];
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    const files = documents.map(async ({ name, file }) => ({
      name,
      content: new Blob([new Uint8Array(await readFile(path.join(fixtures, file)))]),
    }));
    ann = await startUser(journey.engram, 'ann@example.org', await Promise.all(files));
    const { data } = await ann.client.call(listArtifacts, {});
    for (const { artifactId, artifactFileName: fileName } of data) {
      const text = await ann.client.text(getArtifactText, { params: { artifactId } });
      const quote = documents.find(({ name }) => name === fileName)!.quote;
      const from = text.indexOf(quote);
      if (from === -1) throw new Error(`${fileName} does not say ${quote}`);
      addresses.set(fileName, `/source/${artifactId}?from=${from}&to=${from + quote.length}`);
    }
  });

  const open = async (page: Page, name: string) => {
    await page.goto(journey.engram.url + addresses.get(name)!);
    const text = page.getByRole('region', { name: 'Text of the file' });
    await text.waitFor();
    return text;
  };
  const highlighted = (page: Page) => page.getByTestId('quote').allTextContents();

  test.each([
    ['a desktop', { viewport: { width: 1440, height: 900 } }],
    ['a phone', PHONE],
  ])('on %s each document is rendered, and the cited words are highlighted', async (_, options) => {
    const page = await ann.openPage(journey.browser, problems, options);
    const letter = await open(page, 'lease.docx');
    await letter.getByRole('heading', { name: 'Lease of the mill' }).waitFor();
    expect(await letter.getByRole('listitem').allTextContents()).toContain('Oil the wheel');
    expect(await letter.getByRole('cell').allTextContents()).toContain('412.00');
    expect((await highlighted(page)).join('')).toBe('The rent is 412 euros');

    const bread = await open(page, 'bread.md');
    await bread.getByRole('columnheader', { name: 'hours' }).waitFor();
    expect(await bread.textContent()).not.toContain('##');
    expect(await highlighted(page)).toEqual(['rise', '12']);

    const pond = await open(page, 'page.html');
    await pond.getByRole('heading', { name: 'Plants' }).waitFor();
    expect((await highlighted(page)).join('')).toBe('Carp need cold water,');
    const size = await pond.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(size).toBe(0);

    const ticket = await open(page, 'ticket.eml');
    await ticket.getByRole('term').filter({ hasText: 'From:' }).waitFor();
    expect((await highlighted(page)).join('')).toBe('Deck C, seat 14.');
    await page.context().close();
  });

  test('a search within the document works, and closing it restores the citation', async () => {
    const page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
    });
    const text = await open(page, 'lease.docx');
    await text.focus();
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Find in this file' }).fill('the');
    await page.getByText(/^1 of \d+$/u).waitFor();
    await expect.poll(() => highlighted(page)).toEqual(['the']);
    await page.keyboard.press('Enter');
    await page.getByText(/^2 of \d+$/u).waitFor();
    expect((await highlighted(page)).map((word) => word.toLowerCase())).toEqual(['the']);
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await highlighted(page)).join('')).toBe('The rent is 412 euros');
    await page.context().close();
  });

  test('on a phone Back closes the file and not the page, and Forward opens it again', async () => {
    const page = await ann.openPage(journey.browser, problems, PHONE);
    await page.goto(`${journey.engram.url}/allfiles`);
    const file = page.getByText('bread.md').first();
    await file.waitFor();
    const before = await page.evaluate('history.length');
    await file.click();
    const dialog = page.getByRole('dialog', { name: 'bread.md' });
    await dialog.getByRole('heading', { name: 'Times' }).waitFor();

    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/allfiles');

    await page.goForward();
    await dialog.getByRole('heading', { name: 'Times' }).waitFor();
    await page.reload();
    await dialog.getByRole('heading', { name: 'Times' }).waitFor();

    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/allfiles');
    // Going back returns to the same entry of the history, without a new one.
    expect(await page.evaluate('history.length')).toBe(Number(before) + 1);
    await page.context().close();
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});
