import { expect, test } from 'vitest';
import { previewOf } from '../answer.ts';

test.each([
  ['At the **end** of a month [1].', 'At the end of a month.'],
  ['Both [1][2]: 5 \\* 3 is \\[15\\] [3].', 'Both: 5 * 3 is [15].'],
  ['# Rent\n\n- March: `900`\n- April: ~~800~~ 950', 'Rent March: 900 April: 800 950'],
  ['| Month | Rent |\n|---|---:|\n| March | 900 |', 'Month Rent March 900'],
  [
    'See [the lease](https://example.org) for _notice_ in file_name_1.',
    'See the lease for notice in file_name_1.',
  ],
  ['1. First\n2) Second\n> Quoted', 'First Second Quoted'],
  ['', ''],
])('the preview of %j is %j', (markdown, text) => {
  expect(previewOf(markdown)).toBe(text);
});

test('a long answer is cut between characters', () => {
  const preview = previewOf('😀'.repeat(300));
  expect(preview.length).toBeLessThan(230);
  expect(preview.isWellFormed()).toBe(true);
  expect(preview.endsWith('…')).toBe(true);
});
