import type { RankedPassage } from '@engram/retrieval';

/** A file that an answer names as related; `score` is between 0 and 1. */
export interface RelatedFile {
  artifactId: string;
  score: number;
}

/** Files that an answer names as related at most. */
const RELATED_FILES = 20;

/** A passage scoring less than this share of the best one does not make its file a related one. */
const RELATED_SHARE = 0.25;

/** Score at which a related file is shown as a half match. */
const HALF_SCORE = 5;

/** The files of passages, best first. */
export function relatedFiles(ranked: readonly RankedPassage[]): RelatedFile[] {
  const best = new Map<string, number>();
  for (const { artifactId, score } of ranked) {
    if (!best.has(artifactId)) best.set(artifactId, score);
  }
  const top = Math.max(0, ...best.values());
  return [...best]
    .filter(([, score]) => score >= top * RELATED_SHARE)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, RELATED_FILES)
    .map(([artifactId, score]) => ({
      artifactId,
      score: Math.max(0, score / (score + HALF_SCORE)),
    }));
}
