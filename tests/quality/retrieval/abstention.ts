import { answerConfidence, rankPassages } from '../../../packages/retrieval/src/index.ts';
import { hasDataset, loadDataset, loadUnanswerable } from './datasets.ts';
import type { Dataset, EvalDocument } from './datasets.ts';
import { buildLibrary } from './library.ts';
import type { Library } from './library.ts';
import { estimate, formatEstimate } from './metrics.ts';
import type { Row } from './rankings.ts';

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7];
const SMALL_SIZES = [3, 50];
const LARGE_SIZES = [600, 10_000];

/** One in so many of the questions is asked of each library. */
const EVERY = 12;

/** The confidences of questions that a library answers, and of such that it does not. */
interface Confidences {
  answerable: number[];
  unanswerable: number[];
}

const confidence = (
  library: Library,
  text: string,
  keep?: (artifactId: string) => boolean,
): number => {
  const { question, passages } = library.find(text, undefined, keep);
  return answerConfidence(question, rankPassages(question, passages), library.size);
};

/**
 * Refusals at each threshold for libraries of 3, 50, 600 and 10,000 artifacts: of questions that the
 * library answers (fewer is better), and of the same questions where the right article is left out
 * (more is better).
 */
export function abstentionRows(dataset: Dataset): Row[] {
  const asked = dataset.queries.flatMap(({ id, text }, i) => {
    const right = dataset.documents.find((document) => dataset.grades.get(id)?.has(document.id));
    return i % EVERY === 0 && right !== undefined ? [{ text, right }] : [];
  });
  return [
    ...SMALL_SIZES.map((size) => ({ size, found: askSmall(dataset, asked, size) })),
    ...LARGE_SIZES.map((size) => ({ size, found: askLarge(dataset, asked, size) })),
  ].flatMap(({ size, found: { answerable, unanswerable } }) =>
    THRESHOLDS.map((threshold) => {
      const refused = (values: readonly number[]): string =>
        formatEstimate(estimate(values.map((value) => Number(value < threshold))));
      return {
        artifacts: String(size),
        threshold: threshold.toFixed(1),
        'refused, answerable': refused(answerable),
        'refused, no answer': refused(unanswerable),
      };
    }),
  );
}

interface Asked {
  text: string;
  right: EvalDocument;
}

/** A library for each question: the right paragraph among some of other articles, or these alone. */
function askSmall(dataset: Dataset, asked: readonly Asked[], size: number): Confidences {
  const found: Confidences = { answerable: [], unanswerable: [] };
  asked.forEach(({ text, right }, i) => {
    const others = dataset.documents.filter(({ title }) => title !== right.title);
    const from = (i * 37) % (others.length - size);
    const fill = others.slice(from, from + size);
    found.answerable.push(confidence(buildLibrary([right, ...fill.slice(1)]), text));
    found.unanswerable.push(confidence(buildLibrary(fill), text));
  });
  return found;
}

/** One library of everything; what is not to answer is passed over when it is searched. */
function askLarge(dataset: Dataset, asked: readonly Asked[], size: number): Confidences {
  const library = buildLibrary([...dataset.documents, ...otherDocuments()].slice(0, size));
  const titles = new Map(dataset.documents.map(({ id, title }) => [id, title]));
  return {
    answerable: asked.map(({ text }) => confidence(library, text)),
    unanswerable: asked.map(({ text, right }) =>
      confidence(library, text, (id) => titles.get(id) !== right.title),
    ),
  };
}

/** The other sets' documents, and their texts once more cut at every second and every third sentence. */
function otherDocuments(): EvalDocument[] {
  const whole = ['financebench', 'chunking_eval', 'essays_needle', 'cranfield']
    .filter(hasDataset)
    .flatMap((name) => loadDataset(name).documents);
  return [
    ...whole,
    ...whole.flatMap((document) => cut(document, 2)),
    ...whole.flatMap((document) => cut(document, 3)),
  ];
}

function cut({ id, title, text }: EvalDocument, sentences: number): EvalDocument[] {
  const all = text.split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence.trim() !== '');
  return Array.from({ length: Math.floor(all.length / sentences) }, (_, i) => ({
    id: `${id}/${sentences}/${i}`,
    title: `${title} ${i}`,
    text: all.slice(i * sentences, (i + 1) * sentences).join(' '),
  }));
}

const NONSENSE = [
  'What is the capital of Mongolia?',
  'Who won the chess championship in 1886?',
  'How do I bake sourdough bread?',
  'Wie hoch ist der Kilimandscharo?',
];

/** The refusals of questions that the set calls unanswerable, and of such on nothing in it. */
export function refusalRows(dataset: Dataset): Row[] {
  const refused = (library: Library, texts: readonly string[]): string =>
    formatEstimate(estimate(texts.map((text) => Number(confidence(library, text) < 0.5))));
  const rows = loadUnanswerable().map(
    ({ exclude_title: title, exclude_docs: docs, queries }): Row => {
      const without = new Set(docs);
      const library = buildLibrary(dataset.documents.filter(({ id }) => !without.has(id)));
      return {
        library: `${dataset.name} without ${title}`,
        'refused, no answer': refused(
          library,
          queries.map(({ text }) => text),
        ),
      };
    },
  );
  return [
    ...rows,
    {
      library: `${dataset.name}, questions on nothing in it`,
      'refused, no answer': refused(buildLibrary(dataset.documents), NONSENSE),
    },
  ];
}
