import type { ArtifactSegment } from './api.ts';

/** A stretch of a recording's text. */
export interface TranscriptPart {
  /** Offsets in the text. */
  start: number;
  end: number;
  /** When it is said, in milliseconds from the beginning; null for what is known beside the words. */
  startMs: number | null;
}

/** The parts of a recording's text, each with its moment. */
export const transcriptOf = (segments: readonly ArtifactSegment[]): TranscriptPart[] =>
  segments.map(({ start, end, location }) => ({
    start,
    end,
    startMs: 'startMs' in location ? Number(location.startMs) : null,
  }));

/** The index of the part that is said at a moment; -1 before the first. */
export function partAt(parts: readonly TranscriptPart[], ms: number): number {
  return parts.findLastIndex(({ startMs }) => startMs !== null && startMs <= ms);
}
