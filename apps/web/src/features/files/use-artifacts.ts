import type { Artifact } from '@engram/contract';
import { listArtifacts, READY_POLL_MS, setArtifactKeywords } from '@engram/contract/browser';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/api.ts';
import { keyOf } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { useTotal } from '../../api/use-call.ts';
import { lastUploadAt } from '../../artifacts/actions.ts';
import { deletionsOf, useDeletions } from '../../artifacts/deletions.ts';
import { notifyError } from '../../components/notify.ts';
import { type FileFilter, filterOf, type FilesView, type Span } from './files-view.ts';

export interface FilePage {
  files: Artifact[];
  total: number;
  offset: number;
}

const MAX_LIMIT = 1000;

export const fileLists = [...keyOf(listArtifacts), 'list'] as const;

/** For this long after an upload the list is polled more often, as the user is watching it. */
const RECENT_UPLOAD_MS = 120_000;
/** Milliseconds between reads of a changing list. A long one is read less often. */
const POLL_MS = 1500;
const LONG_POLL_MS = 5000;
const LONG_LIST = 50;

/** Milliseconds until the list is read again; false if only the user can change it. */
function pollAfter(files: readonly Artifact[], uploadedAt: number): number | false {
  const hasStage = (...stages: Artifact['stage'][]): boolean =>
    files.some(({ stage }) => stages.includes(stage));
  const justUploaded = Date.now() - uploadedAt < RECENT_UPLOAD_MS && hasStage('stored');
  if (hasStage('reading', 'indexing') || justUploaded) {
    return files.length > LONG_LIST ? LONG_POLL_MS : POLL_MS;
  }
  return hasStage('stored') && READY_POLL_MS;
}

const DAY_MS = 86_400_000;
const DAYS: Record<Span, number> = { day: 1, week: 7, month: 30, year: 365 };

const queryOf = ({ q, content, archived, keyword, kind, state, source, uploaded }: FileFilter) => ({
  archived: archived ? ('true' as const) : ('false' as const),
  ...(q ? { q, in: content ? ('content' as const) : ('names' as const) } : {}),
  ...(keyword ? { keyword } : {}),
  ...(kind ? { kind } : {}),
  ...(state ? { state } : {}),
  ...(source ? { source } : {}),
  ...(uploaded ? { since: new Date(Date.now() - DAYS[uploaded] * DAY_MS).toISOString() } : {}),
});

export const listOf = (filter: FileFilter): string => JSON.stringify(filter);

function withoutDeleted(
  page: FilePage,
  { hidden, countIn }: ReturnType<typeof useDeletions>,
  view: FilesView,
): FilePage {
  const onPage = new Set(page.files.map(({ artifactId }) => artifactId));
  const files = page.files.filter(({ artifactId }) => !hidden.has(artifactId)).slice(0, view.size);
  const total = page.total - countIn(listOf(filterOf(view)), onPage);
  return { ...page, files, total: Math.max(total, files.length) };
}

/** One page of the files, polled while a file is not ready and the page is visible. */
export function useArtifacts(view: FilesView) {
  const queries = useQueryClient();
  const deletions = useDeletions();
  const list = useQuery({
    queryKey: [...fileLists, view],
    queryFn: async ({ signal }): Promise<FilePage> => {
      const { page, size, sort } = view;
      const offset = (page - 1) * size;
      const limit = Math.min(size + deletionsOf(queries).count(), MAX_LIMIT);
      const query = { limit, offset, sort, ...queryOf(view) };
      const { data, total } = await api.call(listArtifacts, { query }, { signal });
      return { files: data, total: total ?? data.length, offset };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollAfter(state.data?.files ?? [], lastUploadAt(queries)),
  });
  const { data } = list;
  const page = useMemo(
    () => data && withoutDeleted(data, deletions, view),
    [data, deletions, view],
  );
  return { ...list, page };
}

export function useFileTotal(enabled: boolean): number | undefined {
  const { countIn } = useDeletions();
  const total = useTotal(listArtifacts, { query: { limit: 1 } }, { enabled });
  return enabled && total !== undefined ? total - countIn(null, new Set()) : undefined;
}

/** The ids of all files that match a filter. A cursor makes each appear once while files change. */
export async function listIds(filter: FileFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: MAX_LIMIT, ...(cursor ? { cursor } : {}), ...queryOf(filter) };
    const page = await api.call(listArtifacts, { query });
    ids.push(...page.data.map(({ artifactId }) => artifactId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}

/** Changes a file's keywords. It is pending until the list has the change. */
export const useSetArtifactKeywords = (artifactId: string) =>
  useAction(setArtifactKeywords, {
    // Each call names all keywords, so the calls must arrive in order.
    scope: { id: `keywords of ${artifactId}` },
    onError: (error) => notifyError('The keywords were not changed', error),
    invalidates: [listArtifacts, 'keywords'],
  });
