import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeMarkdown } from '../markdown.ts';

describe('escapeMarkdown', () => {
  test.each([
    ['plain words, 3.5 % of it (really)', 'plain words, 3.5 % of it (really)'],
    ['snake_case stays', 'snake_case stays'],
    ['a  line\nbreak', 'a line break'],
    ['[x](http://evil.example)', String.raw`\[x\](${'`http://evil.example)`'}`],
    ['![x](y)', String.raw`!\[x\](y)`],
    ['<img src=x>', String.raw`\<img src=x\>`],
    ['see [1]', String.raw`see \[1\]`],
    ['# a heading of Markdown', 'a heading of Markdown'],
    ['#1 of all', String.raw`\#1 of all`],
    ['- not an item', String.raw`\- not an item`],
    ['1. not a list', String.raw`1\. not a list`],
    ['mail a@b.org now', 'mail `a@b.org` now'],
    ['go to www.evil.example', 'go to `www.evil.example`'],
    ['_www.evil.example', '\\_`www.evil.example`'],
    ['&lt;b&gt;', String.raw`\&lt;b\&gt;`],
  ])('%s', (text, markdown) => {
    expect(escapeMarkdown(text)).toBe(markdown);
  });

  test('nothing unescaped can open a link, an image, HTML, code or a table cell', () => {
    const sign = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '`',
      '|',
      '*',
      '\\',
      '!',
      'a',
      ' ',
      '@',
      '.',
      'http://',
      'www.',
      '_',
      '&amp;',
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 30 }), (signs) => {
        const markdown = escapeMarkdown(signs.join(''));
        // Code spans hold addresses only; outside of them every special sign has its backslash.
        const outside = markdown.replace(/\\[!-/:-@[-`{-~]|`[^`]*`/gu, ' ');
        expect(outside).not.toMatch(/[[\]<>`|*\\]|https?:\/\/\w|\bwww\.\w/u);
      }),
    );
  });
});
