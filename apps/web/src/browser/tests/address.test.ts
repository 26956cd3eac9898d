import { afterEach, expect, test } from 'vitest';
import { repairAddress } from '../address.ts';

afterEach(() => window.history.replaceState(null, '', '/'));

test.each([
  ['/blog/ann/%E0%A4%A?a=%C3%BC#top', '/blog/ann/%25E0%25A4%25A?a=%C3%BC#top'],
  ['/blog/ann/100%', '/blog/ann/100%25'],
  ['/blog/ann/%C3%BCber', '/blog/ann/%C3%BCber'],
  ['/search?q=100%', '/search?q=100%'],
])('%s is opened as %s', (given, opened) => {
  window.history.replaceState({ kept: true }, '', given);
  repairAddress();
  const { pathname, search, hash } = window.location;
  expect(`${pathname}${search}${hash}`).toBe(opened);
  expect(window.history.state).toEqual({ kept: true });
});
