import type { Page } from 'playwright-core';

/** What a load felt like, in milliseconds but for the layout shift. */
export interface PageMetrics {
  /** First and largest contentful paint. */
  fcp: number;
  lcp: number;
  /** Total blocking time: what tasks took beyond 50 ms, after the first paint. */
  tbt: number;
  /** Cumulative layout shift: the worst session window. */
  cls: number;
}

interface Noted {
  fcp: number;
  lcp: number;
  tasks: { start: number; ms: number }[];
  shifts: { at: number; value: number }[];
}

/** Runs in the page before anything of it does: notes paints, long tasks and shifts. */
export const WATCH_PAGE = `
  window.noted = { fcp: NaN, lcp: NaN, tasks: [], shifts: [] };
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.fcp = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    noted.lcp = startTime;
  });
  watch('longtask', ({ startTime, duration }) => noted.tasks.push({ start: startTime, ms: duration }));
  watch('layout-shift', ({ startTime, value, hadRecentInput }) => {
    if (!hadRecentInput) noted.shifts.push({ at: startTime, value });
  });
`;

/** The largest sum of shifts in a window of at most five seconds without a pause of one. */
function worstWindow(shifts: { at: number; value: number }[]): number {
  let worst = 0;
  let sum = 0;
  let first = -Infinity;
  let last = -Infinity;
  for (const { at, value } of shifts) {
    const goesOn = at - last < 1000 && at - first < 5000;
    sum = goesOn ? sum + value : value;
    if (!goesOn) first = at;
    last = at;
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** What was noted until now. */
export async function metricsOf(page: Page): Promise<PageMetrics> {
  const { fcp, lcp, tasks, shifts } = await page.evaluate<Noted>('noted');
  const blocking = tasks.map(({ start, ms }) => {
    const begin = Math.max(start, fcp);
    return Math.max(0, start + ms - begin - 50);
  });
  return {
    fcp: Math.round(fcp),
    lcp: Math.round(lcp),
    tbt: Math.round(blocking.reduce((sum, ms) => sum + ms, 0)),
    cls: Math.round(worstWindow(shifts) * 1000) / 1000,
  };
}

/**
 * Where Lighthouse's score of a metric is .5 and .9, and what the metric weighs; its Speed Index, a
 * tenth of the whole, needs a film of the load and is left out.
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/scoring.md
 */
const curves = {
  desktop: {
    fcp: { median: 1600, p10: 934, weight: 10 },
    lcp: { median: 2400, p10: 1200, weight: 25 },
    tbt: { median: 350, p10: 150, weight: 30 },
    cls: { median: 0.25, p10: 0.1, weight: 25 },
  },
  mobile: {
    fcp: { median: 3000, p10: 1800, weight: 10 },
    lcp: { median: 4000, p10: 2500, weight: 25 },
    tbt: { median: 600, p10: 200, weight: 30 },
    cls: { median: 0.25, p10: 0.1, weight: 25 },
  },
} as const;

/** The error function (Abramowitz and Stegun 7.1.26), right to seven places. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const [a, b, c, d, e] = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const value = 1 - t * (a + t * (b + t * (c + t * (d + t * e)))) * Math.exp(-x * x);
  return x < 0 ? -value : value;
}

/** How good a value is, 0 to 1: one minus the log-normal distribution through median and p10. */
export function logNormalScore(value: number, { median, p10 }: { median: number; p10: number }) {
  if (value <= 0) return 1;
  // erfc(z) = 0.2 at z = 0.9061938024368232.
  const z = (Math.log(value / median) / Math.log(p10 / median)) * -0.9061938024368232;
  return Math.min(1, Math.max(0, (1 - erf(z)) / 2));
}

/** The weighted score of a load, 0 to 100. */
export function scoreOf(metrics: PageMetrics, preset: keyof typeof curves): number {
  let score = 0;
  let weights = 0;
  for (const name of ['fcp', 'lcp', 'tbt', 'cls'] as const) {
    const curve = curves[preset][name];
    score += logNormalScore(metrics[name], curve) * curve.weight;
    weights += curve.weight;
  }
  return Math.round((score / weights) * 100);
}
