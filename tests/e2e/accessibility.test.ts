import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scene, scenes } from './scenes.test-setup.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

/** How far what is on a page may move by itself while it loads, as the browser sums it up. */
const MAY_SHIFT = 0.02;

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const smallest = { width: 360, height: 740 };

/** Runs in the page: adds up by how much it moves without anybody having touched it. */
const WATCH_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) window.shifted += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > innerWidth';

/** Runs in the page: waits until everything has faded over, and nothing more begins to. */
const SETTLED = `(async () => {
  for (let quiet = 0; quiet < 5; quiet += 1) {
    const fading = document.getAnimations().filter(
      ({ effect, playState }) =>
        playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
    );
    if (fading.length > 0) quiet = 0;
    await Promise.all(fading.map(({ finished }) => finished.catch(() => null)));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

/** Runs in the page: what is wrong with it. */
const RUN_AXE = `axe.run(document, {
  resultTypes: ['violations'],
  // An open dialog or menu stands beside the landmarks, and a dialog has a header of its own.
  rules: {
    region: { enabled: false },
    'landmark-unique': { enabled: false },
    'landmark-no-duplicate-banner': { enabled: false },
  },
})`;

/** Switches the system's scheme, and waits until the page has followed and faded over. */
async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate(SETTLED);
}

/** What is wrong with a page in a scheme, each finding with the first place it is at. */
async function findings(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(axe.source);
  await showScheme(page, colorScheme);
  const { violations } = await page.evaluate<AxeResults>(RUN_AXE);
  return violations.map(({ id, impact, nodes: [node] }) =>
    [impact, `${id}:`, node?.html.slice(0, 160), node?.any[0]?.message].join(' '),
  );
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('every page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  async function visit(scene: Scene, viewport: typeof wide): Promise<Page> {
    const page = await stage.newPage(scene.as, { viewport });
    await page.addInitScript({ content: WATCH_SHIFTS });
    await page.goto(stage.urlOf(scene), { waitUntil: 'networkidle' });
    return page;
  }

  // Colours are a matter of the scheme and layout one of the width: each is looked at once.
  test.each(scenes)('$name ($as) is accessible, and stays put, on a wide screen', async (scene) => {
    const page = await visit(scene, wide);
    expect(await page.evaluate('shifted')).toBeLessThan(MAY_SHIFT);
    await scene.open?.(page);
    expect(await findings(page, 'light')).toEqual([]);
    await page.context().close();
  });

  test.each(scenes)('$name ($as) is accessible, fits and stays put on a phone', async (scene) => {
    const page = await visit(scene, smallest);
    expect(await page.evaluate('shifted')).toBeLessThan(MAY_SHIFT);
    await scene.open?.(page);
    expect(await page.evaluate(SCROLLS_SIDEWAYS)).toBe(false);
    await page.setViewportSize(phone);
    expect(await findings(page, 'dark')).toEqual([]);
    await page.context().close();
  });
});
