import { getArtifactText } from '@engram/contract/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** How long what was read of a file is taken as it is: it may be deleted, or read anew. In milliseconds. */
export const READ_FRESH_MS = 5 * 60_000;

export const artifactText = (artifactId: string) =>
  queryOptions({
    queryKey: [...queryKeys.artifacts, 'text', artifactId],
    queryFn: ({ signal }) => api.text(getArtifactText, { params: { artifactId } }, { signal }),
    staleTime: READ_FRESH_MS,
  });

/** A file's extracted text. */
export const useArtifactText = (artifactId: string, enabled = true) =>
  useQuery({ ...artifactText(artifactId), enabled });
