import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scene, scenes } from './scenes.test-setup.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

/** The maximum layout shift of a page during its load. */
const MAX_SHIFT = 0.02;
/**
 * The maximum if the font is loaded last, which may change line breaks: the limit of a good score
 * (https://web.dev/articles/cls).
 */
const MAX_SHIFT_WITH_LATE_FONT = 0.1;

/** The window and color scheme of a visit. */
interface Display {
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
}

const wide: Display = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' };
const phone: Display = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' };

/** The minified build, because every page loads it. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page: sums up layout shifts without user input, and lists them. */
const WATCH_SHIFTS = `
  window.shifted = 0;
  window.moves = [];
  const boxOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shifted += value;
      for (const { node, previousRect, currentRect } of sources) {
        const tag = node?.cloneNode().outerHTML ?? node?.nodeName;
        window.moves.push([value.toFixed(3), tag, boxOf(previousRect), '->', boxOf(currentRect)].join(' '));
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > innerWidth';

/** Runs in the page: waits until all animations have ended. */
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

/** Runs in the page: returns its accessibility problems. */
const RUN_AXE = `axe.run(document, {
  resultTypes: ['violations'],
  // An open dialog or menu stands beside the landmarks, and a dialog has a header of its own.
  rules: {
    region: { enabled: false },
    'landmark-unique': { enabled: false },
    'landmark-no-duplicate-banner': { enabled: false },
  },
})`;

/**
 * Runs in the page: fields, checkboxes and radios whose border has a contrast below 3:1 (WCAG 2.2,
 * 1.4.11). A field without a border has that of its frame, and a transparent one, as in a switch,
 * that of the next element.
 */
const PALE_FIELDS = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const isClear = (color) => /^rgba\\(.*, 0\\)$/.test(color);
  const framed = (element) => {
    const { borderTopWidth, borderTopColor } = getComputedStyle(element);
    return borderTopWidth !== '0px' && !isClear(borderTopColor);
  };
  const groundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return isClear(backgroundColor) && element.parentElement
      ? groundOf(element.parentElement)
      : backgroundColor;
  };
  const pale = [];
  for (const field of document.querySelectorAll('input, textarea, select')) {
    if (!field.checkVisibility() || field.disabled || field.readOnly || field.checked || /range|file/.test(field.type)) continue;
    if (field === document.activeElement) continue;
    let frame = field.checkVisibility({ checkOpacity: true }) ? field : field.nextElementSibling;
    while (frame && !framed(frame)) frame = frame.parentElement;
    if (!frame?.parentElement) continue;
    const [line, ground] = [getComputedStyle(frame).borderTopColor, groundOf(frame.parentElement)]
      .map(luminance);
    const ratio = (Math.max(line, ground) + 0.05) / (Math.min(line, ground) + 0.05);
    if (ratio < 3) pale.push(ratio.toFixed(1) + ':1 ' + field.outerHTML.slice(0, 200));
  }
  return pale;
})()`;

/** The problems of a page, each with its first element. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(RUN_AXE);
  return violations.map(({ id, impact, nodes: [node] }) =>
    [impact, `${id}:`, node?.html.slice(0, 160), node?.any[0]?.message].join(' '),
  );
}

/** Waits until all that a page requests, except fonts, is there and drawn, and led to no further request. */
function watchLoading(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  let requests = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'font') return;
    requests += 1;
    pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async () => {
    let requestsBefore: number;
    do {
      requestsBefore = requests;
      await page.evaluate(SETTLED);
    } while (pending.size > 0 || requests > requestsBefore);
  };
}

describe.skipIf(!process.env['CHROMIUM_PATH'])('every page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  /**
   * Opens a scene with an empty cache and a font that comes last, and again with a filled cache.
   * Neither may shift, although the filled cache knows much before the server answers.
   */
  async function visit(scene: Scene, { viewport, colorScheme }: Display): Promise<Page> {
    if (scene.isFresh) await stage.confirmUser();
    const page = await stage.newPage(scene.as, { viewport, colorScheme });
    await page.addInitScript({ content: WATCH_SHIFTS });
    const loaded = watchLoading(page);
    const fontsAllowed = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async (route) => {
      await fontsAllowed.promise;
      await route.continue();
    });
    const expectShift = async (limit: number): Promise<void> => {
      const shifted = await page.evaluate<number>('shifted');
      const moves = await page.evaluate<string[]>('moves');
      // A failure lists the elements that moved.
      expect(shifted < limit ? [] : [shifted, ...moves]).toEqual([]);
    };
    const expectNoShift = async (): Promise<void> => {
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      // A slow machine makes no requests for a while before it loads the page's code.
      await page.locator('h1').first().waitFor({ state: 'attached' });
      await loaded();
      await expectShift(MAX_SHIFT);
    };
    await page.goto(stage.urlOf(scene), { waitUntil: 'commit' });
    await expectNoShift();
    fontsAllowed.resolve();
    await page.evaluate('document.fonts.ready');
    await loaded();
    await expectShift(MAX_SHIFT_WITH_LATE_FONT);
    await page.unroute('**/*.woff2');
    if (!scene.open) {
      await page.reload();
      await expectNoShift();
    }
    await scene.open?.(page);
    return page;
  }

  // Colors depend on the scheme and the layout on the width, so each is checked once.
  test.each(scenes)(
    '$name ($as) is accessible and has no layout shift on a wide screen',
    async (scene) => {
      const page = await visit(scene, wide);
      expect(await findings(page)).toEqual([]);
      await page.context().close();
    },
  );

  test.each(scenes)(
    '$name ($as) is accessible, fits and has no layout shift on a phone',
    async (scene) => {
      const page = await visit(scene, phone);
      expect(await page.evaluate(SCROLLS_SIDEWAYS)).toBe(false);
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(PALE_FIELDS)).toEqual([]);
      await page.context().close();
    },
  );
});
