import { describe, expect, test } from 'vitest';
import { foundMarkdown, type QuotedSection } from '../found-answer.ts';
import { escapeMarkdown } from '../markdown.ts';

const section = (more: Partial<QuotedSection> = {}): QuotedSection => ({
  n: 1,
  fileName: 'lease.pdf',
  location: 'page 2',
  text: 'The notice period is three months.',
  newer: null,
  ...more,
});

test('a found answer quotes each section below its file, location and number', () => {
  const sections = [
    section({ text: 'The notice period is three months.\n\nIn writing.' }),
    section({ n: 2, fileName: 'note.txt', location: '', newer: 'Amendment 2, 12 May 2025' }),
  ];
  expect(foundMarkdown(sections)).toBe(
    [
      '**lease.pdf**, page 2 [1]',
      '> The notice period is three months.  \n> In writing.',
      '**note.txt** (newer: Amendment 2, 12 May 2025) [2]',
      '> The notice period is three months.',
    ].join('\n\n'),
  );
});

describe('text of a file as Markdown', () => {
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
    ['_www.evil.example', '\\_`www.evil.example`'],
    ['&lt;b&gt;', String.raw`\&lt;b\&gt;`],
  ])('%j becomes %j', (text, markdown) => {
    expect(escapeMarkdown(text)).toBe(markdown);
  });
});
