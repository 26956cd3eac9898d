import { join } from 'node:path';
import { rankPassages, type RankedPassage } from '../../../packages/retrieval/src/index.ts';
import { buildEverydayLibrary, loadFiles, loadQuestions } from '../everyday/library.ts';
import { folderOf, LIBRARIES } from '../own-libraries/measure.ts';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import * as privateSet from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';
import { fitLogistic, type Sample } from './logistic.ts';

const NAMES = ['share', 'terms', 'missingNames', 'meaning'] as const;

/** The questions of a library, each with the features of its best passage. */
interface LabeledSet {
  name: string;
  samples: Sample[];
}

/** Share of the answerable questions that may be flagged in the sets that define a threshold. */
const FLAGGED = 0.1;

function sampleOf(best: RankedPassage | undefined, isRight: boolean): Sample[] {
  if (best === undefined) return [];
  const { share, terms, missingNames } = best.match;
  const { meaning = 0 } = best.scores;
  return [{ features: [share, Math.log(1 + terms), missingNames, meaning], isRight }];
}

async function privateLibrary(
  name: string,
  folder: string,
  folders: readonly string[],
): Promise<LabeledSet> {
  const library = await buildPrivateLibrary((await readFolders(folders)).files);
  const samples = privateSet.loadQuestions(folder).map(async (asked) => {
    const { ranked, sections } = await library.ask(asked.q, turnsBefore(asked));
    const [section] = sections;
    const best = ranked.find(
      ({ artifactId, start, end }) =>
        section?.artifactId === artifactId && start < section.end && section.start < end,
    );
    return sampleOf(best, asked.refuse !== true);
  });
  return { name, samples: (await Promise.all(samples)).flat() };
}

async function everyday(): Promise<LabeledSet> {
  const library = buildEverydayLibrary(await loadFiles());
  const samples = [...loadQuestions('tuned'), ...loadQuestions('held-out')].flatMap((asked) => {
    const { question, passages } = library.find(asked.question);
    return sampleOf(rankPassages(question, passages)[0], asked.file !== '-');
  });
  return { name: 'everyday', samples };
}

async function loadSets(): Promise<LabeledSet[]> {
  const manuals = process.env['ENGRAM_QUALITY_MANUALS'];
  const sets: LabeledSet[] = [];
  if (privateSet.FOLDERS.length > 0)
    sets.push(await privateLibrary('private library', privateSet.SET, privateSet.FOLDERS));
  for (const name of LIBRARIES) {
    const folders = [join(folderOf(name), 'files'), ...(manuals === undefined ? [] : [manuals])];
    sets.push(await privateLibrary(name, folderOf(name), folders));
  }
  return [...sets, await everyday()];
}

type Score = (features: readonly number[]) => number;

const scoresOf = ({ samples }: LabeledSet, isRight: boolean, score: Score): number[] =>
  samples
    .filter((sample) => sample.isRight === isRight)
    .map(({ features }) => score(features))
    .sort((a, b) => a - b);

/** Area under the curve: how often an answerable question scores higher than an unanswerable one. */
function areaUnderCurve(set: LabeledSet, score: Score): number {
  const [right, wrong] = [scoresOf(set, true, score), scoresOf(set, false, score)];
  const above = wrong.map((low) => right.filter((high) => high > low).length / right.length);
  return above.reduce((sum, share) => sum + share, 0) / wrong.length;
}

/** The score below which a given share of the answerable questions lies, with equal weight per set. */
function thresholdOf(sets: readonly LabeledSet[], score: Score): number {
  const right = sets.map((set) => scoresOf(set, true, score));
  const shareBelow = (limit: number): number =>
    right.reduce((sum, all) => sum + all.filter((score) => score < limit).length / all.length, 0) /
    sets.length;
  return right
    .flat()
    .sort((a, b) => b - a)
    .find((limit) => shareBelow(limit) <= FLAGGED) as number;
}

/** A model fitted on some sets, with equal weight per set and per kind of question. */
function fitOn(sets: readonly LabeledSet[]) {
  const weighted = sets.flatMap(({ samples }) =>
    samples.map((sample) => ({
      ...sample,
      weight: 1 / samples.filter(({ isRight }) => isRight === sample.isRight).length,
    })),
  );
  const model = fitLogistic(weighted);
  const score: Score = (features) =>
    features.reduce((sum, value, i) => sum + value * (model.weights[i] ?? 0), model.bias);
  return { model, score, threshold: thresholdOf(sets, score) };
}

/**
 * Prints, for each library, the questions that a relevance model fitted on the others flags, and
 * the model fitted on all. ENGRAM_EMBEDDINGS=local:FOLDER adds vectors to the private libraries.
 */
export async function reportOnRelevance(): Promise<void> {
  const sets = await loadSets();
  console.table(
    sets.map((set) => {
      const { score, threshold } = fitOn(sets.filter((other) => other !== set));
      const flagged = (isRight: boolean): string => {
        const scores = scoresOf(set, isRight, score);
        return `${scores.filter((score) => score < threshold).length} of ${scores.length}`;
      };
      return {
        'left out': set.name,
        'unanswerable flagged': flagged(false),
        'answerable flagged': flagged(true),
        'area under the curve': areaUnderCurve(set, score).toFixed(2),
      };
    }),
  );
  const { model, threshold } = fitOn(sets);
  const weights = NAMES.map((name, i) => [name, Number(model.weights[i]?.toFixed(2))]);
  console.log('Fitted on all:', { bias: model.bias.toFixed(2), ...Object.fromEntries(weights) });
  console.log('Threshold:', (1 / (1 + Math.exp(-threshold))).toFixed(2));
}
