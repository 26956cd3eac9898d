import { suggestions } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** What a question may be completed to; the browser matches it. Asked for once somebody types. */
export function useSuggestions(typing: boolean) {
  return useQuery({
    queryKey: queryKeys.suggestions,
    queryFn: async ({ signal }) => (await api.call(suggestions, {}, { signal })).data,
    enabled: typing,
  });
}
