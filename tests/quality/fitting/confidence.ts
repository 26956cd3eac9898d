/**
 * Fits the logistic model of whether the files answer a question (packages/retrieval/src/ranking/weights.ts:
 * CONFIDENCE) on libraries of 3, 50, 600 and 10,000 files, with and without the article that answers:
 * on even articles, checked on odd ones, the other way round, and then on all:
 * `node tests/quality/fitting/confidence.ts`. Nothing is written but to the console.
 */
import { candidatesOf } from '../../../packages/retrieval/src/answer/candidates.ts';
import { confidenceFeatures } from '../../../packages/retrieval/src/answer/confidence.ts';
import type { ConfidenceFeatures } from '../../../packages/retrieval/src/answer/confidence.ts';
import { rankPassages, splitSentences } from '../../../packages/retrieval/src/index.ts';
import type { Passage, Question } from '../../../packages/retrieval/src/index.ts';
import { CONFIDENCE_WEIGHTS } from '../../../packages/retrieval/src/ranking/weights.ts';
import {
  buildEverydayLibrary,
  loadFiles,
  loadQuestions,
  smallLibrary,
} from '../everyday/library.ts';
import type { EverydayLibrary } from '../everyday/library.ts';
import { loadDataset } from '../retrieval/datasets.ts';
import type { Dataset, EvalDocument, EvalQuery } from '../retrieval/datasets.ts';
import { buildLibrary } from '../retrieval/library.ts';
import type { Library } from '../retrieval/library.ts';
import { holdsAnswer, seededRandom } from '../retrieval/metrics.ts';

const NAMES = Object.keys(CONFIDENCE_WEIGHTS) as (keyof ConfidenceFeatures)[];
const LARGE = 10_000;

/** One question asked of one library. */
interface Trial {
  library: string;
  half: number;
  values: number[];
  answerable: boolean;
  /** Whether one of the best three sentences holds the answer. */
  right: boolean;
}

interface Squad extends Dataset {
  /** The article of each query, as a number. */
  articles: Map<string, number>;
  titles: string[];
}

function loadSquad(): Squad {
  const dataset = loadDataset('squad');
  const titles = [...new Set(dataset.documents.map(({ title }) => title))];
  const titleOf = new Map(dataset.documents.map(({ id, title }) => [id, titles.indexOf(title)]));
  const articles = new Map(
    dataset.queries.map(({ id }) => {
      const [gold = ''] = dataset.grades.get(id)?.keys() ?? [];
      return [id, titleOf.get(gold) ?? 0];
    }),
  );
  return { ...dataset, articles, titles };
}

/** The evidence for what was found, and whether one of the best three sentences is right. */
function tryFound(
  { question, passages }: { question: Question; passages: readonly Passage[] },
  chunks: number,
  answers: readonly string[],
): { values: number[]; right: boolean } | null {
  const candidates = candidatesOf(question, rankPassages(question, passages));
  const [best] = candidates;
  if (best === undefined) return null;
  const features = confidenceFeatures(question, best, chunks);
  const right = candidates
    .slice(0, 3)
    .some(({ passage: { text }, sentence: { start, end } }) =>
      holdsAnswer(text.slice(start, end), answers),
    );
  return { values: NAMES.map((key) => features[key]), right };
}

/** Files made of sentences of others, so that a large library has text as real as a small one's. */
function mixedFiles(sources: readonly EvalDocument[], count: number): EvalDocument[] {
  const sentences = sources.flatMap(({ text }) =>
    splitSentences(text).map(({ start, end }) => text.slice(start, end)),
  );
  const random = seededRandom(7);
  return Array.from({ length: count }, (_, i) => {
    const text = Array.from(
      { length: 4 },
      () => sentences[Math.floor(random() * sentences.length)] ?? '',
    ).join(' ');
    return { id: `mixed-${i}`, title: `mixed ${i}`, text };
  });
}

const every = <T>(list: readonly T[], step: number): T[] => list.filter((_, i) => i % step === 0);

/** Passages handed to the ranking, and those looked at to find as many that are not of an article. */
const FOUND = 50;
const LOOKED_AT = 250;

/**
 * Questions asked of a library as it is; as if the article that answers were not there; and as if
 * only the paragraph that answers were not there.
 */
function askSquad(
  squad: Squad,
  name: string,
  library: Library,
  asked: readonly EvalQuery[],
): Trial[] {
  const titleOf = new Map(squad.documents.map(({ id, title }) => [id, title]));
  return asked.flatMap((query) => {
    const article = squad.articles.get(query.id) ?? 0;
    const gold = squad.grades.get(query.id) ?? new Map<string, number>();
    const { question, passages } = library.find(query.text, LOOKED_AT);
    const tryWithout = (isThere: (passage: Passage) => boolean, kind: string): Trial[] => {
      const found = passages.filter(isThere).slice(0, FOUND);
      const answerable = kind === '';
      const tried = tryFound({ question, passages: found }, library.size, query.answers ?? []);
      // Another paragraph may say it, too.
      if (tried === null || (!answerable && tried.right)) return [];
      const { values, right } = tried;
      return [{ library: `${name}${kind}`, half: article % 2, values, answerable, right }];
    };
    return [
      ...tryWithout(() => true, ''),
      ...tryWithout(
        ({ artifactId }) => titleOf.get(artifactId) !== squad.titles[article],
        ', no article',
      ),
      ...tryWithout(({ artifactId }) => !gold.has(artifactId), ', no paragraph'),
    ];
  });
}

/** Everyday questions of the tuned half, every second one in each half here. */
function askEveryday(name: string, library: EverydayLibrary, small: boolean): Trial[] {
  return loadQuestions('tuned').flatMap((expected, i): Trial[] => {
    const asked = small ? smallLibrary(library, expected) : library;
    const tried = tryFound(asked.find(expected.question), asked.size, expected.answers);
    const answerable = expected.file !== '-';
    return tried === null
      ? []
      : [
          {
            library: `${name}${answerable ? '' : ', no answer'}`,
            half: i % 2,
            ...tried,
            answerable,
          },
        ];
  });
}

async function trialsOf(squad: Squad): Promise<Trial[]> {
  const { documents, queries, articles, titles } = squad;
  const others = ['cranfield', 'chunking_eval', 'essays_needle', 'financebench'].flatMap(
    (name) => loadDataset(name).documents,
  );
  const filling = mixedFiles(others, LARGE - others.length - documents.length);
  const large = buildLibrary([...documents, ...others, ...filling]);
  const small = [3, 50].flatMap((size) =>
    every(queries, 6).flatMap((query, i) => {
      const gold = squad.grades.get(query.id);
      const right = documents.filter(({ id }) => gold?.has(id));
      const rest = documents.filter(
        ({ title }) => titles.indexOf(title) !== articles.get(query.id),
      );
      const fill = rest.slice((i * 37) % (rest.length - size)).slice(0, size);
      return askSquad(squad, `${size}`, buildLibrary([...right, ...fill.slice(1)]), [query]);
    }),
  );
  const everyday = buildEverydayLibrary(await loadFiles());
  return [
    ...askSquad(squad, '600', buildLibrary(documents), queries),
    ...askSquad(squad, '10000', large, every(queries, 3)),
    ...small,
    ...askEveryday('everyday', everyday, false),
    ...askEveryday('everyday 3', everyday, true),
  ];
}

const chance = (weights: readonly number[], values: readonly number[]): number =>
  1 / (1 + Math.exp(-values.reduce((sum, value, j) => sum + value * (weights[j] ?? 0), 0)));

/** How much each kind of trial weighs, whatever their number. */
const KINDS = { paragraph: 0.3, everyday: 1.5 };

function weightOf({ library }: Trial): number {
  if (library.startsWith('everyday')) return KINDS.everyday;
  return library.endsWith('no paragraph') ? KINDS.paragraph : 1;
}

/** Maximum likelihood by gradient descent with Adam's steps. */
function fit(trials: readonly Trial[], rounds = 600): number[] {
  const learnt = trials.filter(({ answerable, right }) => !answerable || right);
  const counts = new Map<string, number>();
  for (const { library } of learnt) counts.set(library, (counts.get(library) ?? 0) + 1);
  const weights = NAMES.map(() => 0);
  const first = NAMES.map(() => 0);
  const second = NAMES.map(() => 0);
  for (let round = 1; round <= rounds; round += 1) {
    const gradient = NAMES.map((_, j) => 1e-3 * (weights[j] ?? 0));
    for (const trial of learnt) {
      const error = chance(weights, trial.values) - Number(trial.answerable);
      const weight = (error * weightOf(trial)) / (counts.get(trial.library) ?? 1);
      trial.values.forEach((value, j) => (gradient[j] = (gradient[j] ?? 0) + weight * value));
    }
    gradient.forEach((slope, j) => {
      first[j] = 0.9 * (first[j] ?? 0) + 0.1 * slope;
      second[j] = 0.99 * (second[j] ?? 0) + 0.01 * slope * slope;
      const step = (first[j] ?? 0) / (1 - 0.9 ** round);
      const size = Math.sqrt((second[j] ?? 0) / (1 - 0.99 ** round)) + 1e-8;
      weights[j] = (weights[j] ?? 0) - (0.1 * step) / size;
    });
  }
  return weights;
}

/** What each threshold refuses in libraries of each size. */
function report(trials: readonly Trial[], weights: readonly number[]): void {
  const rows = [...new Set(trials.map(({ library }) => library))].map((library) => {
    const own = trials.filter((trial) => trial.library === library);
    const shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((threshold): [string, string] => {
      const share = (list: readonly Trial[]): string =>
        (
          list.filter(({ values }) => chance(weights, values) < threshold).length /
          Math.max(1, list.length)
        ).toFixed(3);
      const right = own.filter((trial) => trial.right);
      return [
        `${threshold}`,
        right.length > 0 && own[0]?.answerable ? `${share(own)} (${share(right)})` : share(own),
      ];
    });
    return { library, questions: own.length, ...Object.fromEntries(shares) };
  });
  console.log('Refused under each threshold (of those rightly answered)');
  console.table(rows);
}

async function run(): Promise<void> {
  const trials = await trialsOf(loadSquad());
  const halves = [0, 1].map((half) => fit(trials.filter((trial) => trial.half === half)));
  for (const [half, weights] of halves.entries())
    report(
      trials.filter((trial) => trial.half !== half),
      weights,
    );
  console.log('The weights in use');
  report(
    trials,
    NAMES.map((name) => CONFIDENCE_WEIGHTS[name]),
  );
  const weights = fit(trials);
  report(trials, weights);
  console.log(NAMES.map((name, j) => `  ${name}: ${(weights[j] ?? 0).toFixed(2)},`).join('\n'));
}

await run();
