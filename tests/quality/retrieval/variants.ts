import { rankPassages } from '../../../packages/retrieval/src/index.ts';
import type { Passage, RankedPassage } from '../../../packages/retrieval/src/index.ts';
import type { Dataset, EvalQuery } from './datasets.ts';
import type { Library } from './library.ts';
import type { NearestPassages } from './meaning.ts';
import { fuse } from './fusion.ts';
import type { Excerpt } from './metrics.ts';
import { buildPlainIndex } from './plain.ts';

/** The results of one variant for a question. */
export interface Found {
  /** Documents, best first. */
  artifacts: string[];
  /** The parts of them that are shown, best first. */
  passages: Excerpt[];
}

/** One way to find and rank passages. */
export interface Variant {
  name: string;
  find: (query: EvalQuery) => Found;
}

/** Passages for which coverage is measured. */
const SHOWN = 5;

/** The length of the parts into which the baseline splits long documents, in characters. */
const PLAIN_PART = 1000;

const found = (passages: readonly Excerpt[]): Found => ({
  artifacts: [...new Set(passages.map(({ artifactId }) => artifactId))],
  passages: passages.slice(0, SHOWN),
});

/** The variants without vectors, the baseline first. */
export function lexicalVariants(dataset: Dataset, library: Library): Variant[] {
  const long = dataset.queries.some(({ references = [] }) => references.length > 0);
  const plain = buildPlainIndex(dataset.documents, long ? PLAIN_PART : Infinity);
  const ranked = ({ text }: EvalQuery): RankedPassage[] => {
    const { question, passages } = library.find(text);
    return rankPassages(question, passages);
  };
  return [
    { name: 'plain BM25', find: ({ text }) => found(plain.search(text, 50)) },
    { name: 'with context', find: ({ text }) => found(library.find(text).passages) },
    { name: 'ranked', find: (query) => found(ranked(query)) },
  ];
}

/** The weights of the rankings by words and by vectors in the fusion. */
const FUSED = [1, 0.5];

/** The variants that need an embedding model. */
export function denseVariants(library: Library, nearest: NearestPassages): Variant[] {
  return [
    { name: 'dense', find: (query) => found(nearest(query)) },
    { name: 'fused by rank', find: (query) => found(hybrid(library, nearest, query)) },
    {
      name: 'ranked with meaning',
      find: (query) => found(rankedWithMeaning(library, nearest, query)),
    },
  ];
}

const nameOf = ({ artifactId, ordinal }: Passage): string => `${artifactId}#${ordinal}`;

/** Weighted reciprocal rank fusion of the rankings by words and by vectors. */
function hybrid(library: Library, nearest: NearestPassages, query: EvalQuery): Passage[] {
  const orders = [library.find(query.text).passages, nearest(query)];
  const byName = new Map(orders.flat().map((passage) => [nameOf(passage), passage]));
  return fuse(
    orders.map((order) => order.map(nameOf)),
    FUSED,
  ).flatMap(({ item }) => byName.get(item) ?? []);
}

/** The ranking of the server: passages found by words and by vectors, ranked together. */
function rankedWithMeaning(
  library: Library,
  nearest: NearestPassages,
  query: EvalQuery,
): RankedPassage[] {
  const { question, passages } = library.find(query.text);
  const near = nearest(query);
  const similarities = new Map(near.map((passage) => [nameOf(passage), passage.similarity]));
  const byWords = new Set(passages.map(nameOf));
  const joined = [
    ...passages.map((passage): Passage => {
      const similarity = similarities.get(nameOf(passage));
      return similarity === undefined ? passage : { ...passage, similarity };
    }),
    ...near.filter((passage) => !byWords.has(nameOf(passage))),
  ];
  return rankPassages(question, joined);
}
