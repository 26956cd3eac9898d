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
])('%i bytes are %s', (bytes, said) => {
  expect(size(bytes)).toBe(said);
});

test.each([
  [0, 'less than a minute'],
  [60, 'about 1 minute'],
  [380, 'about 6 minutes'],
  [3600, 'about 1 hour'],
  [86_400 * 3, 'about 3 days'],
])('%i seconds are %s', (seconds, said) => {
  expect(duration(seconds)).toBe(said);
});

test.each([
  [1, 'Every minute'],
  [5, 'Every 5 minutes'],
  [60, 'Every hour'],
  [90, 'Every 90 minutes'],
  [360, 'Every 6 hours'],
  [1440, 'Every day'],
])('%i minutes: %s', (minutes, said) => {
  expect(interval(minutes * 60_000)).toBe(said);
});

test('a count has its noun', () => {
  expect([count(1, 'file'), count(1204, 'file')]).toEqual(['1 file', '1,204 files']);
});

describe('what comes from elsewhere', () => {
  test('a path is split before its end', () => {
    expect(splitPath('/home/mara/Work')).toEqual(['/home/mara', '/Work']);
    expect(splitPath(String.raw`C:\Users\Mara`)).toEqual([String.raw`C:\Users`, String.raw`\Mara`]);
    expect(splitPath('/')).toEqual(['', '/']);
  });

  test('only addresses of pages are followed', () => {
    expect(webLink('https://engram.example.org')).toBe('https://engram.example.org');
    expect(webLink('javascript:alert(1)')).toBeUndefined();
  });

  test('a server is called by its host', () => {
    expect(hostOf('https://engram.example.org:8443/a')).toBe('engram.example.org:8443');
    expect([hostOf('nonsense'), hostOf(null)]).toEqual(['nonsense', null]);
  });
});
