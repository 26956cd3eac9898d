/**
 * Fits the weights of sentences and passages (packages/retrieval/src/ranking/weights.ts: SENTENCES,
 * PASSAGES, LONG_QUESTION_PASSAGES) on even articles and checks them on odd ones, the other way round, and then on all:
 * `node tests/quality/fitting/ranking.ts`. Nothing is written but to the console.
 */
import type { SentenceFeatures } from '../../../packages/retrieval/src/ranking/evidence.ts';
import {
  lengthOf,
  passageFeatures,
  questionMass,
  rankSentences,
  weighEvidence,
} from '../../../packages/retrieval/src/ranking/rank.ts';
import { PASSAGES, SENTENCES } from '../../../packages/retrieval/src/ranking/weights.ts';
import { fitListwise, makeLists } from './listwise.ts';
import type { Choice } from './listwise.ts';
import { loadDataset } from '../retrieval/datasets.ts';
import { buildLibrary } from '../retrieval/library.ts';
import { holdsAnswer, ndcg } from '../retrieval/metrics.ts';

const SENTENCE_NAMES = (Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]).filter(
  (name) => name !== 'phrases',
);
const PASSAGE_NAMES = Object.keys(PASSAGES) as (keyof typeof PASSAGES)[];
/** Passages' weights are written in about the units of sentences', on which others build. */
const PASSAGE_SCALE = 2;
const SENTENCE_RIDGE = 1e-3;
/** Stronger, as few questions are long. */
const PASSAGE_RIDGE = 1e-2;
/** Sentences of a question that are learnt from: the best ones by the weights so far. */
const SENTENCES_LEARNT = 40;

interface Row {
  features: SentenceFeatures;
  values: number[];
  passage: number;
  answers: boolean;
}

interface Asked {
  set: string;
  half: number;
  mass: number;
  artifacts: string[];
  grades: ReadonlyMap<string, number>;
  rows: Row[];
  bare: SentenceFeatures[];
  scores: number[];
}

function ask(name: string): Asked[] {
  const dataset = loadDataset(name);
  const library = buildLibrary(dataset.documents);
  const titles = [...new Set(dataset.documents.map(({ title }) => title))];
  const articles = new Map(dataset.documents.map(({ id, title }) => [id, titles.indexOf(title)]));
  return dataset.queries.map((query, i): Asked => {
    const grades = dataset.grades.get(query.id) ?? new Map<string, number>();
    const [gold = ''] = grades.keys();
    const { question, passages } = library.find(query.text);
    const mass = questionMass(question);
    const evidence = weighEvidence(question, passages).map(({ item }) => item);
    const rows = evidence.flatMap((item, passage) =>
      rankSentences(item, mass).map(({ features, start, end }): Row => {
        const text = item.passage.text.slice(start, end);
        const answers =
          grades.has(item.passage.artifactId) && holdsAnswer(text, query.answers ?? []);
        const values = SENTENCE_NAMES.map((key) =>
          key === 'indexByMass' ? features.index * mass : features[key],
        );
        return { features, values, passage, answers };
      }),
    );
    return {
      set: name,
      half: (name === 'squad' ? (articles.get(gold) ?? 0) : i) % 2,
      mass,
      artifacts: passages.map(({ artifactId }) => artifactId),
      grades,
      rows,
      bare: evidence.map(({ bare }) => bare),
      scores: passages.map(({ score }) => score),
    };
  });
}

const product = (weights: readonly number[], values: readonly number[]): number =>
  weights.reduce((sum, weight, j) => sum + weight * (values[j] ?? 0), 0);

const OLD = SENTENCE_NAMES.map((name) => SENTENCES[name]);

function fitSentences(asked: readonly Asked[]): number[] {
  const lists = asked.map(({ rows }) =>
    rows
      .map((row) => ({ row, score: product(OLD, row.values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, SENTENCES_LEARNT)
      .map(({ row }): Choice => ({ features: row.values, right: row.answers })),
  );
  return fitListwise(makeLists(SENTENCE_NAMES.length, lists), SENTENCE_RIDGE);
}

/** The features of each passage, its sentences scored by these weights. */
function passageRows({ rows, bare, mass, scores }: Asked, weights: readonly number[]): number[][] {
  const scored = rows.map(({ features, values, passage }) => ({
    features,
    passage,
    score: product(weights, values),
  }));
  return bare.map((title, passage) => {
    const sentences = scored
      .filter((row) => row.passage === passage)
      .sort((a, b) => b.score - a.score);
    const values = passageFeatures(
      sentences.length > 0 ? sentences : [{ score: 0, features: title }],
      mass,
      scores[passage] ?? 0,
    );
    const own = PASSAGE_NAMES.map((name) => values[name]);
    return [...own, ...own.map((value) => value * lengthOf(mass))];
  });
}

/** How often a set's questions are learnt from, so that squad's thousands do not drown the others. */
const TIMES: Record<string, number> = { squad: 1, cranfield: 3 };

function fitPassages(asked: readonly Asked[], weights: readonly number[]): number[] {
  const lists = asked.flatMap((one) => {
    const list = passageRows(one, weights).map((features, i): Choice => ({
      features,
      right: (one.grades.get(one.artifacts[i] ?? '') ?? 0) > 0,
    }));
    return Array.from({ length: TIMES[one.set] ?? 1 }, () => list);
  });
  return fitListwise(makeLists(2 * PASSAGE_NAMES.length, lists), PASSAGE_RIDGE);
}

const mean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(3);

function report(
  label: string,
  asked: readonly Asked[],
  weights: readonly number[],
  passageWeights: readonly number[],
): void {
  for (const set of new Set(asked.map((one) => one.set))) {
    const own = asked.filter((one) => one.set === set);
    const firsts = [1, 2, 3].map((count) =>
      own.map(({ rows }) => {
        const best = rows
          .map((row) => ({ row, score: product(weights, row.values) }))
          .sort((a, b) => b.score - a.score);
        return Number(best.slice(0, count).some(({ row }) => row.answers));
      }),
    );
    const orders = own.map((one) => {
      const scores = passageRows(one, weights).map((values) => product(passageWeights, values));
      const order = one.artifacts.map((id, i) => ({ id, score: scores[i] ?? 0 }));
      return [...new Set(order.sort((a, b) => b.score - a.score).map(({ id }) => id))];
    });
    const hit = (count: number): string =>
      mean(
        own.map(({ grades }, i) =>
          Number(orders[i]?.slice(0, count).some((id) => (grades.get(id) ?? 0) > 0)),
        ),
      );
    console.log(
      `${label} ${set}: ` +
        (set === 'squad'
          ? `answer in best 1, 2, 3 sentences ${firsts.map(mean).join(' ')}; `
          : '') +
        `hit@1 ${hit(1)}, hit@5 ${hit(5)}, ` +
        `nDCG@10 ${mean(own.map(({ grades }, i) => ndcg(orders[i] ?? [], grades, 10)))}`,
    );
  }
}

const named = (names: readonly string[], weights: readonly number[]): string =>
  names.map((name, j) => `  ${name}: ${(weights[j] ?? 0).toFixed(2)},`).join('\n');

function run(): void {
  const asked = ['squad', 'cranfield'].flatMap(ask);
  const others = ['chunking_eval', 'financebench'].flatMap(ask);
  const fit = (learnt: readonly Asked[]): [number[], number[]] => {
    const weights = fitSentences(learnt.filter(({ set }) => set === 'squad'));
    return [weights, fitPassages(learnt, weights)];
  };
  for (const half of [0, 1]) {
    const checked = [...asked, ...others].filter((one) => one.half !== half);
    report(half === 0 ? 'odd' : 'even', checked, ...fit(asked.filter((one) => one.half === half)));
  }
  const [weights, fitted] = fit(asked);
  const passageWeights = fitted.map((weight) => PASSAGE_SCALE * weight);
  console.log(`SENTENCES\n${named(SENTENCE_NAMES, weights)}`);
  console.log(`PASSAGES\n${named(PASSAGE_NAMES, passageWeights)}`);
  console.log(
    `LONG_QUESTION_PASSAGES\n${named(PASSAGE_NAMES, passageWeights.slice(PASSAGE_NAMES.length))}`,
  );
}

run();
