import type { DataOf, getArtifactSegments, getArtifactWords } from '@engram/contract';
import {
  getArtifactSegments as segmentsRoute,
  getArtifactText,
  getArtifactWords as wordsRoute,
} from '@engram/contract/browser';
import { callQuery, useCall } from '../../api/use-call.ts';

/** The stale time of a file's data in milliseconds, since the file may be deleted or extracted again. */
export const FRESH_MS = 5 * 60_000;

export type ArtifactSegment = DataOf<typeof getArtifactSegments>[number];

export type ArtifactWord = DataOf<typeof getArtifactWords>[number];

export const artifactText = (artifactId: string) => ({
  ...callQuery(getArtifactText, { params: { artifactId } }),
  staleTime: FRESH_MS,
});

export const artifactWords = (artifactId: string, page: number) => ({
  ...callQuery(wordsRoute, { params: { artifactId }, query: { page } }),
  staleTime: FRESH_MS,
});

export const useArtifactText = (artifactId: string, enabled = true) =>
  useCall(getArtifactText, { params: { artifactId } }, { enabled, staleTime: FRESH_MS });

const RANGE_STEP = 250_000;

/**
 * The range around a position whose segments are read: at least 125,000 UTF-16 units to each side.
 * Nearby positions have the same range, so they share a cache entry.
 */
export function segmentRange(offset: number): { from: number; to: number } {
  const middle = Math.round(offset / RANGE_STEP) * RANGE_STEP;
  return { from: Math.max(0, middle - RANGE_STEP), to: middle + RANGE_STEP };
}

export const useArtifactSegments = (artifactId: string, offset: number | null) =>
  useCall(
    segmentsRoute,
    offset === null ? null : { params: { artifactId }, query: segmentRange(offset) },
    {
      staleTime: FRESH_MS,
    },
  );

const firstOrNull = (segments: readonly ArtifactSegment[]): ArtifactSegment | null =>
  segments[0] ?? null;

export const useSegmentAt = (artifactId: string, offset: number) =>
  useCall(
    segmentsRoute,
    { params: { artifactId }, query: { from: offset, to: offset + 1 } },
    { select: firstOrNull, staleTime: FRESH_MS },
  );
