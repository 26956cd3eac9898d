import type { Artifact } from '@engram/contract';
import { listArtifacts as route, READY_POLL_MS } from '@engram/contract/browser';
import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

export interface FilePage {
  files: Artifact[];
  /** Of all pages. */
  total: number;
  nextCursor: string | null;
}

interface FileQuery {
  /** Files on a page. */
  limit: number;
  cursor: string | null;
  q: string;
}

/** Right after an upload people watch, so the list is asked for more often, for a while. */
const WATCHED_POLL_MS = 2000;
const WATCHED_FOR_MS = 120_000;

const isBeingRead = ({ uploadStatus }: Artifact): boolean =>
  uploadStatus === 'PENDING' || uploadStatus === 'PROCESSING';

/** One page of the files, newest first; asked for again while any of them is being read. */
export function useArtifacts({ limit, cursor, q }: FileQuery): UseQueryResult<FilePage> {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'list', { limit, cursor, q }],
    queryFn: async ({ signal }): Promise<FilePage> => {
      const query = { limit, ...(cursor ? { cursor } : {}), ...(q ? { q } : {}) };
      const { data, total, nextCursor } = await api.call(route, { query }, { signal });
      return { files: data, total: total ?? data.length, nextCursor: nextCursor ?? null };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (!state.data?.files.some(isBeingRead)) return false;
      const uploadedAt = queries.getQueryData<number>(queryKeys.lastUpload) ?? 0;
      return Date.now() - uploadedAt < WATCHED_FOR_MS ? WATCHED_POLL_MS : READY_POLL_MS;
    },
  });
}
