import { performance } from 'node:perf_hooks';
import {
  answerConfidence,
  composeAnswer,
  rankPassages,
} from '../../packages/retrieval/src/index.ts';
import type { Answer, Passage } from '../../packages/retrieval/src/index.ts';
import { hasDataset, loadDataset, loadUnanswerable } from './retrieval-datasets.ts';
import type { Dataset, EvalQuery } from './retrieval-datasets.ts';
import { buildLibrary } from './retrieval-library.ts';
import type { Library } from './retrieval-library.ts';
import {
  estimate,
  firstSentences,
  formatEstimate,
  holdsAnswer,
  ndcg,
} from './retrieval-metrics.ts';

/** One question's outcome under one way of ranking. */
interface Outcome {
  artifacts: string[];
  passages: readonly Passage[];
  answer: Answer;
}

type Variant = 'index' | 'rescored';

/** Asks one question; `index` leaves the passages in the index's order, answered all the same. */
function ask(library: Library, text: string, variant: Variant): Outcome {
  const { question, passages } = library.find(text);
  const ranked = rankPassages(question, passages);
  const answer = composeAnswer(question, ranked, { librarySize: library.size });
  const order: readonly Passage[] = variant === 'index' ? passages : ranked;
  const cited = variant === 'index' ? [] : answer.citations;
  const artifacts = [...new Set([...cited, ...order].map(({ artifactId }) => artifactId))];
  return { artifacts, passages: order, answer };
}

const relevant = (dataset: Dataset, query: EvalQuery, id: string | undefined): boolean =>
  id !== undefined && (dataset.grades.get(query.id)?.get(id) ?? 0) > 0;

function rankingRow(dataset: Dataset, library: Library, variant: Variant): Record<string, string> {
  const hit1: number[] = [];
  const hit5: number[] = [];
  const gains: number[] = [];
  for (const query of dataset.queries) {
    const { artifacts } = ask(library, query.text, variant);
    hit1.push(Number(relevant(dataset, query, artifacts[0])));
    hit5.push(Number(artifacts.slice(0, 5).some((id) => relevant(dataset, query, id))));
    gains.push(ndcg(artifacts, dataset.grades.get(query.id) ?? new Map(), 10));
  }
  return {
    set: dataset.name,
    variant,
    'hit@1': formatEstimate(estimate(hit1)),
    'hit@5': formatEstimate(estimate(hit5)),
    'nDCG@10': formatEstimate(estimate(gains)),
  };
}

function answerRow(dataset: Dataset, library: Library): Record<string, string> {
  const cited: number[] = [];
  const within5: number[] = [];
  const first: number[] = [];
  const two: number[] = [];
  const refused: number[] = [];
  for (const query of dataset.queries) {
    const { artifacts, answer } = ask(library, query.text, 'rescored');
    cited.push(Number(relevant(dataset, query, answer.citations[0]?.artifactId)));
    within5.push(Number(artifacts.slice(0, 5).some((id) => relevant(dataset, query, id))));
    first.push(Number(holdsAnswer(firstSentences(answer.markdown, 1), query.answers ?? [])));
    two.push(Number(holdsAnswer(firstSentences(answer.markdown, 2), query.answers ?? [])));
    refused.push(Number(!answer.grounded));
  }
  return {
    set: dataset.name,
    'cited first is right': formatEstimate(estimate(cited)),
    'within 5': formatEstimate(estimate(within5)),
    'answer in 1st sentence': formatEstimate(estimate(first)),
    'answer in first two': formatEstimate(estimate(two)),
    refused: formatEstimate(estimate(refused)),
  };
}

/** How much of the excerpts asked for the five best chunks hold. */
function coverageRow(dataset: Dataset, library: Library, variant: Variant): Record<string, string> {
  const shares = dataset.queries.map((query) => {
    const { passages } = ask(library, query.text, variant);
    let wanted = 0;
    let found = 0;
    for (const { doc_id: id, start, end } of query.references ?? []) {
      wanted += end - start;
      for (const passage of passages.slice(0, 5)) {
        if (passage.artifactId !== id) continue;
        found += Math.max(0, Math.min(end, passage.end) - Math.max(start, passage.start));
      }
    }
    return wanted === 0 ? 0 : Math.min(1, found / wanted);
  });
  return { set: dataset.name, variant, 'coverage@5': formatEstimate(estimate(shares)) };
}

const NONSENSE = [
  'What is the capital of Mongolia?',
  'Who won the chess championship in 1886?',
  'How do I bake sourdough bread?',
  'Wie hoch ist der Kilimandscharo?',
];

/** Refusals where there is an answer (fewer is better) and where there is none (more is better). */
function refusalRows(dataset: Dataset): Record<string, string>[] {
  const refusals = (library: Library, texts: readonly string[]): string =>
    formatEstimate(
      estimate(texts.map((text) => Number(!ask(library, text, 'rescored').answer.grounded))),
    );
  const rows = loadUnanswerable().map(
    ({ exclude_title, exclude_docs, queries }): Record<string, string> => {
      const without = new Set(exclude_docs);
      const library = buildLibrary(dataset.documents.filter(({ id }) => !without.has(id)));
      return {
        library: `squad without ${exclude_title}`,
        'refused, no answer': refusals(
          library,
          queries.map(({ text }) => text),
        ),
      };
    },
  );
  const whole = buildLibrary(dataset.documents);
  const sample = dataset.queries.filter((_, i) => i % 5 === 0);
  rows.push({
    library: 'squad, questions on nothing in it',
    'refused, no answer': refusals(whole, NONSENSE),
  });
  for (const size of [3, 40]) rows.push(smallLibraryRow(dataset, sample, size));
  rows.push(largeLibraryRow(dataset));
  return rows;
}

/** What other thresholds than 0.5 would refuse, over the first set of unanswerable questions. */
function tradeOffRows(dataset: Dataset): Record<string, string>[] {
  const confidences = (library: Library, texts: readonly string[]): number[] =>
    texts.map((text) => {
      const { question, passages } = library.find(text);
      return answerConfidence(question, rankPassages(question, passages), library.size);
    });
  const [set] = loadUnanswerable();
  const without = new Set(set?.exclude_docs);
  const rest = buildLibrary(dataset.documents.filter(({ id }) => !without.has(id)));
  const unanswerable = confidences(rest, set?.queries.map(({ text }) => text) ?? []);
  const whole = buildLibrary(dataset.documents);
  const answerable = confidences(
    whole,
    dataset.queries.map(({ text }) => text),
  );
  const share = (values: readonly number[], threshold: number): string =>
    (values.filter((value) => value < threshold).length / Math.max(1, values.length)).toFixed(3);
  return [0.3, 0.4, 0.5, 0.6, 0.7].map((threshold) => ({
    threshold: threshold.toFixed(1),
    'refused, answerable': share(answerable, threshold),
    'refused, no answer': share(unanswerable, threshold),
  }));
}

/** A large library of mixed files: squad, with and without the right article, among all other sets. */
function largeLibraryRow(dataset: Dataset): Record<string, string> {
  const others = ['cranfield', 'essays_needle', 'chunking_eval', 'financebench']
    .filter(hasDataset)
    .flatMap((name) => loadDataset(name).documents);
  const refused = (library: Library, texts: readonly string[]): string =>
    formatEstimate(
      estimate(texts.map((text) => Number(!ask(library, text, 'rescored').answer.grounded))),
    );
  const [set] = loadUnanswerable();
  const without = new Set(set?.exclude_docs);
  const rest = dataset.documents.filter(({ id }) => !without.has(id));
  const library = buildLibrary([...dataset.documents, ...others]);
  const sample = dataset.queries.filter((_, i) => i % 5 === 0).map(({ text }) => text);
  return {
    library: `all sets, ${library.size} chunks`,
    'refused, answerable': refused(library, sample),
    'refused, no answer': refused(
      buildLibrary([...rest, ...others]),
      set?.queries.map(({ text }) => text) ?? [],
    ),
  };
}

/** Libraries of a few artifacts: the right one and its neighbours, and these without the right one. */
function smallLibraryRow(dataset: Dataset, sample: readonly EvalQuery[], size: number) {
  const answered: number[] = [];
  const unanswered: number[] = [];
  sample.forEach((query, i) => {
    const right = dataset.documents.find(({ id }) => relevant(dataset, query, id));
    if (right === undefined) return;
    const others = dataset.documents.filter(({ title }) => title !== right.title);
    const from = (i * 37) % (others.length - size);
    const fill = others.slice(from, from + size);
    const refused = (library: Library): number =>
      Number(!ask(library, query.text, 'rescored').answer.grounded);
    answered.push(refused(buildLibrary([right, ...fill.slice(1)])));
    unanswered.push(refused(buildLibrary(fill)));
  });
  return {
    library: `${size} artifacts`,
    'refused, answerable': formatEstimate(estimate(answered)),
    'refused, no answer': formatEstimate(estimate(unanswered)),
  };
}

/** Milliseconds for ranking and composing, the passages' analysis warm, as medians. */
function speedRow(dataset: Dataset, library: Library): Record<string, string> {
  const found = dataset.queries.slice(0, 400).map(({ text }) => library.find(text));
  const time = (): number[] =>
    found.map(({ question, passages }) => {
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

function report(): void {
  const names = ['squad', 'cranfield', 'chunking_eval', 'essays_needle', 'financebench'];
  const present = names.filter(hasDataset);
  if (present.length === 0) {
    console.log('The evaluation data (../shared/evaldata) is not here: nothing was measured.');
    return;
  }
  const sets = present.map((name) => {
    const dataset = loadDataset(name);
    return { dataset, library: buildLibrary(dataset.documents) };
  });
  console.log('Means over questions with 95% bootstrap intervals.\n\nRanking of artifacts');
  console.table(
    sets.flatMap(({ dataset, library }) => [
      rankingRow(dataset, library, 'index'),
      rankingRow(dataset, library, 'rescored'),
    ]),
  );
  for (const { dataset, library } of sets) {
    if (dataset.name === 'squad' || dataset.name === 'essays_needle') {
      console.log(`\nAnswers: ${dataset.name}`);
      console.table([answerRow(dataset, library)]);
    }
    if (dataset.name === 'chunking_eval') {
      console.log('\nExcerpts found');
      console.table([
        coverageRow(dataset, library, 'index'),
        coverageRow(dataset, library, 'rescored'),
      ]);
    }
    if (dataset.name === 'squad') {
      console.log('\nRefusals');
      console.table(refusalRows(dataset));
      console.log('\nThresholds of confidence');
      console.table(tradeOffRows(dataset));
      console.log('\nTime of rankPassages and composeAnswer, fifty passages');
      console.table([speedRow(dataset, library)]);
    }
  }
}

report();
