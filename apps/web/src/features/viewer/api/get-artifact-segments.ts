import type { DataOf } from '@engram/contract';
import { getArtifactSegments } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { READ_FRESH_MS } from './get-artifact-text.ts';

/** A stretch of a file's text that stands at one place of the file. */
export type ArtifactSegment = DataOf<typeof getArtifactSegments>[number];

const REACH = 250_000;

/**
 * The part of the text around a position of which is told where it stands, in UTF-16 units: 125,000
 * to each side at least, and the same for positions that are near each other.
 */
export function reachAround(at: number): { from: number; to: number } {
  const middle = Math.round(at / REACH) * REACH;
  return { from: Math.max(0, middle - REACH), to: middle + REACH };
}

/** Where the text around a position stands in its file; nothing is asked while that is null. */
export function useArtifactSegments(artifactId: string, at: number | null) {
  const { from, to } = reachAround(at ?? 0);
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'segments', artifactId, from, to],
    queryFn: async ({ signal }) =>
      (
        await api.call(
          getArtifactSegments,
          { params: { artifactId }, query: { from, to } },
          { signal },
        )
      ).data,
    enabled: at !== null,
    staleTime: READ_FRESH_MS,
  });
}

/** The stretch of a file's text that a position lies in; null where none does. */
export function useSegmentAt(artifactId: string, at: number) {
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'segment-at', artifactId, at],
    queryFn: async ({ signal }) => {
      const query = { from: at, to: at + 1 };
      const { data } = await api.call(
        getArtifactSegments,
        { params: { artifactId }, query },
        { signal },
      );
      return data[0] ?? null;
    },
    staleTime: READ_FRESH_MS,
  });
}
