import { describe, expect, it } from 'vitest';
import {
  dayOf,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatLongDate,
  formatMegabytes,
  formatTime,
  shortenMiddle,
} from '../format.ts';

const zone = 'America/Los_Angeles';

describe('dates', () => {
  it.each([
    ['2026-11-03T17:05:00Z', 'Nov 3, 2026 09:05 AM'],
    ['2026-07-01T07:00:00Z', 'Jul 1, 2026 12:00 AM'],
    ['2026-07-01T19:30:00Z', 'Jul 1, 2026 12:30 PM'],
  ])('%s is %s', (date, text) => expect(formatDateTime(date, zone)).toBe(text));

  it('are shown in the server’s zone', () => {
    expect(formatTime('2026-11-20T17:52:00Z', zone, 'PST')).toBe('9:52 AM PST');
    expect(formatLongDate('2026-11-21T03:00:00Z', zone)).toBe('Friday, November 20, 2026');
    expect(dayOf('2026-11-21T03:00:00Z', zone)).toBe('2026-11-20');
  });
});

describe('sizes', () => {
  it.each([
    [0, '0.00'],
    [1, '< 0.01'],
    [3 * 1024, '< 0.01'],
    [8 * 1024, '0.01'],
    [1_843_221, '1.76'],
  ])('%d bytes are %s MB', (bytes, text) => expect(formatMegabytes(bytes)).toBe(text));

  it.each([
    [12, '12 B'],
    [1000, '1 KB'],
    [50_000, '49 KB'],
    [1_048_575, '1023 KB'],
    [3_500_000, '3.3 MB'],
    [2_147_483_648, '2.0 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

it('cuts long names in the middle, without splitting a letter', () => {
  expect(shortenMiddle('short.pdf')).toBe('short.pdf');
  const cut = shortenMiddle('A quarterly report of the working group (2).pdf', 30);
  expect([...cut].length).toBeLessThanOrEqual(30);
  expect(cut).toMatch(/^A quarterly report.*…\(2\)\.pdf$|^A quarterly.*….*\.pdf$/u);
  expect(shortenMiddle('😀'.repeat(50), 10).isWellFormed()).toBe(true);
});

it.each([
  [0, '0:00'],
  [252_400, '4:12'],
  [3_852_000, '1:04:12'],
])('%d ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
