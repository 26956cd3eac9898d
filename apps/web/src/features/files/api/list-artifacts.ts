import type { Artifact } from '@engram/contract';
import { listArtifacts as route, READY_POLL_MS } from '@engram/contract/browser';
import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import type { FileFilter, FilesView, spans } from '../files-view.ts';

export interface FilePage {
  files: Artifact[];
  /** Of all pages. */
  total: number;
  /** Files before these. */
  offset: number;
}

/** Prefix of all lists of files. */
export const fileLists = [...queryKeys.artifacts, 'list'] as const;

/** Right after an upload people watch, so the list is asked for more often, for a while. */
const WATCHED_FOR_MS = 120_000;
/** Time between two looks at a list that changes before one's eyes; a long one is looked at less. */
const WATCHED_POLL_MS = 1500;
const LONG_POLL_MS = 5000;
const LONG_LIST = 50;

/** Milliseconds until the list is asked for again; false where nothing changes by itself. */
function pollAfter(files: readonly Artifact[], uploadedAt: number): number | false {
  const isIn = (...stages: Artifact['stage'][]): boolean =>
    files.some(({ stage }) => stages.includes(stage));
  const justUploaded = Date.now() - uploadedAt < WATCHED_FOR_MS && isIn('stored');
  if (isIn('reading', 'indexing') || justUploaded) {
    return files.length > LONG_LIST ? LONG_POLL_MS : WATCHED_POLL_MS;
  }
  return isIn('stored') && READY_POLL_MS;
}

const DAY_MS = 86_400_000;
const DAYS: Record<(typeof spans)[number], number> = { day: 1, week: 7, month: 30, year: 365 };

const queryOf = ({ q, content, archived, keyword, kind, state, source, uploaded }: FileFilter) => ({
  archived: archived ? ('true' as const) : ('false' as const),
  ...(q ? { q, in: content ? ('content' as const) : ('names' as const) } : {}),
  ...(keyword ? { keyword } : {}),
  ...(kind ? { kind } : {}),
  ...(state ? { state } : {}),
  ...(source ? { source } : {}),
  ...(uploaded ? { since: new Date(Date.now() - DAYS[uploaded] * DAY_MS).toISOString() } : {}),
});

/** One page of the files; asked for again while any of them is not ready, and the page is in sight. */
export function useArtifacts(view: FilesView): UseQueryResult<FilePage> {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...fileLists, view],
    queryFn: async ({ signal }): Promise<FilePage> => {
      const { page, size: limit, sort } = view;
      const offset = (page - 1) * limit;
      const query = { limit, offset, sort, ...queryOf(view) };
      const { data, total } = await api.call(route, { query }, { signal });
      return { files: data, total: total ?? data.length, offset };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      pollAfter(state.data?.files ?? [], queries.getQueryData<number>(queryKeys.lastUpload) ?? 0),
  });
}

/** How many files there are, archived ones included; asked for only where that matters. */
export function useFileTotal(enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'total'],
    queryFn: async ({ signal }) =>
      (await api.call(route, { query: { limit: 1 } }, { signal })).total ?? 0,
    enabled,
  });
  return enabled ? data : undefined;
}

/** Files asked for at once when all are wanted. */
const ALL_PAGE = 1000;

/** The ids of all files that a filter lets through, each once, whatever comes or goes meanwhile. */
export async function listIds(filter: FileFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: ALL_PAGE, ...(cursor ? { cursor } : {}), ...queryOf(filter) };
    const page = await api.call(route, { query });
    ids.push(...page.data.map(({ artifactId }) => artifactId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}
