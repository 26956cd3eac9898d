import { signArtifact } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** Links hold for 15 minutes: one is signed anew well before that. In milliseconds. */
const LINK_FRESH_MS = 10 * 60_000;

/** A link to a file's bytes that works without a token, with the file's name, type and size. */
export function useSignedFile(artifactId: string) {
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'signed', artifactId],
    queryFn: async ({ signal }) =>
      (await api.call(signArtifact, { params: { artifactId } }, { signal })).data,
    staleTime: LINK_FRESH_MS,
    refetchInterval: LINK_FRESH_MS,
  });
}
