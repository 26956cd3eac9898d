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
/** Polling interval while a model is fetched, in milliseconds. */
const POLL_MS = 1000;

/** The language models of the server, polled while one is being fetched. */
export function useModels({ enabled = true } = {}): UseQueryResult<ModelsState> {
  return useQuery({
    enabled,
    queryKey: modelsKey,
    queryFn: async ({ signal }) => (await api.call(listModels, {}, { signal })).data,
    // A command on the machine may change them.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.models.some((model) => model.state === 'fetching') ? POLL_MS : false,
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
    onError: (error) => {
      notifyError(failures[does], error);
      void queries.invalidateQueries({ queryKey: modelsKey });
    },
  });
}
