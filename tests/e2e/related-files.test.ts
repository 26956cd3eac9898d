import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listArtifacts, search } from '@engram/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordTones } from '../../apps/server/src/tests/tones.test-setup.ts';
import { useJourney } from './journey.test-setup.ts';
import { startUser } from './user.test-setup.ts';

const fixtures = path.resolve(import.meta.dirname, '../../packages/extraction/fixtures');
const QUESTION = 'Which files did I upload today?';

/** The used part of a player. */
interface Media {
  currentTime: number;
  play: () => Promise<void>;
  pause: () => void;
}

/** A file of each kind, by where its bytes are. */
const sources: Record<string, string> = {
  'picture.jpg': `${fixtures}/040-jpeg-date-and-place/lighthouse.jpg`,
  'tour.mp4': `${fixtures}/123-mp4/lighthouse.mp4`,
  'lease.pdf': path.resolve(import.meta.dirname, 'files/lease.pdf'),
  'letter.docx': `${fixtures}/019-docx/lease.docx`,
  'fees.xlsx': `${fixtures}/030-xlsx/harbour.xlsx`,
  'page.html': `${fixtures}/007-html-page/page.html`,
  'costs.csv': path.resolve(import.meta.dirname, 'files/household.csv'),
};

describe.skipIf(!process.env['CHROMIUM_PATH'])('the files of an answer', () => {
  const journey = useJourney();
  let ann: Awaited<ReturnType<typeof startUser>>;
  let page: Page;
  let dialog: Locator;
  const problems: string[] = [];

  beforeAll(async () => {
    const read = Object.entries(sources).map(async ([name, source]) => ({
      name,
      content: new Blob([new Uint8Array(await readFile(source))]),
    }));
    const bell = recordTones([{ hertz: 440, seconds: 8 }]);
    const files = [...(await Promise.all(read)), { name: 'bell.wav', content: new Blob([bell]) }];
    ann = await startUser(journey.engram, 'ann@example.org', files);
    page = await ann.openPage(journey.browser, problems);
    dialog = page.getByRole('dialog', { name: QUESTION });
  });

  const card = (name: string) => dialog.getByRole('article', { name, exact: true });
  const choose = (tab: string) => dialog.getByRole('button', { name: tab, exact: true }).click();
  const names = async () =>
    (
      await dialog
        .getByRole('article')
        .evaluateAll((cards) => cards.map((each) => each.getAttribute('aria-label')))
    ).toSorted();

  test('are all shown by View All, each category with its count', async () => {
    const drawnFiles = async () =>
      (await ann.client.call(listArtifacts, { query: {} })).data.flatMap((file) =>
        file.thumbnailUrl === null ? [] : [file.artifactFileName],
      );
    await expect.poll(drawnFiles).toEqual(expect.arrayContaining(['picture.jpg', 'lease.pdf']));
    await page.goto(`${journey.engram.url}/search`);
    const input = page.getByRole('textbox', { name: 'Ask your AI Brain anything' });
    await input.fill(QUESTION);
    await input.press('Enter');
    await page.getByRole('button', { name: 'View All' }).click();
    await dialog.waitFor();
    expect(await names()).toEqual([...Object.keys(sources), 'bell.wav'].toSorted());
    for (const [tab, ...expected] of [
      ['1 Images', 'picture.jpg'],
      ['1 Videos', 'tour.mp4'],
      ['1 Audios', 'bell.wav'],
      ['1 Pdf', 'lease.pdf'],
      ['1 Document', 'letter.docx'],
      ['1 Spreadsheet', 'fees.xlsx'],
      ['2 Others', 'costs.csv', 'page.html'],
      ['8 All', ...Object.keys(sources), 'bell.wav'],
    ] as const) {
      await choose(tab);
      expect(await names()).toEqual(expected.toSorted());
    }
  });

  test('have a preview: a picture, the first page of a PDF, the first words of a letter', async () => {
    const width = (picture: Locator) =>
      picture.evaluate((each: { naturalWidth: number }) => each.naturalWidth);
    await expect.poll(() => width(card('lease.pdf').locator('img'))).toBeGreaterThan(50);
    expect(await card('letter.docx').innerText()).toContain('Lease of the mill');
    await choose('1 Images');
    await expect.poll(() => width(card('picture.jpg').locator('img'))).toBeGreaterThan(50);
  });

  test('can be played in place', async () => {
    await choose('8 All');
    const player = card('bell.wav').locator('audio');
    await player.evaluate((media: Media) => media.play());
    await expect
      .poll(() => player.evaluate((media: Media) => media.currentTime))
      .toBeGreaterThan(0);
    await player.evaluate((media: Media) => media.pause());
  });

  test('open in a new tab, by a link without access to the app', async () => {
    const context = page.context();
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      card('lease.pdf').locator('a').first().click(),
    ]);
    expect(tab.url()).not.toMatch(/^blob:/u);
    const href = await card('lease.pdf').getByRole('link').getAttribute('href');
    const response = await fetch(new URL(href ?? '', journey.engram.url));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^inline/u) as string,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    await tab.close();

    await choose('2 Others');
    const [download] = await Promise.all([
      context.waitForEvent('page').then((opened) => opened.waitForEvent('download')),
      dialog.getByRole('button', { name: 'Open page.html' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('page.html');
  });

  test('can also be shown beside the answer', async () => {
    for (const [name, expectedText] of [
      ['fees.xlsx', 'Marigold'],
      ['letter.docx', 'Lease of the mill'],
    ] as const) {
      await choose('8 All');
      await dialog.getByRole('button', { name: `Show ${name} here` }).click();
      const viewer = page.getByRole('complementary', { name });
      await viewer.getByText(expectedText).first().waitFor();
      await page.keyboard.press('Escape');
      await viewer.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'View All' }).click();
      await dialog.waitFor();
    }
  });

  test('fit a narrow screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const tab of ['8 All', '1 Images', '1 Videos', '2 Others']) {
      await choose(tab);
      const overflows = await dialog.evaluate((each) =>
        [each, ...each.querySelectorAll('section, ul')].some(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      );
      expect(overflows).toBe(false);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('are not in the next answer once they are archived, and the focus returns', async () => {
    await choose('8 All');
    await dialog.getByRole('button', { name: 'Options for lease.pdf' }).click();
    await page.getByRole('menuitem', { name: 'Archived' }).click();
    await card('lease.pdf').getByText('Archived').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('View All');

    const { data } = await ann.client.call(search, { body: { text: QUESTION, audio: false } });
    expect(data.similar_vectors.map(({ fileName }) => fileName)).not.toContain('lease.pdf');
    expect(data.similar_vectors).toHaveLength(7);
    expect(problems).toEqual([]);
  });
});
