import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Engram } from '../tests/e2e/engram.ts';
import {
  openBrowser,
  percentile,
  round,
  signIn,
  signInBrowser,
  startServer,
  type Table,
} from './setup.ts';

/** The devices and networks of Lighthouse's presets. */
const presets = [
  {
    preset: 'desktop',
    viewport: { width: 1350, height: 940 },
    isMobile: false,
    deviceScaleFactor: 1,
    cpuSlowdown: 1,
    latencyMs: 40,
    bytesPerSecond: (10_240 * 1024) / 8,
  },
  {
    preset: 'mobile',
    viewport: { width: 412, height: 823 },
    isMobile: true,
    deviceScaleFactor: 1.75,
    cpuSlowdown: 4,
    latencyMs: 150,
    bytesPerSecond: (1638.4 * 1024) / 8,
  },
];

const pages = [
  { page: '/home', signedIn: false },
  { page: '/', signedIn: false },
  { page: '/search', signedIn: true },
];

const RUNS = 5;

async function throttle(session: CDPSession, preset: (typeof presets)[number]): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: preset.latencyMs,
    downloadThroughput: preset.bytesPerSecond,
    uploadThroughput: preset.bytesPerSecond / 2,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: preset.cpuSlowdown });
}

function countBytes(session: CDPSession) {
  const scripts = new Set<string>();
  const count = { requests: 0, bytes: 0, scriptBytes: 0 };
  session.on('Network.requestWillBeSent', () => {
    count.requests += 1;
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('javascript')) scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    count.bytes += encodedDataLength;
    if (scripts.has(requestId)) count.scriptBytes += encodedDataLength;
  });
  return count;
}

/** Runs in the page before its own scripts: records paints, long tasks and layout shifts. */
const RECORD_METRICS = `
  window.measured = { fcp: NaN, lcp: NaN, tasks: [], cls: 0 };
  const fcp = Promise.withResolvers();
  const lcp = Promise.withResolvers();
  window.painted = Promise.all([fcp.promise, lcp.promise]).then(() => {});
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name !== 'first-contentful-paint') return;
    measured.fcp = startTime;
    fcp.resolve();
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    measured.lcp = startTime;
    lcp.resolve();
  });
  watch('longtask', ({ startTime, duration }) => measured.tasks.push({ start: startTime, ms: duration }));
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) measured.cls += value;
  });
`;

interface Measured {
  fcp: number;
  lcp: number;
  cls: number;
  tasks: { start: number; ms: number }[];
}

/** First and largest contentful paint, total blocking time and layout shift so far. */
async function metricsOf(page: Page) {
  await page.evaluate('painted');
  const { fcp, lcp, cls, tasks } = await page.evaluate<Measured>('measured');
  // The time of a task after the first paint and beyond 50 ms is blocking.
  const blocking = tasks.map(({ start, ms }) =>
    Math.max(0, start + ms - Math.max(start, fcp) - 50),
  );
  return { fcp, lcp, tbt: blocking.reduce((sum, ms) => sum + ms, 0), cls };
}

async function load(
  browser: Browser,
  engram: Engram,
  { page: address, signedIn }: (typeof pages)[number],
  preset: (typeof presets)[number],
) {
  const { viewport, isMobile, deviceScaleFactor } = preset;
  await using context = await browser.newContext({ viewport, isMobile, deviceScaleFactor });
  if (signedIn) await signInBrowser(context, engram);
  const page = await context.newPage();
  await page.addInitScript({ content: RECORD_METRICS });
  const session = await context.newCDPSession(page);
  await throttle(session, preset);
  const count = countBytes(session);
  await page.goto(engram.url + address, { waitUntil: 'networkidle' });
  const { requests, scriptBytes, bytes } = count;
  const metrics = await metricsOf(page);
  return { ...metrics, requests, scriptKb: scriptBytes / 1000, kb: bytes / 1000 };
}

/** Measures first loads of pages in a real browser with an empty cache. */
export async function run(): Promise<Table[]> {
  await using browser = await openBrowser();
  await using engram = await startServer();
  // Signing in accepts the terms, which would cover the page.
  await signIn(engram);
  const rows: object[] = [];
  for (const preset of presets) {
    for (const page of pages) {
      const loads: Awaited<ReturnType<typeof load>>[] = [];
      for (let n = 0; n < RUNS; n += 1) loads.push(await load(browser, engram, page, preset));
      const median = (name: keyof (typeof loads)[number]): number =>
        percentile(
          loads.map((loaded) => loaded[name]),
          0.5,
        );
      rows.push({
        page: page.page,
        preset: preset.preset,
        fcp: Math.round(median('fcp')),
        lcp: Math.round(median('lcp')),
        tbt: Math.round(median('tbt')),
        cls: round(median('cls')),
        requests: median('requests'),
        scriptKb: median('scriptKb'),
        kb: median('kb'),
      });
    }
  }
  return [{ title: `First load of a page, milliseconds; medians of ${RUNS}`, rows }];
}
