import type { RelatedFile } from '@engram/contract';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../lib/query-keys.ts';
import { LINK_FRESH_MS, signFile } from '../../../lib/signed-file.ts';

/** A link to a related file's bytes that works now; it came with the answer at `receivedAt`. */
export function useFileLink(file: RelatedFile, receivedAt: number): string {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'link', file.artifactId],
    queryFn: async ({ signal }) => (await signFile(file.artifactId, signal)).presignedUrl,
    initialData: file.presignedUrl,
    initialDataUpdatedAt: receivedAt,
    staleTime: LINK_FRESH_MS,
    refetchInterval: LINK_FRESH_MS,
  });
  return data;
}
