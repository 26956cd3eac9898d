import { listKeywords } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** How many files carry each keyword, by its id; apart from the list, as counting takes longer. */
export function useKeywordFiles() {
  return useQuery({
    queryKey: [...queryKeys.keywords, 'files'],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(listKeywords, { query: { files: 'true' } }, { signal });
      return new Map(data.map(({ id, files }) => [id, files ?? 0]));
    },
    staleTime: 0,
  });
}
