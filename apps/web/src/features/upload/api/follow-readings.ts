import type { Artifact } from '@engram/contract';
import { listArtifacts as route, retryArtifact } from '@engram/contract/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { notifyError } from '../../../components/notify.ts';

/** Files that are looked at together: what was sent last is among the newest. */
const NEWEST = 200;
/** People watch what they have just dropped. */
const POLL_MS = 1500;

const isRead = (file: Artifact | undefined): boolean =>
  file?.stage === 'ready' || file?.stage === 'failed';

/** How far the newest files are, by their ids; asked for until those that are followed are read. */
export function useReadings(ids: readonly string[]): ReadonlyMap<string, Artifact> {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'tray'],
    queryFn: async ({ signal }) => {
      const { data: files } = await api.call(route, { query: { limit: NEWEST } }, { signal });
      return new Map(files.map((file) => [file.artifactId, file]));
    },
    enabled: ids.length > 0,
    refetchInterval: ({ state }) =>
      ids.some((id) => state.data?.has(id) !== false && !isRead(state.data?.get(id))) && POLL_MS,
  });
  return data ?? new Map();
}

/** Has a file read once more. */
export function useReadAgain() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (artifactId: string) => api.call(retryArtifact, { params: { artifactId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.artifacts }),
    onError: (error) => notifyError('The file could not be read again', error),
  });
}
