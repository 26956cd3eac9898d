import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as browser from '../browser.ts';
import { email, keyword } from '../values.ts';

const reasonOf = (schema: typeof email | typeof keyword, typed: string): string | null =>
  schema.safeParse(typed).error?.issues[0]?.message ?? null;

const similarTo = (parts: string[]) =>
  fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 12,
  });

test('the browser validates addresses as the server does', () => {
  const typed = similarTo(['ann', '@', '.', 'example.com', ' ', '<', '\n', 'x'.repeat(250)]);
  fc.assert(
    fc.property(typed, (parts) => {
      const text = parts.join('');
      expect(browser.refuseEmail(text)).toBe(reasonOf(email, text));
    }),
  );
  expect(browser.refuseEmail(' ann@example.com ')).toBeNull();
});

test('the browser validates keywords as the server does', () => {
  fc.assert(
    fc.property(similarTo(['Miete', '7', ' ', '-', '東京', 'x'.repeat(24)]), (parts) => {
      const text = parts.join('');
      expect(browser.refuseKeyword(text)).toBe(reasonOf(keyword, text));
    }),
  );
  expect(browser.refuseKeyword('Miete')).toBeNull();
});
