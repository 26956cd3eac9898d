import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf } from '../excerpt.ts';

const at = (text: string, quote: string) => {
  const start = text.indexOf(quote);
  return { quote, start, end: start + quote.length };
};

test('a quote stands with what is around it, up to the paragraph', () => {
  const text = 'Contents\n\n§ 14 Notice. Either party\nmay end it, in writing.\n\n§ 15 Deposit.';
  expect(excerptOf(text, at(text, 'Either party\nmay end it'))).toEqual({
    before: '§ 14 Notice. ',
    quote: 'Either party may end it',
    after: ', in writing.',
  });
});

test('in a table the surroundings are the row', () => {
  const text = 'Item: Rent · Amount: 1,170\nItem: Deposit · Amount: 2,340 · Paid\nItem: Rent';
  expect(excerptOf(text, at(text, '2,340'), { inTable: true })).toEqual({
    before: 'Item: Deposit · Amount: ',
    quote: '2,340',
    after: ' · Paid',
  });
});

test('long surroundings are cut between words', () => {
  const text = `${'before '.repeat(40)}QUOTE${' after'.repeat(60)}`;
  const { before, after } = excerptOf(text, at(text, 'QUOTE'));
  expect(before).toMatch(/^… (before )+$/u);
  expect(after).toMatch(/^( after)+ …$/u);
});

test('a text that has changed since shows the quote alone', () => {
  expect(excerptOf('something else', { quote: 'QUOTE', start: 3, end: 8 })).toEqual({
    before: '',
    quote: 'QUOTE',
    after: '',
  });
  expect(excerptOf(undefined, { quote: 'QUOTE', start: 3, end: 8 }).quote).toBe('QUOTE');
});

test('the quote is always whole, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, quote, after) => {
      const start = before.length;
      const excerpt = excerptOf(before + quote + after, {
        quote,
        start,
        end: start + quote.length,
      });
      expect(excerpt.quote).toBe(quote.replace(/\s+/gu, ' '));
    }),
  );
});
