import { describe, expect, test } from 'vitest';
import type { Contents } from '../history.tables.ts';
import { filesOf, REMOVED, redactAnswer, redactContents } from '../redact.ts';

const deletedId = '11111111-1111-4111-8111-111111111111';
const remainingId = '22222222-2222-4222-8222-222222222222';

const citation = (n: number, artifactId: string) => ({
  n,
  artifactId,
  fileName: 'file.txt',
  location: { line: 1 },
  quote: 'quote',
  start: 0,
  end: 5,
});

const citations = [citation(1, deletedId), citation(2, remainingId)];

test('a sentence that cites the deleted file is removed, and others are not', () => {
  const answer = 'The rent is 900 € [1]. It is due monthly [2].';
  expect(redactAnswer(answer, citations, new Set([deletedId]))).toEqual({
    markdown: `${REMOVED} It is due monthly [2].`,
    citations: [citations[1]],
  });
});

test('a sentence that cites both files is removed', () => {
  expect(
    redactAnswer('One fact [1][2]. Another [2].', citations, new Set([deletedId])).markdown,
  ).toBe(`${REMOVED} Another [2].`);
});

test('an unverified sentence may come from the deleted file and is removed', () => {
  const answer = 'The rent is 900 € [1]. It was less once. [unverified] It is due monthly [2].';
  expect(redactAnswer(answer, citations, new Set([deletedId])).markdown).toBe(
    `${REMOVED} It is due monthly [2].`,
  );
  expect(redactAnswer(answer, citations, new Set()).markdown).toBe(answer);
});

test('a line that names a deleted file without citing it is removed', () => {
  const answer = '2 files, newest first:\n\n- view.png (May 3)\n- lease.txt (May 2) [2]';
  const lines = new Set([2]);
  const redacted = redactAnswer(answer, citations, new Set([deletedId]), lines);
  expect(redacted.markdown).toBe(`2 files, newest first:\n\n- ${REMOVED}\n- lease.txt (May 2) [2]`);
  expect(redactAnswer(redacted.markdown, redacted.citations, new Set([deletedId]), lines)).toEqual(
    redacted,
  );
});

test('files that were deleted together are removed together', () => {
  const third = '33333333-3333-4333-8333-333333333333';
  const answer = 'The rent is 900 € [1]. It is due monthly [2]. The deposit is back [3].';
  const three = [...citations, citation(3, third)];
  expect(redactAnswer(answer, three, new Set([deletedId, third]))).toEqual({
    markdown: `${REMOVED} It is due monthly [2]. ${REMOVED}`,
    citations: [citations[1]],
  });
});

test('lists and tables keep their markup', () => {
  const answer =
    '- Rent: 900 € [1]\n- Notice: 3 months [2]\n\n| a | b |\n| --- | --- |\n| 1 | 2 [1] |';
  expect(redactAnswer(answer, citations, new Set([deletedId])).markdown).toBe(
    `- ${REMOVED}\n- Notice: 3 months [2]\n\n| a | b |\n| --- | --- |\n| ${REMOVED} |`,
  );
});

test('the notice is shown once for consecutive paragraphs', () => {
  const answer = 'The rent is 900 € [1].\n\nIt is due on the third [1]. So it is [2].';
  expect(redactAnswer(answer, citations, new Set([deletedId])).markdown).toBe(
    `${REMOVED} So it is [2].`,
  );
});

test('an answer that does not cite the file is not changed', () => {
  const answer = 'Nothing is said.  Really.\n\nNothing [2].';
  expect(redactAnswer(answer, [citation(2, remainingId)], new Set([deletedId])).markdown).toBe(
    answer,
  );
});

describe('a found answer', () => {
  const section = (n: number, artifactId: string, newer: string | null = null) => ({
    n,
    artifactId,
    fileName: 'file.txt',
    location: { line: 1 },
    start: 0,
    end: 5,
    text: 'quote',
    highlights: [[0, 5] as [number, number]],
    score: 0.9,
    newer: newer === null ? null : { artifactId: newer, fileName: 'amendment.txt' },
  });
  const other = '33333333-3333-4333-8333-333333333333';
  const found = {
    answer: [
      '**lease.pdf**, page 2 (newer: Amendment 2, 12 May 2025) [1]',
      '> The rent is 900 €.  \n> It cites \\[2\\].',
      String.raw`**note (newer: \\*x\\*).txt** (newer: Amendment 2, 12 May 2025) [2]`,
      '> The rent rises.',
      '**plan.md** [3]',
      '> A plan (newer: than others) \\[2\\]',
    ].join('\n\n'),
    citations: [citation(1, deletedId), citation(2, remainingId), citation(3, other)],
    nearest: [],
    found: [
      section(1, deletedId, remainingId),
      section(2, remainingId, deletedId),
      section(3, other, null),
    ],
    related: [],
    recommendations: [],
  } satisfies Contents;

  test('loses only the quotes and sections of a deleted file', () => {
    const {
      answer,
      citations: cited,
      found: sections,
    } = redactContents(found, new Set([deletedId]));
    expect(answer.replaceAll(/\n{3,}/gu, '\n\n')).toBe(
      [
        REMOVED,
        String.raw`**note (newer: \\*x\\*).txt** [2]`,
        '> The rent rises.',
        '**plan.md** [3]',
        '> A plan (newer: than others) \\[2\\]',
      ].join('\n\n'),
    );
    expect(cited.map(({ n }) => n)).toEqual([2, 3]);
    expect(sections.map(({ n }) => n)).toEqual([2, 3]);
  });

  test('no longer names a deleted document as the newer one', () => {
    const { answer, found: sections } = redactContents(found, new Set([remainingId]));
    expect(answer).toMatch(/^\*\*lease\.pdf\*\*, page 2 \[1\]\n\n> The rent is 900 €\./u);
    expect(sections.map(({ newer }) => newer)).toEqual([null, null]);
    expect(filesOf(redactContents(found, new Set([remainingId])))).not.toContain(remainingId);
  });

  test('that cites only deleted files says that they were removed', () => {
    const empty = { answer: REMOVED, citations: [], found: [] };
    expect(redactContents(found, new Set([deletedId, remainingId, other]))).toMatchObject(empty);
  });

  test('is not changed if none of its files was deleted', () => {
    expect(redactContents(found, new Set(['other']))).toEqual(found);
  });
});
