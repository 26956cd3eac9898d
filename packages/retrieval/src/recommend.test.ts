import { describe, expect, test } from 'vitest';
import { composeAnswer } from './answer.ts';
import { rankPassages } from './rank.ts';
import { curateQuestions, recommendQuestions } from './recommend.ts';
import { findPassages } from './testing.ts';
import type { TestFile } from './testing.ts';

const FILES: TestFile[] = [
  {
    name: 'harbour.txt',
    blocks: [
      'The Harbour Bridge was built in 1931. The Harbour Bridge is a steel arch over the river. It was painted red by volunteers.',
    ],
  },
  {
    name: 'museum.txt',
    blocks: [
      'The Harbour Museum is located in the old customs house. Anna Lindqvist was a painter who gave it her pictures.',
    ],
  },
];

describe('recommendQuestions', () => {
  test('asks what the files say beyond the answer, and never the question itself', () => {
    const { question, passages } = findPassages(FILES, 'Who painted the harbour bridge red?');
    const ranked = rankPassages(question, passages);
    const answer = composeAnswer(question, ranked);
    const questions = recommendQuestions(question, ranked, {
      ...answer,
      citations: answer.citations.slice(0, 1),
    });
    expect(questions.length).toBeGreaterThan(0);
    expect(questions.length).toBeLessThanOrEqual(3);
    const known = [
      'When was the Harbour Bridge built?',
      'What is the Harbour Bridge?',
      'Where is the Harbour Museum located?',
      'Who was Anna Lindqvist?',
    ];
    for (const { question: text } of questions) expect(known).toContain(text);
  });

  test('makes nothing of sentences that point elsewhere', () => {
    const files: TestFile[] = [
      {
        name: 'a.txt',
        blocks: [
          'It is a large house by the sea. This is the reason why they came. He was born in 1950.',
        ],
      },
    ];
    const { question, passages } = findPassages(files, 'Which house is large?');
    const nothing = { markdown: '', citations: [], grounded: false };
    expect(recommendQuestions(question, rankPassages(question, passages), nothing)).toEqual([]);
  });
});

test('curated questions come from as many files as possible', () => {
  const { passages } = findPassages(FILES, 'harbour');
  const curated = curateQuestions(passages, ['en'], 2);
  expect(new Set(curated.map(({ artifactId }) => artifactId)).size).toBe(2);
});

test('forms give questions by the names of their values, and not all of one kind', () => {
  const blocks = ['Invoice number: 2024-117', 'Due date: 8 June 2024', 'Project lead: Miriam Cole'];
  const { passages } = findPassages([{ name: 'invoice.txt', blocks }], 'invoice due project');
  const questions = curateQuestions(passages, ['en'], 3).map(({ question }) => question);
  expect(questions).toContain('Who is the project lead?');
  expect(questions.filter((text) => text.startsWith('What is the'))).toHaveLength(1);
});

test('a bare name is not asked for', () => {
  const blocks = ['Duck is a short film about a boy and his father on a lake.'];
  const { passages } = findPassages([{ name: 'films.txt', blocks }], 'duck film');
  expect(curateQuestions(passages, ['en'], 3)).toEqual([]);
});
