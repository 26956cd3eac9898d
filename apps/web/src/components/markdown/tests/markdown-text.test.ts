import { expect, test } from 'vitest';
import { completeMarkdown } from '../markdown-text.ts';

test.each([
  ['**Three months', '**Three months**'],
  ['**Three months ', '**Three months**'],
  ['**Three months*', '**Three months**'],
  ['**Three** months', '**Three** months'],
  ['**', ''],
  ['in writing [', 'in writing'],
  ['in writing [1', 'in writing'],
  ['in writing [1]', 'in writing [1]'],
  ['run `npm', 'run `npm`'],
  ['**a**\n\n**b', '**a**\n\n**b**'],
  ['', ''],
])('%j is shown as %j', (partial, complete) => {
  expect(completeMarkdown(partial)).toBe(complete);
});
