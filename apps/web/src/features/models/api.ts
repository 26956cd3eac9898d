import type { ModelsState } from '@engram/contract';
import {
  chooseModel,
  getModel,
  listModels,
  pauseModel,
  removeModel,
} from '@engram/contract/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';
import { notifyError } from '../../components/notify.ts';

const { queryKey } = callQuery(listModels, {});

export function useModels({ enabled = true } = {}) {
  const queries = useQueryClient();
  return useQuery({
    enabled,
    queryKey,
    queryFn: async ({ signal }) => {
      let last: ModelsState | undefined;
      for await (const { data } of api.stream(listModels, {}, { signal })) {
        last = data;
        queries.setQueryData(queryKey, data);
      }
      if (last === undefined) throw new Error('The list of models was cut off.');
      return last;
    },
    // A command on the machine may change them.
    staleTime: 0,
  });
}

const routes = { get: getModel, pause: pauseModel, use: chooseModel, remove: removeModel } as const;

const failures = {
  get: 'The download was not started',
  pause: 'The download was not paused',
  use: 'The model was not chosen',
  // The confirmation dialog shows it.
  remove: null,
} as const;

export const useModelChange = (change: keyof typeof routes) =>
  useAction(routes[change], {
    onSuccess: (state, _input, _before, { client }) => client.setQueryData(queryKey, state),
    onError: (error) => {
      const title = failures[change];
      if (title !== null) notifyError(title, error);
    },
    invalidatesAlways: [listModels],
  });
