import type { LanguageModel, ModelsState } from '@engram/contract';
import {
  chooseModel,
  getModel,
  listModels,
  pauseModel,
  removeModel,
} from '@engram/contract/browser';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';

const modelsKey = ['models'] as const;
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

const calls = { get: getModel, pause: pauseModel, use: chooseModel, remove: removeModel } as const;

const failures = {
  get: 'The model is not fetched',
  pause: 'The model was not paused',
  use: 'The model was not chosen',
  remove: 'The model was not removed',
} as const;

/** Fetches, pauses, chooses or removes a model. */
export function useModelChange(does: keyof typeof calls) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name }: LanguageModel) =>
      (await api.call(calls[does], { params: { name } })).data,
    onSuccess: (state) => queries.setQueryData(modelsKey, state),
    onError: (error) => notifyError(failures[does], error),
    onSettled: () => queries.invalidateQueries({ queryKey: modelsKey }),
  });
}
