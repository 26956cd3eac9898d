import { hasAnswerOfType } from './answer-types.ts';
import { matchPassages, termWeights } from './hits.ts';
import type { Hits } from './hits.ts';
import { createMeaning } from './word-meaning.ts';
import type { PassageAnalysis } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { MATCHING } from './weights.ts';

/** What speaks for one sentence as the answer. */
export interface SentenceFeatures {
  /** Share of the question's weight said in it and, a little less, in the sentence before it. */
  said: number;
  /** 1 when something of the asked kind is in it, 0 when not, 0.5 when the kind is open. */
  type: number;
  /** How near its words are in meaning to the question's, less the usual; 0 for unknown. */
  closeness: number;
  /** The index's score of its passage. */
  index: number;
}

/** A passage with what speaks for it. */
export interface PassageEvidence {
  passage: Passage;
  analysis: PassageAnalysis;
  /** One for each sentence. */
  features: SentenceFeatures[];
  /** Share of the question's weight that file name and headings say. */
  context: number;
}

/** Gathers what the words of every passage say for it; what they mean is not compared yet. */
export function gatherEvidence(
  question: Question,
  passages: readonly Passage[],
): PassageEvidence[] {
  const { matcher, hits } = matchPassages(question, passages);
  const weights = termWeights(question, hits);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return hits.map((hit, i): PassageEvidence => {
    const passage = passages[i];
    if (passage === undefined) throw new Error('Hits are of passages.');
    const { analysis } = hit;
    const features = analysis.sentences.map((sentence, s): SentenceFeatures => {
      const typed = hasAnswerOfType(question.type, analysis, sentence, matcher);
      return {
        said: saidAt(hit, weights, s) / total,
        type: typed === null ? 0.5 : Number(typed),
        closeness: 0,
        index: passage.score,
      };
    });
    const context = weights.reduce(
      (sum, weight, term) => sum + weight * (hit.context[term] ?? 0),
      0,
    );
    return { passage, analysis, features, context: context / total };
  });
}

/** The weight of the terms that a sentence says; 'it' and 'they' stand for words of the one before. */
function saidAt({ analysis, cover }: Hits, weights: Float64Array, s: number): number {
  const count = weights.length;
  // What stands in the row above is said of something else.
  const carried = s > 0 && analysis.sentences[s]?.kind === 'prose' ? MATCHING.before : 0;
  let sum = 0;
  for (let term = 0; term < count; term += 1) {
    const at = s * count + term;
    const before = carried === 0 ? 0 : carried * (cover[at - count] ?? 0);
    sum += (weights[term] ?? 0) * Math.max(cover[at] ?? 0, before);
  }
  return sum;
}

/** Compares in meaning, too, which takes longer; nothing for a question whose meaning is not known. */
export function addMeaning(question: Question, evidence: readonly PassageEvidence[]): void {
  const closenessOf = createMeaning(question);
  if (closenessOf === null) return;
  for (const { analysis, features } of evidence) {
    closenessOf(analysis).forEach((closeness, s) => {
      const own = features[s];
      if (own !== undefined) own.closeness = closeness;
    });
  }
}
