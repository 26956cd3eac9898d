/**
 * Fits how a value is chosen and judged (packages/retrieval/src/answer/weights.ts: CHOICE, GATE) on a
 * private library, everyday files and squad, each also as if the files that answer were not there.
 * It prints how each set fares under weights that were fitted on the others, then the weights fitted
 * on all: `node tests/quality/fitting/answers.ts`. Nothing is written but to the console.
 */
import { type GateFeatures, gateFeatures } from '../../../packages/retrieval/src/answer/value.ts';
import { CHOICE, GATE } from '../../../packages/retrieval/src/answer/weights.ts';
import { type AnswerWindow, windowsOf } from '../../../packages/retrieval/src/answer/windows.ts';
import { rankPassages } from '../../../packages/retrieval/src/index.ts';
import type { Question, RankedPassage } from '../../../packages/retrieval/src/index.ts';
import { buildEverydayLibrary, loadFiles } from '../everyday/library.ts';
import { loadQuestions as everydayQuestions } from '../everyday/library.ts';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import { FOLDERS, isRight, loadQuestions } from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';
import { loadDataset } from '../retrieval/datasets.ts';
import { buildLibrary } from '../retrieval/library.ts';
import { holdsAnswer } from '../retrieval/metrics.ts';
import { fitListwise, makeLists } from './listwise.ts';

const CHOICE_NAMES = Object.keys(CHOICE) as (keyof typeof CHOICE)[];
const GATE_NAMES = Object.keys(GATE) as (keyof GateFeatures)[];
const SETS = ['private library', 'everyday', 'squad'];

/** One question asked of one library. */
interface Trial {
  set: string;
  question: Question;
  librarySize: number;
  windows: AnswerWindow[];
  right: boolean[];
}

/** Questions of the private library that want a value. */
const VALUES = new Set(
  'fact manual_fact yesno date amount who_said misspelt followup language keyword'.split(' '),
);

function trialOf(
  set: string,
  question: Question,
  ranked: readonly RankedPassage[],
  librarySize: number,
  isAnswer: (text: string, fileName: string) => boolean,
): Trial {
  const windows = windowsOf(question, ranked, librarySize);
  const right = windows.map(({ passage: { text, fileName }, parts }) =>
    isAnswer(parts.map(({ start, end }) => text.slice(start, end)).join('\n'), fileName),
  );
  return { set, question, librarySize, windows, right };
}

const nothing = (): boolean => false;

async function privateTrials(): Promise<Trial[]> {
  const { files } = await readFolders(FOLDERS);
  const library = buildPrivateLibrary(files);
  return loadQuestions().flatMap((asked): Trial[] => {
    if (!VALUES.has(asked.class) && asked.refuse !== true) return [];
    const { question, ranked } = library.ask(asked.q, turnsBefore(library, asked));
    const size = library.size;
    if (asked.refuse === true) return [trialOf('private library', question, ranked, size, nothing)];
    const others = ranked.filter(({ fileName }) => !asked.file.includes(fileName));
    return [
      trialOf('private library', question, ranked, size, (text) => isRight(text, asked)),
      trialOf('private library', question, others, size, nothing),
    ];
  });
}

async function everydayTrials(): Promise<Trial[]> {
  const library = buildEverydayLibrary(await loadFiles());
  const questions = [...everydayQuestions('tuned'), ...everydayQuestions('held-out')];
  return questions.flatMap(({ question: text, file, answers }): Trial[] => {
    const { question, passages } = library.find(text);
    const ranked = rankPassages(question, passages);
    const others = ranked.filter(({ fileName }) => fileName !== file);
    const without = trialOf('everyday', question, others, library.size, nothing);
    if (file === '-') return [without];
    const isAnswer = (said: string, name: string) => name === file && holdsAnswer(said, answers);
    return [trialOf('everyday', question, ranked, library.size, isAnswer), without];
  });
}

const SQUAD = { files: 1200, every: 8 };

function squadTrials(): Trial[] {
  const { documents, queries, grades } = loadDataset('squad');
  const some = documents.slice(0, SQUAD.files);
  const library = buildLibrary(some);
  const titleOf = new Map(some.map(({ id, title }) => [id, title]));
  const asked = queries.filter(({ id }) =>
    [...(grades.get(id)?.keys() ?? [])].some((gold) => titleOf.has(gold)),
  );
  return asked.flatMap(({ id, text, answers = [] }, i): Trial[] => {
    if (i % SQUAD.every !== 0) return [];
    const title = titleOf.get([...(grades.get(id)?.keys() ?? [])][0] ?? '');
    const whole = library.find(text);
    const without = library.find(text, undefined, (other) => titleOf.get(other) !== title);
    const { question } = whole;
    return [
      trialOf('squad', question, rankPassages(question, whole.passages), library.size, (said) =>
        holdsAnswer(said, answers),
      ),
      trialOf('squad', question, rankPassages(question, without.passages), library.size, nothing),
    ];
  });
}

const CHOICE_RIDGE = 1e-2;

function fitChoice(trials: readonly Trial[]): number[] {
  const lists = trials.map(({ windows, right }) =>
    windows.map(({ features }, i) => ({
      features: CHOICE_NAMES.map((name) => features[name]),
      right: right[i] === true,
    })),
  );
  return fitListwise(makeLists(CHOICE_NAMES.length, lists), CHOICE_RIDGE);
}

/** What the gate sees of a trial under some weights of choice, and whether the best window is right. */
interface Judged {
  set: string;
  values: number[];
  right: boolean;
}

function judge(trials: readonly Trial[], choice: readonly number[]): Judged[] {
  return trials.flatMap(({ set, question, windows, right }): Judged[] => {
    const candidates = windows
      .map((window, i) => ({
        window,
        right: right[i] === true,
        score: CHOICE_NAMES.reduce(
          (sum, name, j) => sum + window.features[name] * (choice[j] ?? 0),
          0,
        ),
      }))
      .sort((a, b) => b.score - a.score);
    const features = gateFeatures(question, candidates);
    if (features === null) return [];
    const values = GATE_NAMES.map((name) => features[name]);
    return [{ set, values, right: candidates[0]?.right === true }];
  });
}

const chance = (weights: readonly number[], values: readonly number[]): number =>
  1 / (1 + Math.exp(-values.reduce((sum, value, j) => sum + value * (weights[j] ?? 0), 0)));

const ROUNDS = 800;
const GATE_RIDGE = 3e-3;

/** Maximum likelihood by gradient descent with Adam's steps; every set weighs the same. */
function fitGate(trials: readonly Judged[]): number[] {
  const counts = new Map<string, number>();
  for (const { set } of trials) counts.set(set, (counts.get(set) ?? 0) + 1);
  const weights = GATE_NAMES.map(() => 0);
  const first = GATE_NAMES.map(() => 0);
  const second = GATE_NAMES.map(() => 0);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = GATE_NAMES.map((_, j) => (j === 0 ? 0 : GATE_RIDGE * (weights[j] ?? 0)));
    for (const { set, values, right } of trials) {
      const error = (chance(weights, values) - Number(right)) / (counts.get(set) ?? 1);
      values.forEach((value, j) => (gradient[j] = (gradient[j] ?? 0) + error * value));
    }
    gradient.forEach((slope, j) => {
      first[j] = 0.9 * (first[j] ?? 0) + 0.1 * slope;
      second[j] = 0.999 * (second[j] ?? 0) + 0.001 * slope * slope;
      const step = (first[j] ?? 0) / (1 - 0.9 ** round);
      const size = Math.sqrt((second[j] ?? 0) / (1 - 0.999 ** round)) + 1e-8;
      weights[j] = (weights[j] ?? 0) - (0.05 * step) / size;
    });
  }
  return weights;
}

/** Answers above each threshold, and how many of them are wrong. */
function row(judged: readonly Judged[], weights: readonly number[]): Record<string, string> {
  const told = [0.3, 0.4, 0.5, 0.6, 0.7].map((threshold): [string, string] => {
    const answered = judged.filter(({ values }) => chance(weights, values) >= threshold);
    const wrong = answered.filter(({ right }) => !right).length;
    return [String(threshold), `${answered.length - wrong} right, ${wrong} wrong`];
  });
  const first = judged.filter(({ right }) => right).length;
  return { 'best is right': `${first} of ${judged.length}`, ...Object.fromEntries(told) };
}

const written = (names: readonly string[], weights: readonly number[]): string =>
  names.map((name, j) => `  ${name}: ${(weights[j] ?? 0).toFixed(2)},`).join('\n');

async function run(): Promise<void> {
  const trials = [
    ...(FOLDERS.length === 0 ? [] : await privateTrials()),
    ...(await everydayTrials()),
    ...squadTrials(),
  ];
  const rows: Record<string, Record<string, string>> = {};
  for (const set of SETS) {
    const others = trials.filter((trial) => trial.set !== set);
    const own = trials.filter((trial) => trial.set === set);
    const choice = fitChoice(others);
    rows[`${set}, left out`] = row(judge(own, choice), fitGate(judge(others, choice)));
  }
  const choice = fitChoice(trials);
  const gate = fitGate(judge(trials, choice));
  for (const set of SETS) {
    const own = trials.filter((trial) => trial.set === set);
    rows[`${set}, fitted on all`] = row(judge(own, choice), gate);
    rows[`${set}, weights in use`] = row(
      judge(
        own,
        CHOICE_NAMES.map((name) => CHOICE[name]),
      ),
      GATE_NAMES.map((name) => GATE[name]),
    );
  }
  console.table(rows);
  console.log(`CHOICE\n${written(CHOICE_NAMES, choice)}\nGATE\n${written(GATE_NAMES, gate)}`);
}

await run();
