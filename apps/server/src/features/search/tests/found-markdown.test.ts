import { foundMarkdown } from '@engram/retrieval';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';

/** Text that has a meaning in Markdown. */
const MARKUP =
  '[1]¦[x](¦](y)¦![¦<b>¦</p>¦<!--¦`¦```¦~~~¦|¦*¦**¦_¦\\¦# ¦## ¦- ¦+ ¦1. ¦2) ¦> ¦---¦===¦    ¦&amp;¦&#42;¦\n¦\n\n¦\t¦\r¦\u2028¦[^1]: ¦[a]: http://e.example¦http://e.example¦www.e.example¦a@b.example¦javascript:alert(1)¦word¦ '.split(
    '¦',
  );

const hostile = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(...MARKUP),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));
const reader = new MarkdownIt({ html: true, linkify: true });

test('the text of a file in a found answer never becomes markup, a link, a heading, a list or a citation', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (text, name, newer) => {
      fc.pre([text, name, newer].every((input) => /[\p{L}\p{N}]/u.test(input)));
      const markdown = foundMarkdown([{ n: 1, fileName: name, location: '', text, newer }]);
      expect(markdown.match(/(?<!\\)\[\d+\]/gu)?.at(-1)).toBe('[1]');
      const outside = markdown.replace(/\\[!-/:-@[-`{-~]|`[^`]*`/gu, ' ');
      expect(outside.match(/\[[^\]]*\]/gu)).toEqual(['[1]']);
      const blocks = reader.parse(markdown, {});
      const types = blocks.flatMap(({ type, children }) => [
        type,
        ...(children ?? []).map((child) => child.type),
      ]);
      const plain =
        /^(?:text|text_special|inline|code_inline|hardbreak|softbreak|strong_(?:open|close)|(?:paragraph|blockquote)_(?:open|close))$/u;
      expect(types.filter((type) => !plain.test(type))).toEqual([]);
      // Otherwise a line of the file would look like a part of the answer.
      expect(types.filter((type) => type === 'blockquote_open')).toHaveLength(1);
      expect(types.filter((type) => type === 'strong_open').length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});
