import type { Question } from '../question/question.ts';
import { matchPassages } from './hits.ts';
import type { RankedPassage } from './rank.ts';
import { chooseStretches } from './stretches.ts';
import type { Piece } from './stretches.ts';

export interface PassageLimits {
  /** Passages at most. */
  passages: number;
  /** UTF-16 units of all of them together at most. */
  characters: number;
}

/** A stretch of a file's text, as much of it as speaks to the question. */
export interface SelectedPassage {
  artifactId: string;
  /** UTF-16 offsets in the file's text. */
  start: number;
  end: number;
  /** Of the best ranked of the passages it was taken from. */
  scores: Record<string, number>;
}

/**
 * What makes a sentence worth reading: a logistic model of whether it belongs to the excerpt that was
 * asked for, fitted on chunking_eval; `passage` and `bias` were set by hand over squad and
 * financebench, too. .969 of the excerpts are then shown; leaving a document, or a kind of document,
 * out of the fit cost .005 (without `passage`). Scaling weights by half or by one and a half moves it
 * by less than .005.
 */
const WINDOWS = {
  /** Ranked passages looked at. */
  ranked: 30,
  /** Sentences to each side that a sentence is read with, and what each reading counts. */
  around: [
    [0, 2.3],
    [1, 2],
    [3, 2.85],
    [6, 2.6],
  ],
  /** … and the sentence's own score as a share of the best one's. */
  own: 4.8,
  /** … and its passage's, likewise. */
  passage: 8,
  bias: -22,
} as const;

/** A sentence of a ranked passage. */
interface Place {
  passage: RankedPassage;
  rank: number;
  start: number;
  end: number;
  gap: number | null;
  /** How surely it says each of the question's terms. */
  says: Float64Array;
  /** The scores of the sentence and of its passage as shares of the best ones'. */
  share: number;
  passageShare: number;
}

/**
 * The parts of the ranked passages that most likely hold what was asked for: neighbouring passages
 * are joined, and each is cut down to the sentences that speak to the question and those between
 * them, so that the room goes where the evidence is. No part crosses a page, slide or sheet. Best
 * ranked first.
 */
export function selectPassages(
  question: Question,
  ranked: readonly RankedPassage[],
  { passages: count, characters }: PassageLimits,
): SelectedPassage[] {
  const places = placesOf(question, ranked.slice(0, WINDOWS.ranked));
  const worth = likelihoods(question, places);
  const pieces = places.map(({ start, end, gap }, i): Piece => ({
    length: end - start,
    gap,
    value: worth[i] ?? 0,
  }));
  return chooseStretches(pieces, count, characters)
    .flatMap(({ first, last }) => {
      const own = places.slice(first, last + 1);
      const [best] = own.toSorted((a, b) => a.rank - b.rank);
      const [start, end] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0];
      return best === undefined ? [] : [{ best, start, end }];
    })
    .toSorted((a, b) => a.best.rank - b.best.rank || a.start - b.start)
    .map(({ best: { passage }, start, end }) => ({
      artifactId: passage.artifactId,
      start,
      end,
      scores: passage.scores,
    }));
}

/** The sentences of the passages, file by file, in the order of the text. */
function placesOf(question: Question, ranked: readonly RankedPassage[]): Place[] {
  const { hits } = matchPassages(question, ranked);
  const terms = question.terms.length;
  const top = Math.max(0, ...ranked.map(({ sentences }) => sentences[0]?.score ?? 0)) || 1;
  const topPassage = Math.max(0, ...ranked.map(({ score }) => score)) || 1;
  const inOrder = ranked
    .map((passage, rank) => ({ passage, rank, hit: hits[rank] }))
    .toSorted(
      ({ passage: a }, { passage: b }) =>
        a.artifactId.localeCompare(b.artifactId) || a.start - b.start,
    );
  const places: Place[] = [];
  for (const { passage, rank, hit } of inOrder) {
    const scores = new Map(passage.sentences.map(({ start, score }) => [start, score]));
    // Sentences that were not kept are no better than the last that was.
    const rest = passage.sentences.at(-1)?.score ?? 0;
    hit?.analysis.sentences.forEach((sentence, i) => {
      const before = places.at(-1);
      const start = passage.start + sentence.start;
      const joined = before !== undefined && (i > 0 || follows(passage, before.passage));
      const score = scores.get(sentence.start) ?? rest;
      places.push({
        passage,
        rank,
        start,
        end: passage.start + sentence.end,
        gap: joined ? start - before.end : null,
        says: hit.cover.subarray(i * terms, (i + 1) * terms),
        share: Math.max(0, score / top),
        passageShare: passage.score / topPassage,
      });
    });
  }
  return places;
}

/** Whether a passage stands right behind another, on the same page, slide or sheet. */
function follows(passage: RankedPassage, before: RankedPassage): boolean {
  return (
    passage.artifactId === before.artifactId &&
    passage.ordinal === before.ordinal + 1 &&
    ['path', 'page', 'slide', 'sheet'].every(
      (key) => passage.location[key] === before.location[key],
    )
  );
}

/** How likely each sentence belongs to what was asked for. */
function likelihoods({ terms }: Question, places: readonly Place[]): Float64Array {
  const weights = terms.map(({ weight }, term) => {
    const frequency = places.reduce((sum, { says }) => sum + (says[term] ?? 0), 0);
    return weight * Math.log(1 + (places.length + 1) / (frequency + 0.5));
  });
  const z = Float64Array.from(
    places,
    ({ share, passageShare }) =>
      WINDOWS.bias + WINDOWS.own * share + WINDOWS.passage * passageShare,
  );
  for (const [radius, weight] of WINDOWS.around) {
    const said = places.map((_, i) => saidAround(places, i, radius, weights));
    const most = Math.max(...said) || 1;
    said.forEach((value, i) => {
      z[i] = (z[i] ?? 0) + (weight * value) / most;
    });
  }
  return z.map((value) => 1 / (1 + Math.exp(-value)));
}

/** The weight of the terms that a sentence and its neighbours on both sides say together. */
function saidAround(
  places: readonly Place[],
  at: number,
  radius: number,
  weights: readonly number[],
): number {
  let [first, last] = [at, at];
  while (at - first < radius && places[first]?.gap != null) first -= 1;
  while (last - at < radius && places[last + 1]?.gap != null) last += 1;
  let sum = 0;
  weights.forEach((weight, term) => {
    let strength = 0;
    for (let i = first; i <= last; i += 1) {
      strength = Math.max(strength, places[i]?.says[term] ?? 0);
    }
    sum += weight * strength;
  });
  return sum;
}
