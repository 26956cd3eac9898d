import type { LanguageModel } from '@engram/contract';
import { chooseModel, getModel, pauseModel, removeModel } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { modelsKey } from './list-models.ts';

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
