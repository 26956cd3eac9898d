import { performance } from 'node:perf_hooks';
import { composeAnswer, rankPassages } from '../../../packages/retrieval/src/index.ts';
import type { Dataset } from './datasets.ts';
import type { Library } from './library.ts';
import { estimate, firstSentences, formatEstimate, holdsAnswer } from './metrics.ts';
import { isRelevant } from './rankings.ts';
import type { Row } from './rankings.ts';

/** How a set's questions are answered by sentences of its documents. */
export function answerRow(dataset: Dataset, library: Library): Row {
  const figures: Record<string, number[]> = {
    'cited first is right': [],
    'within 5': [],
    'in 1st sentence': [],
    'in first two': [],
    'in first three': [],
    refused: [],
  };
  const add = (name: string, value: boolean): void => void figures[name]?.push(Number(value));
  for (const query of dataset.queries) {
    const { question, passages } = library.find(query.text);
    const ranked = rankPassages(question, passages);
    const { markdown, citations, grounded } = composeAnswer(question, ranked, {
      librarySize: library.size,
    });
    const files = new Set([...citations, ...ranked].map(({ artifactId }) => artifactId));
    const right = (id: string | undefined): boolean => isRelevant(dataset, query, id);
    const said = (count: number): boolean =>
      holdsAnswer(firstSentences(markdown, count), query.answers ?? []);
    add('cited first is right', right(citations[0]?.artifactId));
    add('within 5', [...files].slice(0, 5).some(right));
    add('in 1st sentence', said(1));
    add('in first two', said(2));
    add('in first three', said(3));
    add('refused', !grounded);
  }
  const row: Row = { set: dataset.name };
  for (const [name, values] of Object.entries(figures))
    row[name] = formatEstimate(estimate(values));
  return row;
}

/** Questions whose ranking and answer are timed. */
const TIMED = 300;

/** Milliseconds for ranking and composing, the passages' analysis warm. */
export function speedRow(dataset: Dataset, library: Library): Row {
  const asked = dataset.queries.slice(0, TIMED).map(({ text }) => library.find(text));
  const time = (): number[] =>
    asked.map(({ question, passages }) => {
      const start = performance.now();
      composeAnswer(question, rankPassages(question, passages), { librarySize: library.size });
      return performance.now() - start;
    });
  time();
  const times = time().sort((a, b) => a - b);
  const at = (share: number): string =>
    (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
  return { set: dataset.name, 'median ms': at(0.5), 'p95 ms': at(0.95) };
}
