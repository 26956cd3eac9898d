import type { DataOf, getArtifactSegments, getArtifactWords } from '@engram/contract';
import {
  getArtifactSegments as segmentsRoute,
  getArtifactText,
  getArtifactWords as wordsRoute,
} from '@engram/contract/browser';
import { callQuery, useCall } from '../../api/use-call.ts';

/** How long data read from a file stays fresh, in milliseconds. A file may be deleted or extracted again. */
export const FRESH_MS = 5 * 60_000;

export type ArtifactSegment = DataOf<typeof getArtifactSegments>[number];

export type ArtifactWord = DataOf<typeof getArtifactWords>[number];

export const artifactText = (artifactId: string) => ({
  ...callQuery(getArtifactText, { params: { artifactId } }),
  staleTime: FRESH_MS,
});

/** The words that OCR found on a page, with their positions. A picture is page 1. */
export const artifactWords = (artifactId: string, page: number) => ({
  ...callQuery(wordsRoute, { params: { artifactId }, query: { page } }),
  staleTime: FRESH_MS,
});

export const useArtifactText = (artifactId: string, enabled = true) =>
  useCall(getArtifactText, { params: { artifactId } }, { enabled, staleTime: FRESH_MS });

const REACH = 250_000;

/**
 * The part of a text around a position whose segments are read, in UTF-16 units: at least 125,000
 * to each side. Positions near each other have the same part, so they share a cache entry.
 */
export function reachAround(at: number): { from: number; to: number } {
  const middle = Math.round(at / REACH) * REACH;
  return { from: Math.max(0, middle - REACH), to: middle + REACH };
}

export const useArtifactSegments = (artifactId: string, at: number | null) =>
  useCall(segmentsRoute, at === null ? null : { params: { artifactId }, query: reachAround(at) }, {
    staleTime: FRESH_MS,
  });

const firstOrNull = (segments: readonly ArtifactSegment[]): ArtifactSegment | null =>
  segments[0] ?? null;

export const useSegmentAt = (artifactId: string, at: number) =>
  useCall(
    segmentsRoute,
    { params: { artifactId }, query: { from: at, to: at + 1 } },
    { select: firstOrNull, staleTime: FRESH_MS },
  );
