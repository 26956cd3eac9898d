import { expect, test } from 'vitest';
import { composeFileList } from '../file-list.ts';

const files = Array.from({ length: 20 }, (_, i) => ({
  artifactId: `id-${i}`,
  fileName: `letter *${i}* [1].txt`,
  path: null,
  createdAt: new Date(Date.UTC(2026, 9, 20 - i, 23)),
  beginning: i === 1 ? null : { text: `Dear ${i}. Best wishes.`, start: 7 },
}));
const listing = { total: 50, timed: true, timeZone: 'Europe/Berlin' };

test('a list contains names and days, cited with the first sentence, in up to 120 words', () => {
  const { answer, lines: lineOf } = composeFileList(files, listing);
  const { markdown, citations, grounded } = answer;
  expect(grounded).toBe(true);
  const lines = markdown.split('\n');
  expect(lines[0]).toBe('50 files, newest first:');
  expect(lines[2]).toBe(String.raw`- letter \*0\* \[1\].txt (21 October 2026) [1]`);
  expect(lines[3]).toBe(String.raw`- letter \*1\* \[1\].txt (20 October 2026)`);
  expect(lines.at(-1)).toBe(`- and ${50 - (lines.length - 3)} more`);
  for (const [id, index] of lineOf) expect(lines[index]).toContain(`*${id.slice(3)}\\*`);
  expect(lineOf.size).toBe(lines.length - 3);
  expect(markdown.split(/\s+/u).length).toBeLessThanOrEqual(120);
  expect(citations[1]).toEqual({
    n: 2,
    artifactId: 'id-2',
    fileName: 'letter *2* [1].txt',
    quote: 'Dear 2.',
    start: 7,
    end: 14,
  });
});

test('an empty list is one sentence', () => {
  expect(composeFileList([], { ...listing, total: 0 }).answer).toEqual({
    markdown: 'You uploaded no such files in that time.',
    citations: [],
    grounded: false,
  });
});
