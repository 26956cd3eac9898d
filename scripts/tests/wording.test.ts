import { expect, test } from 'vitest';
import { idiomsIn } from '../wording.ts';

test('an idiom is reported with its line and with what to write instead', () => {
  expect(idiomsIn('docs/a.md', 'The server stops.\n\nIt goes on after a restart.')).toEqual([
    "docs/a.md:3: Instead of 'goes on' write 'continues', 'resumes' or 'lasts'.",
  ]);
});

test('an idiom is found across the lines of a comment', () => {
  const text = '/**\n * The file that is\n * gone.\n */\n';
  expect(idiomsIn('packages/a/src/a.ts', text)[0]).toContain("a.ts:2: Instead of 'is gone'");
});

test('plain text and code have no idiom', () => {
  expect(idiomsIn('a.ts', '/** Continues after a restart. */\nconst anewAddress = 1;')).toEqual([]);
  expect(idiomsIn('a.py', 'if value is None:\n    return  # The value is missing.')).toEqual([]);
});

test('a test is searched in its comments and titles, but not in its data', () => {
  const messages = idiomsIn(
    'tests/a.test.ts',
    [
      "test.each(['anew'])('%s begins anew', () => ask('Is it anew?'));",
      '// It begins anew.',
      "describe('a file', () => describe.skipIf(true)('that is gone', run));",
    ].join('\n'),
  );
  expect(messages.map((message) => message.split(' write ')[0])).toEqual([
    "tests/a.test.ts:1: Instead of 'anew'",
    "tests/a.test.ts:2: Instead of 'anew'",
    "tests/a.test.ts:3: Instead of 'is gone'",
  ]);
});
