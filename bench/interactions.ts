import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Engram } from '../tests/e2e/engram.ts';
import { fillLists } from './fill-lists.ts';
import { EMAIL, openBrowser, percentile, signInBrowser, startServer, type Table } from './setup.ts';

const LIBRARY = { files: 10_000, questions: 10_000, accounts: 10, turns: 50 };
const CPU_SLOWDOWN = 4;
const REPETITIONS = 3;
const PAUSE_MS = 250;

/** Runs in the page: records the milliseconds from each interaction to the next paint. */
const RECORD_DURATIONS = `
  window.durations = new Map();
  new PerformanceObserver((list) => list.getEntries().forEach(({ interactionId: id, duration }) => {
    if (id) durations.set(id, Math.max(duration, durations.get(id) ?? 0));
  })).observe({ type: 'event', buffered: true, durationThreshold: 16 });
`;

interface Journey {
  name: string;
  address: string;
  /** Visible when the page is loaded. */
  ready: string;
  actions: ((page: Page) => Promise<unknown>)[];
}

const press =
  (...keys: string[]) =>
  async ({ keyboard }: Page): Promise<void> => {
    for (const key of keys) {
      await keyboard.press(key);
      await wait(PAUSE_MS);
    }
  };

const click = (selector: string) => (page: Page) =>
  page.locator(selector).locator('visible=true').first().click();

const pressButton = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).locator('visible=true').first().click();

const journeys: Journey[] = [
  {
    name: `A conversation of ${LIBRARY.turns} turns: sources, the pane, the next question`,
    address: '/search?entry=',
    ready: '[data-answer]',
    actions: [
      press('1', 'Escape', 'Escape'),
      click('button[aria-label^="Source 1:"]'),
      press('Escape', 'Escape'),
      click('[data-search-input]'),
      press(...'And the rent'),
      press('Enter'),
      (page) => page.mouse.wheel(0, -4000),
    ],
  },
  {
    name: 'Files: selecting, the menu, words, filters, the next page',
    address: '/allfiles?size=200',
    ready: 'tr[data-file]',
    actions: [
      click('input[aria-label="Select all files on this page"]'),
      pressButton('Clear'),
      click('button[aria-label^="Options for"]'),
      press('Escape'),
      click('[data-search-input]'),
      press(...'report'),
      pressButton('Next'),
      (page) => page.getByRole('combobox', { name: 'Type' }).selectOption('pdf'),
    ],
  },
  {
    name: 'The palette: opening it, words, the arrows',
    address: '/allfiles',
    ready: 'tr[data-file]',
    actions: [press('Control+k'), press(...'invoice'), press('ArrowDown', 'ArrowDown', 'Escape')],
  },
  {
    name: 'The history: words, an entry, its star',
    address: '/history',
    ready: 'li[data-key]',
    actions: [
      click('input[type=search]'),
      press(...'deposit'),
      click('li[data-key] button'),
      pressButton('Save'),
    ],
  },
];

async function measure(page: Page, engram: Engram, journey: Journey, address: string) {
  await page.goto(engram.url + address, { waitUntil: 'networkidle' });
  await page.locator(journey.ready).first().waitFor();
  await wait(1000);
  for (const action of journey.actions) {
    await action(page);
    await wait(PAUSE_MS);
  }
  await wait(1500);
  return page.evaluate<number[]>('[...durations.values()]');
}

/** The time from an interaction to the next paint, on a slow processor and in a large account. */
export async function run(): Promise<Table[]> {
  await using browser = await openBrowser();
  await using dataDir = await mkdtempDisposable(join(tmpdir(), 'engram-bench-'));
  const conversation = await fillLists(dataDir.path, EMAIL, LIBRARY);
  await using engram = await startServer({ ENGRAM_DATA_DIR: dataDir.path });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await signInBrowser(context, engram);
  const rows = [];
  for (const journey of journeys) {
    const all: number[] = [];
    for (let n = 0; n < REPETITIONS; n += 1) {
      const page = await context.newPage();
      await page.addInitScript({ content: RECORD_DURATIONS });
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
      const address = journey.address.replace(/=$/u, `=${conversation}`);
      all.push(...(await measure(page, engram, journey, address)));
      await page.close();
    }
    rows.push({
      journey: journey.name,
      interactions: all.length,
      medianMs: Math.round(percentile(all, 0.5)),
      p95Ms: Math.round(percentile(all, 0.95)),
      worstMs: Math.round(Math.max(0, ...all)),
    });
  }
  return [
    { title: `From an interaction to the next paint, processor ${CPU_SLOWDOWN} × slower`, rows },
  ];
}
