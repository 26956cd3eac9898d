import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../apps/web/src/app/paths.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

/** The app's own pages; those in the middle of the window, as a checkout's result, do not begin there. */
const pages = [
  paths.history,
  paths.keywords,
  paths.files,
  paths.documentation,
  paths.profile,
  paths.api,
  paths.pricing,
  paths.faq,
  paths.connector,
];

/** Runs in the page: where its heading begins, and how large that is. */
const PLACE = `(() => {
  const heading = document.querySelector('h1[data-page-heading]');
  const { left, top } = heading.getBoundingClientRect();
  const { fontSize, fontWeight, lineHeight } = getComputedStyle(heading);
  return {
    left: Math.round(left),
    top: Math.round(top),
    letters: [fontSize, fontWeight, lineHeight].join(' '),
  };
})()`;

interface Place {
  left: number;
  top: number;
  letters: string;
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('the headings of all pages', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  test.each([1440, 1920])('stand at one place, in one size, %i pixels wide', async (width) => {
    const page = await stage.newPage('person', { viewport: { width, height: 1000 } });
    const found: Record<string, Place> = {};
    for (const address of pages) {
      await page.goto(stage.engram.url + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      found[address] = await page.evaluate<Place>(PLACE);
    }
    const [first] = Object.values(found);
    expect(found).toEqual(Object.fromEntries(pages.map((address) => [address, first])));
    await page.context().close();
  });
});
