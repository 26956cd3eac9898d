import { expect, test } from 'vitest';
import { superLinear } from '../patterns.ts';

test.each([
  ['groups of digits that can be split anywhere', /(?:\(?\d{2,}\)?[\s./-]?){2,}\d{2,}x/u],
  ['white space before an end', /\s+$/u],
  ['two repetitions of the same', /^\w+\d*!/u],
  ['a bracket that never closes', /\[[^\]]*\]/u],
  ['an address without its sign', /[^\s@]+@[^\s@]+/u],
  ['a lookahead over all that follows', /<(?=.*>)/gu],
  ['one of sets', /[\p{L}--[a-z]]+x/v],
])('is not linear: %s', (_, pattern) => {
  expect(superLinear(pattern)).toBeDefined();
});

test.each([
  ['a word', /\p{L}+/gu],
  ['white space before an end, from its start', /(?<!\s)\s+$/u],
  ['a bracket that closes before another opens', /\[[^[\]]*\]/gu],
  ['one at the start', /^\s*(?:\d+[.)]|[-*])\s+/u],
  ['a bounded repetition', /"[^"]{2,100}"/gu],
])('is linear: %s', (_, pattern) => {
  expect(superLinear(pattern)).toBeUndefined();
});
