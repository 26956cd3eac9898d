import { expect, test } from 'vitest';
import { MARKDOWN_DEPTH_LIMIT, markdownDepth } from '../markdown-depth.ts';

test.each([
  ['prose', 'Three months [1], and **back** _now_ [2].', 1],
  ['a list', '- One\n  - Two\n    1. Three', 3],
  ['quotes', '> > > deep', 3],
  ['quotes and lists', '> - 1. deep', 3],
  ['emphasis that closes', '**a** *b* _c_ '.repeat(500), 1],
  ['brackets that close', '[1][2]'.repeat(500), 1],
  ['one paragraph after another', '*a\n\n'.repeat(500), 1],
  ['a table', '| **a** | b |\n'.repeat(500), 1],
])('%s', (_, markdown, depth) => {
  expect(markdownDepth(markdown)).toBe(depth);
});

test.each(['> ', '>', '1. ', '- ', '* ', '[', '![', '*a ', '**a ', '  ', '> 1. '])(
  'many repetitions of "%s" are too deep',
  (character) => {
    expect(markdownDepth(`${character.repeat(300)}a`)).toBeGreaterThan(MARKDOWN_DEPTH_LIMIT);
  },
);
