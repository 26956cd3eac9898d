import { describe, expect, test } from 'vitest';
import { rankPassages } from '../rank.ts';
import { rankByDates } from '../dates.ts';
import { sectionsOf } from '../sections.ts';
import { readQuestion } from '../../question/question.ts';
import { documentOf, findPassages } from '../../tests/library.test-setup.ts';
import type { TestFile } from '../../tests/library.test-setup.ts';

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
  const ranked = rankByDates(question, rankPassages(question, passages));
  const documents = new Map(files.map((file, i) => [`artifact-${i}`, documentOf(file)]));
  const [section] = sectionsOf(question, ranked, { documents, limit: 1 });
  const { start = 0, end = 0 } = section?.sentence ?? {};
  return { ranked, section, sentence: section?.text.slice(start, end) };
}

describe('files of the requested dates', () => {
  test.each([
    ['February', '410.00'],
    ['March', '400.00'],
    ['April 2026', '455.00'],
  ])('a question about %s finds the bill of that month', (month, total) => {
    const { section } = ask(bills, `What was the total due of Brightline in ${month}?`);
    expect(section?.text).toContain(total);
  });

  test('the latest of several years is first, unless the question names another one', () => {
    const years = [2023, 2024, 2025].map((year) => ({
      name: `rent-${year}.txt`,
      blocks: [`Rent in March ${year}: ${year - 1000} euros`],
    }));
    const first = (text: string) => ask(years, text).ranked[0]?.fileName;
    expect(first('What was the rent in March?')).toBe('rent-2025.txt');
    expect(first('What was the rent in March 2023?')).toBe('rent-2023.txt');
  });

  test('the best sentence of a log is the line of the requested day', () => {
    const blocks = ['2026-11-10 backup took 41 minutes', '2026-11-11 backup took 57 minutes'];
    const log = {
      name: 'server.log',
      blocks: blocks.map((text) => ({ text, kind: 'list' as const })),
    };
    const { sentence } = ask([log], 'How long did the backup take on 11 November?');
    expect(sentence).toContain('57 minutes');
  });

  test('a question without dates changes nothing', () => {
    const text = 'What is the total due?';
    const { question, passages } = findPassages(bills, text);
    const ranked = rankPassages(question, passages);
    expect(rankByDates(question, ranked)).toEqual(ranked);
  });
});
