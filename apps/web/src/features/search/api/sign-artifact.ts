import type { RelatedFile } from '@engram/contract';
import { signArtifact } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** A link holds for 15 minutes; one that is older than this is signed anew. In milliseconds. */
const LINK_FRESH_MS = 10 * 60_000;

/** A link to a related file's bytes that works now; it came with the answer at `receivedAt`. */
export function useFileLink(file: RelatedFile, receivedAt: number): string {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'link', file.artifactId],
    queryFn: async ({ signal }) =>
      (await api.call(signArtifact, { params: { artifactId: file.artifactId } }, { signal })).data
        .presignedUrl,
    initialData: file.presignedUrl,
    initialDataUpdatedAt: receivedAt,
    staleTime: LINK_FRESH_MS,
    refetchInterval: LINK_FRESH_MS,
  });
  return data;
}
