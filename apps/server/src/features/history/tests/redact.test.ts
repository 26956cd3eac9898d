import { describe, expect, test } from 'vitest';
import type { Contents } from '../history.tables.ts';
import { REMOVED, redactAnswer, redactContents } from '../redact.ts';

const gone = '11111111-1111-4111-8111-111111111111';
const kept = '22222222-2222-4222-8222-222222222222';

const citation = (n: number, artifactId: string) => ({
  n,
  artifactId,
  fileName: 'file.txt',
  location: { line: 1 },
  quote: 'quote',
  start: 0,
  end: 5,
});

const citations = [citation(1, gone), citation(2, kept)];

test('a sentence that cites the deleted file is removed, the others stay', () => {
  const answer = 'The rent is 900 € [1]. It is due monthly [2].';
  expect(redactAnswer(answer, citations, new Set([gone]))).toEqual({
    markdown: `${REMOVED} It is due monthly [2].`,
    citations: [citations[1]],
  });
});

test('a sentence that cites both files is removed', () => {
  expect(redactAnswer('One fact [1][2]. Another [2].', citations, new Set([gone])).markdown).toBe(
    `${REMOVED} Another [2].`,
  );
});

test('a sentence that could not be verified may rest on the deleted file, and goes with it', () => {
  const answer = 'The rent is 900 € [1]. It was less once. [unverified] It is due monthly [2].';
  expect(redactAnswer(answer, citations, new Set([gone])).markdown).toBe(
    `${REMOVED} It is due monthly [2].`,
  );
  expect(redactAnswer(answer, citations, new Set()).markdown).toBe(answer);
});

test('a line that names a deleted file without citing it is removed', () => {
  const answer = '2 files, newest first:\n\n- view.png (May 3)\n- lease.txt (May 2) [2]';
  const lines = new Set([2]);
  const redacted = redactAnswer(answer, citations, new Set([gone]), lines);
  expect(redacted.markdown).toBe(`2 files, newest first:\n\n- ${REMOVED}\n- lease.txt (May 2) [2]`);
  expect(redactAnswer(redacted.markdown, redacted.citations, new Set([gone]), lines)).toEqual(
    redacted,
  );
});

test('files that were deleted together are taken out together', () => {
  const third = '33333333-3333-4333-8333-333333333333';
  const answer = 'The rent is 900 € [1]. It is due monthly [2]. The deposit is back [3].';
  const three = [...citations, citation(3, third)];
  expect(redactAnswer(answer, three, new Set([gone, third]))).toEqual({
    markdown: `${REMOVED} It is due monthly [2]. ${REMOVED}`,
    citations: [citations[1]],
  });
});

test('lists keep their marks, tables stay tables', () => {
  const answer =
    '- Rent: 900 € [1]\n- Notice: 3 months [2]\n\n| a | b |\n| --- | --- |\n| 1 | 2 [1] |';
  expect(redactAnswer(answer, citations, new Set([gone])).markdown).toBe(
    `- ${REMOVED}\n- Notice: 3 months [2]\n\n| a | b |\n| --- | --- |\n| ${REMOVED} |`,
  );
});

test('it is said once for paragraphs that follow each other', () => {
  const answer = 'The rent is 900 € [1].\n\nIt is due on the third [1]. So it is [2].';
  expect(redactAnswer(answer, citations, new Set([gone])).markdown).toBe(
    `${REMOVED} So it is [2].`,
  );
});

test('an answer that never cited the file is left as it is', () => {
  const answer = 'Nothing is said.  Really.\n\nNothing [2].';
  expect(redactAnswer(answer, [citation(2, kept)], new Set([gone])).markdown).toBe(answer);
});

describe('a figure that was computed over rows', () => {
  const figure = {
    answer:
      '**30** (sum of Amount; a.csv)\n\n| Amount | |\n| --- | --- |\n| 10 | [1] |\n| 20 | [2] |',
    citations,
    nearest: [],
    computed: { operation: 'sum', value: 30, rows: 2 },
    related: [],
    recommendations: [],
  } satisfies Contents;

  test('goes with any of the files of its rows, and with it what cites none', () => {
    expect(redactContents(figure, new Set([gone]))).toMatchObject({
      answer: `${REMOVED}\n\n| Amount | |\n| --- | --- |\n| ${REMOVED} |\n| 20 | [2] |`,
      computed: null,
    });
  });

  test('leaves nothing where all of its files are gone', () => {
    expect(redactContents(figure, new Set([gone, kept]))).toMatchObject({
      answer: REMOVED,
      citations: [],
      computed: null,
    });
  });

  test('stays where none of its files was deleted', () => {
    expect(redactContents(figure, new Set(['other']))).toEqual(figure);
  });
});
