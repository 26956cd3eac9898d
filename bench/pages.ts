import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type CDPSession } from 'playwright-core';
import { createClient } from '@engram/client';
import { updateProfile } from '@engram/contract';
import { findChromium } from '../scripts/chromium.ts';
import { ensureWebBuild } from '../scripts/web-build.ts';
import { type Engram, signIn, startEngram } from '../tests/e2e/engram.ts';
import { metricsOf, scoreOf, WATCH_PAGE, type PageMetrics } from './page-metrics.ts';

/** The first load of a page by somebody who has never been there; medians. */
export interface PageRow extends PageMetrics {
  page: string;
  preset: string;
  /** The weighted score of the metrics, 0 to 100. */
  score: number;
  requests: number;
  /** Bytes of scripts as they travelled, until the page was idle. */
  scriptKb: number;
  /** All bytes as they travelled, until then. */
  kb: number;
}

interface Preset {
  name: 'desktop' | 'mobile';
  viewport: { width: number; height: number };
  isMobile: boolean;
  deviceScaleFactor: number;
  /** How many times slower the processor is than this machine's. */
  cpu: number;
  latencyMs: number;
  bytesPerSecond: number;
}

/** Machine and line as Lighthouse's presets take them for its observed throttling. */
const presets: Preset[] = [
  {
    name: 'desktop',
    viewport: { width: 1350, height: 940 },
    isMobile: false,
    deviceScaleFactor: 1,
    cpu: 1,
    latencyMs: 40,
    bytesPerSecond: (10_240 * 1024) / 8,
  },
  {
    name: 'mobile',
    viewport: { width: 412, height: 823 },
    isMobile: true,
    deviceScaleFactor: 1.75,
    cpu: 4,
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
const EMAIL = 'bench@example.org';

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function throttle(session: CDPSession, preset: Preset): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: preset.latencyMs,
    downloadThroughput: preset.bytesPerSecond,
    uploadThroughput: preset.bytesPerSecond / 2,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: preset.cpu });
}

/** Counts what travels, script by script. */
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

/** Signs in and keeps the cookie alone, which brings the session back when the page loads. */
async function startSession(context: BrowserContext, engram: Engram): Promise<void> {
  await context.request.post(`${engram.url}/v1/auth/otp/generate`, { data: { email: EMAIL } });
  const code = await engram.codeFor(EMAIL);
  await context.request.post(`${engram.url}/v1/auth/otp/validate`, {
    data: { email: EMAIL, code },
  });
}

async function load(
  browser: Browser,
  engram: Engram,
  { page: address, signedIn }: (typeof pages)[number],
  preset: Preset,
): Promise<Omit<PageRow, 'page' | 'preset' | 'score'>> {
  const { viewport, isMobile, deviceScaleFactor } = preset;
  const context = await browser.newContext({ viewport, isMobile, deviceScaleFactor });
  try {
    if (signedIn) await startSession(context, engram);
    const page = await context.newPage();
    await page.addInitScript({ content: WATCH_PAGE });
    const session = await context.newCDPSession(page);
    await throttle(session, preset);
    const count = countBytes(session);
    await page.goto(engram.url + address, { waitUntil: 'networkidle' });
    const metrics = await metricsOf(page);
    const toKb = (bytes: number): number => Math.round(bytes / 100) / 10;
    return {
      ...metrics,
      requests: count.requests,
      scriptKb: toKb(count.scriptBytes),
      kb: toKb(count.bytes),
    };
  } finally {
    await context.close();
  }
}

/** Somebody who has accepted the terms, so that nothing stands before the page. */
async function addPerson(engram: Engram): Promise<void> {
  const token = await signIn(engram, EMAIL);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
}

/** Loads each page some times in a real browser, on the real server, with an empty cache. */
export async function run(): Promise<{ title: string; rows: PageRow[] }> {
  const executablePath = findChromium();
  if (!executablePath || !existsSync(executablePath)) throw new Error('There is no Chromium here.');
  await ensureWebBuild();
  const engram = await startEngram({ ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off' });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    await addPerson(engram);
    const rows: PageRow[] = [];
    for (const preset of presets) {
      for (const one of pages) {
        const loads: Awaited<ReturnType<typeof load>>[] = [];
        for (let n = 0; n < RUNS; n += 1) loads.push(await load(browser, engram, one, preset));
        const of = (name: keyof (typeof loads)[number]): number =>
          median(loads.map((each) => each[name]));
        const metrics = { fcp: of('fcp'), lcp: of('lcp'), tbt: of('tbt'), cls: of('cls') };
        rows.push({
          page: one.page,
          preset: preset.name,
          score: scoreOf(metrics, preset.name),
          ...metrics,
          requests: of('requests'),
          scriptKb: of('scriptKb'),
          kb: of('kb'),
        });
      }
    }
    return { title: 'First load of a page, milliseconds; medians of five', rows };
  } finally {
    await browser.close();
    await engram.close();
  }
}
