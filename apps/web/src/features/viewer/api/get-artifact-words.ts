import type { DataOf } from '@engram/contract';
import { getArtifactWords } from '@engram/contract/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { READ_FRESH_MS } from './get-artifact-text.ts';

export type ArtifactWord = DataOf<typeof getArtifactWords>[number];

/** Where the words recognised on a page stand; a picture is its own page 1. */
export const artifactWords = (artifactId: string, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.artifacts, 'words', artifactId, page],
    queryFn: async ({ signal }) =>
      (await api.call(getArtifactWords, { params: { artifactId }, query: { page } }, { signal }))
        .data,
    staleTime: READ_FRESH_MS,
  });
