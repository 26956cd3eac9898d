import { describe, expect, test } from 'vitest';
import { count, duration, hostOf, interval, size, splitPath, webLink } from '../browser/format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [3_100_000_000, '3.1 GB'],
  [48_000_000_000_000, '48 TB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

test.each([
  [0, 'less than a minute'],
  [60, 'about 1 minute'],
  [380, 'about 6 minutes'],
  [3600, 'about 1 hour'],
  [86_400 * 3, 'about 3 days'],
])('%i seconds are shown as "%s"', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test.each([
  [1, 'Every minute'],
  [5, 'Every 5 minutes'],
  [60, 'Every hour'],
  [90, 'Every 90 minutes'],
  [360, 'Every 6 hours'],
  [1440, 'Every day'],
])('an interval of %i minutes is shown as "%s"', (minutes, text) => {
  expect(interval(minutes * 60_000)).toBe(text);
});

test('a count is shown with its noun in the singular or plural', () => {
  expect([count(1, 'file'), count(1204, 'file')]).toEqual(['1 file', '1,204 files']);
});

describe('values that users and servers provide', () => {
  test('a path is split before its last name', () => {
    expect(splitPath('/home/mara/Work')).toEqual(['/home/mara', '/Work']);
    expect(splitPath(String.raw`C:\Users\Mara`)).toEqual([String.raw`C:\Users`, String.raw`\Mara`]);
    expect(splitPath('/')).toEqual(['', '/']);
  });

  test('only web addresses become links', () => {
    expect(webLink('https://engram.example.org')).toBe('https://engram.example.org');
    expect(webLink('javascript:alert(1)')).toBeUndefined();
  });

  test('a server is shown by its host', () => {
    expect(hostOf('https://engram.example.org:8443/a')).toBe('engram.example.org:8443');
    expect([hostOf('nonsense'), hostOf(null)]).toEqual(['nonsense', null]);
  });
});
