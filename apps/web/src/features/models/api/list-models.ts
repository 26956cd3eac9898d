import type { ModelsState } from '@engram/contract';
import { listModels } from '@engram/contract/browser';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export const modelsKey = ['models'] as const;
/** The language models of the server, and their progress while they are fetched. */
export function useModels({ enabled = true } = {}): UseQueryResult<ModelsState> {
  const queries = useQueryClient();
  return useQuery({
    enabled,
    queryKey: modelsKey,
    queryFn: async ({ signal }) => {
      let last: ModelsState | undefined;
      for await (const { data } of api.stream(listModels, {}, { signal })) {
        last = data;
        queries.setQueryData(modelsKey, data);
      }
      if (last === undefined) throw new Error('The list of models was cut off.');
      return last;
    },
    // A command on the machine may change them.
    staleTime: 0,
  });
}
