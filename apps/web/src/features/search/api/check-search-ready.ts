import { READY_POLL_MS, searchReady } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Whether no file is waiting or being read; asked again every 15 seconds until it is so. */
export function useSearchReady() {
  return useQuery({
    queryKey: [...queryKeys.artifacts, 'search_ready'],
    queryFn: async ({ signal }) => (await api.call(searchReady, {}, { signal })).data,
    staleTime: 0,
    refetchInterval: (query) => (query.state.data === true ? false : READY_POLL_MS),
  });
}
