import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../scripts/chromium.ts';
import { ensureWebBuild } from '../scripts/web-build.ts';
import { type Engram, signIn, startEngram } from '../tests/e2e/engram.ts';
import { percentile, round } from './figures.ts';
import { fillLists, type Lists } from './lists-library.ts';

const EMAIL = 'bench@example.org';
const LISTS: Lists = { files: 10_000, questions: 10_000, people: 10_000 };
const CALLS = 40;
const WARM_UP = 10;
const LOADS = 5;
/** From then on the gaps of the server's event loop are watched. */
const WATCHED_AFTER_MS = 5500;

/** One page of a list each, unless it says otherwise. */
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

/** All rows at once, as callers without parameters get them. */
const whole = ['/artifacts', '/search/history/all', '/user/profile/emails'];

interface CallRow {
  call: string;
  medianMs: number;
  p95Ms: number;
  kb: number;
  longestLoopGapMs: number;
  /** Of the processor, between two turns of the loop: what of a gap is not the machine's. */
  longestBusyMs: number;
}

/** The longest gap of the server's event loop up to now, and how long its thread was busy at most. */
async function longestGap(loopFile: string) {
  // They are written twice a second.
  await wait(600);
  const read = async (file: string): Promise<number> =>
    round(Number(await readFile(file, 'utf8').catch(() => '0')));
  return {
    longestLoopGapMs: await read(loopFile),
    longestBusyMs: await read(`${loopFile}.busy`),
  };
}

async function timeCall(url: string, token: string, times: number) {
  const ms: number[] = [];
  let bytes = 0;
  for (let n = 0; n < times; n += 1) {
    const begin = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.text();
    ms.push(performance.now() - begin);
    if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${body}`);
    bytes = body.length;
  }
  return { ms, bytes };
}

async function timeCalls(engram: Engram, token: string, loopFile: string): Promise<CallRow[]> {
  const rows: CallRow[] = [];
  const plans = [
    ...calls.map((call) => ({ call, times: CALLS, warmUp: WARM_UP })),
    ...whole.map((call) => ({ call, times: 3, warmUp: 0 })),
  ];
  for (const { call, times, warmUp } of plans) {
    const url = `${engram.url}/v1${call}`;
    await timeCall(url, token, warmUp);
    const { ms, bytes } = await timeCall(url, token, times);
    rows.push({
      call,
      medianMs: round(percentile(ms, 0.5)),
      p95Ms: round(percentile(ms, 0.95)),
      kb: round(bytes / 1000),
      ...(await longestGap(loopFile)),
    });
  }
  return rows;
}

/** Runs in the page before anything of it does: notes when the first row is there, and long tasks. */
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

interface PageRow {
  page: string;
  /** Median of some first loads. */
  firstRowsMs: number;
  /** Of the processor, the page's main thread took so much until everything was there; median. */
  mainThreadMs: number;
  longestTaskMs: number;
  /** From an interaction to the next paint: selecting files, a menu, scrolling to the end. */
  worstInteractionMs: number;
}

const worst = (values: number[]): number => Math.round(Math.max(0, ...values));

async function timePage(browser: Browser, engram: Engram, address: string): Promise<PageRow> {
  const first: number[] = [];
  const busy: number[] = [];
  const tasks: number[] = [];
  const events: number[] = [];
  for (let n = 0; n < LOADS; n += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.request.post(`${engram.url}/v1/auth/otp/generate`, { data: { email: EMAIL } });
    const code = await engram.codeFor(EMAIL);
    await context.request.post(`${engram.url}/v1/auth/otp/validate`, {
      data: { email: EMAIL, code },
    });
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
    mainThreadMs: Math.round(percentile(busy, 0.5)),
    longestTaskMs: worst(tasks),
    worstInteractionMs: worst(events),
  };
}

async function timePages(engram: Engram): Promise<PageRow[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium here.');
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const rows: PageRow[] = [];
    for (const address of ['/allfiles', '/allfiles?size=400', '/allfiles?page=950', '/history']) {
      rows.push(await timePage(browser, engram, address));
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** Each list where one account has 10,000 files and questions, and there are as many people. */
export async function run(): Promise<{ title: string; rows: readonly object[] }[]> {
  await ensureWebBuild();
  const folder = await mkdtemp(join(tmpdir(), 'engram-bench-'));
  const dataDir = join(folder, 'data');
  const loopFile = join(folder, 'loop');
  try {
    await fillLists(dataDir, EMAIL, LISTS);
    const engram = await startEngram({
      ENGRAM_DATA_DIR: dataDir,
      ENGRAM_ADMIN_EMAILS: EMAIL,
      ENGRAM_LLM: 'none',
      ENGRAM_RATE_LIMITS: 'off',
      ENGRAM_BENCH_LOOP_FILE: loopFile,
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'loop-watch.ts')).href}`,
    });
    try {
      const token = await signIn(engram, EMAIL);
      await wait(WATCHED_AFTER_MS);
      const rows = await timeCalls(engram, token, loopFile);
      const pages = await timePages(engram);
      return [
        { title: 'A call for a list, milliseconds; the gap is the longest up to then', rows },
        { title: 'A page opened, and worked with', rows: pages },
      ];
    } finally {
      await engram.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
