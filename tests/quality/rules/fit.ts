import { passageFeatures } from '../../../packages/retrieval/src/ranking/rank.ts';
import type { PassageFeatures } from '../../../packages/retrieval/src/ranking/rank.ts';
import type { SentenceFeatures } from '../../../packages/retrieval/src/ranking/evidence.ts';
import { PASSAGES, SENTENCES } from '../../../packages/retrieval/src/ranking/weights.ts';
import { fitListwise, makeLists } from '../fitting/listwise.ts';
import type { Choice } from '../fitting/listwise.ts';
import type { Asked, FoundPassage, QuestionSet } from './sets.ts';

const SENTENCE_NAMES = Object.keys(SENTENCES) as (keyof SentenceFeatures)[];
const PASSAGE_NAMES = Object.keys(PASSAGES) as (keyof PassageFeatures)[];

/** Every rule of the ranking, by the name of its weight. */
export const RULES: readonly string[] = [
  ...SENTENCE_NAMES.map((name) => `sentence: ${name}`),
  ...PASSAGE_NAMES.map((name) => `passage: ${name}`),
];

export interface Weights {
  sentences: Record<keyof SentenceFeatures, number>;
  passages: Record<keyof PassageFeatures, number>;
}

/** Sentences of a question that are learnt from: the best ones by the weights as they are. */
const SENTENCES_LEARNT = 60;
const RIDGE = 3e-3;

/** Weights under `names`, 0 for those of rules that are left out. */
function fitNamed<Name extends string>(
  names: readonly Name[],
  kept: readonly Name[],
  sets: readonly Choice[][][],
): Record<Name, number> {
  // A set of thousands must not drown one of dozens, nor count no more than it.
  const counts = new Map(
    sets.flatMap((lists) => lists.map((list) => [list, 1 / Math.sqrt(lists.length)] as const)),
  );
  const lists = makeLists(kept.length, sets.flat(), (list) => counts.get(list as Choice[]) ?? 1);
  const fitted = fitListwise(lists, RIDGE);
  const entries = names.map((name) => [name, fitted[kept.indexOf(name)] ?? 0] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

const scoreBy = <Name extends string>(
  weights: Readonly<Record<Name, number>>,
  names: readonly Name[],
  features: Readonly<Record<Name, number>>,
): number => names.reduce((sum, name) => sum + weights[name] * features[name], 0);

function sentenceList({ found }: Asked, kept: readonly (keyof SentenceFeatures)[]): Choice[] {
  return found
    .flatMap(({ features, answers }) =>
      features.map((own, i) => ({
        score: scoreBy(SENTENCES, SENTENCE_NAMES, own),
        choice: { features: kept.map((name) => own[name]), right: answers[i] === true },
      })),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, SENTENCES_LEARNT)
    .map(({ choice }) => choice);
}

const featuresOf = (one: FoundPassage, mass: number, weights: Weights['sentences']) =>
  passageFeatures(one, mass, weights);

const hasRight = (list: readonly Choice[]): boolean => list.some(({ right }) => right);

/** The weights that some sets teach, without one of the rules. */
export function fit(sets: readonly QuestionSet[], without: string | null = null): Weights {
  const sentenceNames = SENTENCE_NAMES.filter((name) => `sentence: ${name}` !== without);
  const passageNames = PASSAGE_NAMES.filter((name) => `passage: ${name}` !== without);
  const sentences = fitNamed(
    SENTENCE_NAMES,
    sentenceNames,
    sets
      .filter(({ hasAnswers }) => hasAnswers)
      .map(({ asked }) => asked.map((one) => sentenceList(one, sentenceNames)).filter(hasRight)),
  );
  const passages = fitNamed(
    PASSAGE_NAMES,
    passageNames,
    sets.map(({ asked }) =>
      asked
        .map(({ found, grades, mass }) =>
          found.map((one): Choice => {
            const features = featuresOf(one, mass, sentences);
            const right = (grades.get(one.name) ?? 0) > 0;
            return { features: passageNames.map((name) => features[name]), right };
          }),
        )
        .filter(hasRight),
    ),
  );
  return { sentences, passages };
}

/** The names found for a question, best first under some weights; as BM25 has them without. */
export function orderOf({ found, mass }: Asked, weights: Weights | null): string[] {
  const scored = found.map((one) => ({
    name: one.name,
    score:
      weights === null
        ? one.passage.score
        : scoreBy(weights.passages, PASSAGE_NAMES, featuresOf(one, mass, weights.sentences)),
  }));
  return [...new Set(scored.sort((a, b) => b.score - a.score).map(({ name }) => name))];
}
