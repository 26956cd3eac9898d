import { getArtifactText } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** A file's extracted text. It never changes while the file exists, but the file may be deleted. */
export function useArtifactText(artifactId: string, enabled = true) {
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'text', artifactId],
    queryFn: ({ signal }) => api.text(getArtifactText, { params: { artifactId } }, { signal }),
    enabled,
    staleTime: 5 * 60_000,
  });
}
