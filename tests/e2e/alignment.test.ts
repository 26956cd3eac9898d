import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../apps/web/src/app/paths.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

/** The pages of the app, except centered ones such as the result of a checkout. */
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

/** Runs in the page: the position and size of its heading. */
const HEADING = `(() => {
  const heading = document.querySelector('h1[data-page-heading]');
  const { left, top } = heading.getBoundingClientRect();
  const { fontSize, fontWeight, lineHeight } = getComputedStyle(heading);
  return {
    left: Math.round(left),
    top: Math.round(top),
    letters: [fontSize, fontWeight, lineHeight].join(' '),
  };
})()`;

interface HeadingBox {
  left: number;
  top: number;
  letters: string;
}

const TABLE = `| Date | Supplier | Purpose | Booked on | Amount | Source |
| --- | --- | --- | --- | --- | --- |
| 2026-03-01 | Harbour office | Mooring for the summer | current account | € 1,204.50 | [1] |
| 2026-03-09 | Sailmaker | Repair of the mainsail | current account | € 310.00 | [1] |`;

/** Runs in the page: the positions of the table and of an amount's cell, and its background. */
const AMOUNT = `(() => {
  const table = document.querySelector('section[aria-label="Table"]');
  const cells = [...table.querySelectorAll('td')];
  const cell = cells.find(({ textContent }) => textContent === '€ 310.00');
  const [frame, at] = [table, cell].map((element) => element.getBoundingClientRect());
  const { backgroundColor, boxShadow } = getComputedStyle(cell);
  return {
    scrolls: table.scrollWidth > table.clientWidth,
    isInSight: at.left >= frame.left && at.right <= frame.right + 0.5,
    isOnTop: document.elementFromPoint(at.left + 4, at.top + at.height / 2) === cell,
    backgroundColor,
    boxShadow,
  };
})()`;

interface Amount {
  scrolls: boolean;
  isInSight: boolean;
  isOnTop: boolean;
  backgroundColor: string;
  boxShadow: string;
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('the layout', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  test.each([1440, 1920])(
    'has all headings at the same position in the same size, %i pixels wide',
    async (width) => {
      const page = await stage.newPage('user', { viewport: { width, height: 1000 } });
      const found: Record<string, HeadingBox> = {};
      for (const address of pages) {
        await page.goto(stage.engram.url + address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.evaluate('document.fonts.ready');
        found[address] = await page.evaluate<HeadingBox>(HEADING);
      }
      const [first] = Object.values(found);
      expect(found).toEqual(Object.fromEntries(pages.map((address) => [address, first])));
      await page.context().close();
    },
  );

  test.each(['light', 'dark'] as const)(
    'keeps the amounts of a wide table visible on a phone, %s',
    async (colorScheme) => {
      const page = await stage.newPage('visitor', {
        viewport: { width: 390, height: 844 },
        colorScheme,
      });
      await page.context().route('**/v1/shares/*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: { answer: string } };
        body.data.answer = TABLE;
        await route.fulfill({ response, json: body });
      });
      await page.goto(stage.urlOf({ name: 'shared', address: paths.sharedAnswer, as: 'visitor' }));
      const table = page.getByRole('region', { name: 'Table' });
      await table.waitFor();
      await page.evaluate('document.fonts.ready');
      const expected = { scrolls: true, isInSight: true, isOnTop: true };
      for (const left of [0, 120, 10_000]) {
        await table.evaluate(`(table) => table.scrollTo({ left: ${left} })`);
        const { backgroundColor, boxShadow, ...amount } = await page.evaluate<Amount>(AMOUNT);
        expect(amount, `scrolled by ${left} pixels`).toEqual(expected);
        // The cell is opaque, and a line separates it from the scrolling ones.
        expect(backgroundColor).toMatch(/^rgb\(/u);
        expect(boxShadow).toContain('-1px 0px 0px');
      }
      await page.context().close();
    },
  );
});
