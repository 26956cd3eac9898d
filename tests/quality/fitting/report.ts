import {
  type PassageFeatures,
  termsShare,
  WEIGHTS,
} from '../../../packages/retrieval/src/ranking/rank.ts';
import { openMeaning } from '../retrieval/meaning.ts';
import { fitListwise, makeLists } from './listwise.ts';
import { type Asked, loadSets, type QuestionSet } from './sets.ts';

const NAMES = Object.keys(WEIGHTS) as (keyof PassageFeatures)[];
const RIDGE = 3e-3;

const rowOf = ({ question }: Asked, features: PassageFeatures): number[] =>
  NAMES.map((name) => features[name] * termsShare(name, question.terms.length));

/** The weights fitted on some sets. A set counts by the square root of its size. */
function fit(sets: readonly QuestionSet[]): number[] {
  const lists = sets.flatMap(({ questions }) =>
    questions.map((question) => ({
      count: 1 / Math.sqrt(questions.length),
      rows: question.passages.map(({ features, isRight }) => ({
        features: rowOf(question, features),
        right: isRight,
      })),
    })),
  );
  const counts = new Map(lists.map(({ rows, count }) => [rows, count]));
  const rowLists = lists.map(({ rows }) => rows);
  return fitListwise(
    makeLists(NAMES.length, rowLists, (rows) => counts.get(rows as (typeof rowLists)[number]) ?? 1),
    RIDGE,
  );
}

/** Shares of a set's questions with a right passage first, and among the first three. */
function measure(
  { questions }: QuestionSet,
  scoreOf: (question: Asked, at: number) => number,
): string {
  let [first, three] = [0, 0];
  for (const question of questions) {
    const order = question.passages
      .map(({ isRight }, at) => ({ isRight, score: scoreOf(question, at) }))
      .sort((a, b) => b.score - a.score)
      .map(({ isRight }) => isRight);
    first += Number(order[0] === true);
    three += Number(order.slice(0, 3).includes(true));
  }
  return [first, three].map((count) => (count / questions.length).toFixed(3)).join(' / ');
}

const scoreBy =
  (weights: readonly number[]) =>
  (question: Asked, at: number): number => {
    const features = question.passages[at]?.features;
    const row = features === undefined ? [] : rowOf(question, features);
    return row.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
  };

/**
 * Prints, for each question set, the ranking with weights fitted on the other sets next to BM25
 * alone, and the weights fitted on all sets. ENGRAM_EMBEDDINGS=local:FOLDER adds vectors.
 */
export async function reportOnRanking(): Promise<void> {
  const sets = await loadSets(await openMeaning(process.env['ENGRAM_EMBEDDINGS']));
  console.log('\nEach set left out of the fit: right first / among the first three');
  console.table(
    sets.map((set) => ({
      set: `${set.name} (${set.questions.length})`,
      BM25: measure(set, (question, at) => question.passages[at]?.passage.score ?? 0),
      'left out': measure(set, scoreBy(fit(sets.filter((other) => other !== set)))),
      'as shipped': measure(set, scoreBy(NAMES.map((name) => WEIGHTS[name]))),
    })),
  );
  const fitted = fit(sets).map((weight) => Number(weight.toFixed(2)));
  console.log('Fitted on all sets:', Object.fromEntries(NAMES.map((name, i) => [name, fitted[i]])));
}
