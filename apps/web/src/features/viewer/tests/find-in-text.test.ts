import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findInText, foldText, MAX_MATCHES } from '../find-in-text.ts';

const found = (text: string, words: string): string[] =>
  findInText(foldText(text), words).map(([start, end]) => text.slice(start, end));

test('case, accents and line breaks make no difference, and parts of words count', () => {
  expect(found('Die Kündigung.\nDIE KUNDIGUNG', 'kündig')).toEqual(['Kündig', 'KUNDIG']);
  expect(found('three\n  months’ notice', 'three months')).toEqual(['three\n  months']);
  expect(found('解約予告は三か月前', '予告')).toEqual(['予告']);
  expect(found('A lease', ' ')).toEqual([]);
});

test('a ligature is found by each of its letters', () => {
  expect(found('a ﬁne oﬃce', 'f')).toEqual(['ﬁ', 'ﬃ']);
  expect(found('a ﬁne oﬃce', 'off')).toEqual(['oﬃ']);
  expect(found('a ﬁne oﬃce', 'ice')).toEqual(['ﬃce']);
});

test('the number of hits is limited', () => {
  expect(found('a '.repeat(2 * MAX_MATCHES), 'a')).toHaveLength(MAX_MATCHES);
});

test('each hit has the text that was searched for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, words) => {
      const expected = foldText(words.trim()).letters;
      for (const hit of found(text, words)) {
        expect(foldText(hit).letters).toContain(expected.trim());
      }
    }),
  );
  fc.assert(
    fc.property(fc.lorem(), fc.nat(), fc.integer({ min: 1, max: 12 }), (text, from, length) => {
      const start = from % text.length;
      const words = text.slice(start, start + length).trim();
      fc.pre(words !== '');
      expect(found(text.toUpperCase(), words).length).toBeGreaterThan(0);
    }),
  );
});
