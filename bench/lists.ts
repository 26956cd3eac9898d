import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { Engram } from '../tests/e2e/engram.ts';
import { fillLists } from './fill-lists.ts';
import {
  EMAIL,
  openBrowser,
  percentile,
  round,
  signIn,
  signInBrowser,
  startServer,
  type Table,
} from './setup.ts';

const LISTS = { files: 10_000, questions: 10_000, people: 10_000 };
const CALLS = 40;
const WARM_UP = 10;
const LOADS = 5;

/** One page of a list each. */
const calls = [
  '/artifacts?limit=10&offset=0',
  '/artifacts?limit=10&archived=false',
  '/artifacts?limit=10&archived=false&offset=9490',
  '/artifacts?limit=10&offset=5000',
  ...['created', 'name', '-name', 'size', '-size'].map(
    (sort) => `/artifacts?limit=10&offset=0&sort=${sort}`,
  ),
  '/artifacts?limit=10&offset=9990&sort=name',
  '/artifacts?limit=10&q=report',
  '/artifacts?limit=10&q=nothing%20of%20that%20name',
  '/artifacts?limit=10&archived=true',
  '/artifacts?limit=10&keyword=Finance',
  '/artifacts?limit=10&q=a&archived=false&keyword=Finance&sort=name',
  '/artifacts?limit=400&archived=false&offset=0',
  '/artifacts?limit=400&archived=false&offset=9200',
  '/artifacts?limit=1000',
  '/search/history/all?limit=50',
  '/search/history/all?limit=50&brief=true',
  '/search/history/all?limit=50&brief=true&q=deposit',
  '/search/history/threads?limit=50',
  '/search/history/threads?limit=50&q=deposit',
  '/user/profile/emails?limit=50',
  '/user/profile/emails?limit=50&q=person99',
  '/admin/users?limit=50',
  '/admin/users?limit=50&q=person99',
];

/** All rows at once, as clients without parameters get them. */
const unpagedCalls = ['/artifacts', '/search/history/all', '/user/profile/emails'];

async function timeCall(url: string, token: string, times: number) {
  const ms: number[] = [];
  let bytes = 0;
  for (let n = 0; n < times; n += 1) {
    const begin = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.text();
    ms.push(performance.now() - begin);
    if (!response.ok) throw new Error(`${url} returned ${response.status}: ${body}`);
    bytes = body.length;
  }
  return { ms, bytes };
}

async function timeCalls(engram: Engram, token: string): Promise<object[]> {
  const rows: object[] = [];
  for (const call of [...calls, ...unpagedCalls]) {
    const url = `${engram.url}/v1${call}`;
    const isUnpaged = unpagedCalls.includes(call);
    if (!isUnpaged) await timeCall(url, token, WARM_UP);
    const { ms, bytes } = await timeCall(url, token, isUnpaged ? 3 : CALLS);
    rows.push({
      call,
      medianMs: percentile(ms, 0.5),
      p95Ms: percentile(ms, 0.95),
      kb: round(bytes / 1000),
    });
  }
  return rows;
}

/** Runs in the page before its own scripts: notes when the first row appears, and long tasks. */
const WATCH_ROWS = `
  window.noted = { rows: NaN, tasks: [], events: [] };
  new MutationObserver((_, observer) => {
    if (!document.querySelector('tr[data-file], li[data-key]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { noted.rows = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
  const watch = (type, note, more) => new PerformanceObserver((list) => list.getEntries().forEach(note))
    .observe({ type, buffered: true, ...more });
  watch('longtask', ({ duration }) => noted.tasks.push(duration));
  watch('event', ({ duration, interactionId }) => interactionId && noted.events.push(duration),
    { durationThreshold: 16 });
`;

interface Noted {
  rows: number;
  tasks: number[];
  events: number[];
}

const worst = (values: number[]): number => Math.round(Math.max(0, ...values));

async function timePage(browser: Browser, engram: Engram, address: string) {
  const first: number[] = [];
  const busy: number[] = [];
  const tasks: number[] = [];
  const events: number[] = [];
  for (let n = 0; n < LOADS; n += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(context, engram);
    const page = await context.newPage();
    await page.addInitScript({ content: WATCH_ROWS });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(engram.url + address, { waitUntil: 'networkidle' });
    await page.locator('tr[data-file], li[data-key]').first().waitFor();
    const { metrics } = await devtools.send('Performance.getMetrics');
    busy.push(1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN));
    const select = page.getByRole('checkbox', { name: 'Select all files on this page' });
    if (await select.isVisible()) {
      await select.click();
      await page
        .getByRole('checkbox', { name: /^Select .*pdf$/u })
        .first()
        .click();
      await page
        .getByRole('button', { name: /^Options for/u })
        .first()
        .click();
      await page.keyboard.press('Escape');
      for (let screen = 0; screen < 30; screen += 1) await page.mouse.wheel(0, 900);
      await wait(300);
    }
    const noted = await page.evaluate<Noted>('noted');
    first.push(noted.rows);
    tasks.push(...noted.tasks);
    events.push(...noted.events);
    await context.close();
  }
  return {
    page: address,
    firstRowsMs: Math.round(percentile(first, 0.5)),
    // Processor time of the main thread until the page is idle.
    mainThreadMs: Math.round(percentile(busy, 0.5)),
    longestTaskMs: worst(tasks),
    // From selecting files, opening a menu or scrolling to the next paint.
    worstInteractionMs: worst(events),
  };
}

/** The lists of an account with 10,000 files and questions, on a server with 10,000 accounts. */
export async function run(): Promise<Table[]> {
  const browser = await openBrowser();
  const dataDir = await mkdtemp(join(tmpdir(), 'engram-bench-'));
  try {
    await fillLists(dataDir, EMAIL, LISTS);
    const engram = await startServer({ ENGRAM_DATA_DIR: dataDir, ENGRAM_ADMIN_EMAILS: EMAIL });
    try {
      const { token } = await signIn(engram);
      const callRows = await timeCalls(engram, token);
      const pageRows = [];
      for (const address of ['/allfiles', '/allfiles?size=400', '/allfiles?page=950', '/history']) {
        pageRows.push(await timePage(browser, engram, address));
      }
      return [
        { title: 'A call for a list, milliseconds', rows: callRows },
        { title: 'Opening and using a page, medians', rows: pageRows },
      ];
    } finally {
      await engram.close();
    }
  } finally {
    await browser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
