import type { DataOf, getArtifactSegments, getArtifactWords } from '@engram/contract';
import {
  getArtifactSegments as segmentsRoute,
  getArtifactText,
  getArtifactWords as wordsRoute,
} from '@engram/contract/browser';
import { callQuery, useCall } from '../../api/use-call.ts';

/** Milliseconds for which what was read of a file is taken as current: a file may be deleted or extracted again. */
export const FRESH_MS = 5 * 60_000;

/** A part of a file's text with its source location. */
export type ArtifactSegment = DataOf<typeof getArtifactSegments>[number];

/** A word that was recognised on a page. */
export type ArtifactWord = DataOf<typeof getArtifactWords>[number];

/** A file's extracted text, outside of components. */
export const artifactText = (artifactId: string) => ({
  ...callQuery(getArtifactText, { params: { artifactId } }),
  staleTime: FRESH_MS,
});

/** The words recognised on a page, and where they are on it; a picture is its own page 1. */
export const artifactWords = (artifactId: string, page: number) => ({
  ...callQuery(wordsRoute, { params: { artifactId }, query: { page } }),
  staleTime: FRESH_MS,
});

/** A file's extracted text. */
export const useArtifactText = (artifactId: string, enabled = true) =>
  useCall(getArtifactText, { params: { artifactId } }, { enabled, staleTime: FRESH_MS });

const REACH = 250_000;

/**
 * The part of a text around a position whose segments are read, in UTF-16 units: at least 125,000 to
 * each side, and the same for positions that are near each other.
 */
export function reachAround(at: number): { from: number; to: number } {
  const middle = Math.round(at / REACH) * REACH;
  return { from: Math.max(0, middle - REACH), to: middle + REACH };
}

/** The segments of the text around a position; nothing is read while that is null. */
export const useArtifactSegments = (artifactId: string, at: number | null) =>
  useCall(segmentsRoute, at === null ? null : { params: { artifactId }, query: reachAround(at) }, {
    staleTime: FRESH_MS,
  });

const firstOrNull = (segments: readonly ArtifactSegment[]): ArtifactSegment | null =>
  segments[0] ?? null;

/** The segment of a file's text that contains a position; null where none does. */
export const useSegmentAt = (artifactId: string, at: number) =>
  useCall(
    segmentsRoute,
    { params: { artifactId }, query: { from: at, to: at + 1 } },
    { select: firstOrNull, staleTime: FRESH_MS },
  );
