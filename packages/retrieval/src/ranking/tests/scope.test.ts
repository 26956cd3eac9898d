import { describe, expect, test } from 'vitest';
import { composeAnswer } from '../../answer/answer.ts';
import { rankPassages } from '../rank.ts';
import { composeFileList } from '../../answer/file-list.ts';
import { rankInScope } from '../scope.ts';
import { readQuestion } from '../../question/reading.ts';
import { findPassages } from '../../testing.ts';
import type { TestFile } from '../../testing.ts';

const options = {
  now: new Date('2026-11-20T11:00:00Z'),
  timeZone: 'Europe/Berlin',
  languages: ['en'],
  names: null,
};

const bills: TestFile[] = [
  ['clean-a.txt', 'Date: 2026-02-28', 'Total due: 410.00'],
  ['clean-b.txt', 'Date: 31/03/2026', 'Total due: 400.00'],
  ['clean-c.txt', 'Date: April 30th, 2026', 'Total due: 455.00'],
].map(([name = '', ...blocks]) => ({ name, blocks: ['Brightline Cleaning', ...blocks] }));

function ask(files: readonly TestFile[], text: string) {
  const { passages } = findPassages(files, text);
  const question = readQuestion(text, options);
  const ranked = rankInScope(question, rankPassages(question, passages));
  return { ranked, answer: composeAnswer(question, ranked) };
}

describe('files of the dates asked for', () => {
  test.each([
    ['February', '410.00'],
    ['March', '400.00'],
    ['April 2026', '455.00'],
  ])('the total of %s', (month, total) => {
    const { answer } = ask(bills, `What was the total due of Brightline in ${month}?`);
    expect(answer.citations[0]?.quote).toContain(total);
  });

  test('of several years the latest comes first, and another one when it is named', () => {
    const years = [2023, 2024, 2025].map((year) => ({
      name: `rent-${year}.txt`,
      blocks: [`Rent in March ${year}: ${year - 1000} euros`],
    }));
    const first = (text: string) => ask(years, text).ranked[0]?.fileName;
    expect(first('What was the rent in March?')).toBe('rent-2025.txt');
    expect(first('What was the rent in March 2023?')).toBe('rent-2023.txt');
  });

  test('a log answers with the line of the day', () => {
    const blocks = ['2026-11-10 backup took 41 minutes', '2026-11-11 backup took 57 minutes'];
    const log = {
      name: 'server.log',
      blocks: blocks.map((text) => ({ text, kind: 'list' as const })),
    };
    const { answer } = ask([log], 'How long did the backup take on 11 November?');
    expect(answer.citations[0]?.quote).toContain('57 minutes');
  });

  test('a question without dates changes nothing', () => {
    const text = 'What is the total due?';
    const { question, passages } = findPassages(bills, text);
    const ranked = rankPassages(question, passages);
    expect(rankInScope(question, ranked)).toEqual(ranked);
  });
});

describe('lists of files', () => {
  const files = Array.from({ length: 20 }, (_, i) => ({
    artifactId: `id-${i}`,
    fileName: `letter *${i}* [1].txt`,
    path: null,
    createdAt: new Date(Date.UTC(2026, 9, 20 - i, 23)),
    beginning: i === 1 ? null : { text: `Dear ${i}. Best wishes.`, start: 7 },
  }));
  const listing = { total: 50, timed: true, timeZone: 'Europe/Berlin', language: 'en' };

  test('names and days, cited with the first sentence, in at most 120 words', () => {
    const { answer, lines: lineOf } = composeFileList(files, listing);
    const { markdown, citations, grounded } = answer;
    expect(grounded).toBe(true);
    const lines = markdown.split('\n');
    expect(lines[0]).toBe('50 files, newest first:');
    expect(lines[2]).toBe(String.raw`- letter \*0\* \[1\].txt (21 October 2026) [1]`);
    expect(lines[3]).toBe(String.raw`- letter \*1\* \[1\].txt (20 October 2026)`);
    expect(lines.at(-1)).toBe(`- and ${50 - (lines.length - 3)} more`);
    for (const [id, at] of lineOf) expect(lines[at]).toContain(`*${id.slice(3)}\\*`);
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

  test('none is a plain sentence', () => {
    expect(composeFileList([], { ...listing, total: 0, language: 'de' }).answer).toEqual({
      markdown: 'In dieser Zeit wurden keine solchen Dateien hochgeladen.',
      citations: [],
      grounded: false,
    });
  });
});
