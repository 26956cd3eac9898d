import { deleteArtifact as route } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { notifyError, notifySuccess } from '../../../lib/notify.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** Deletes a file and everything that was derived from it. */
export function useDeleteArtifact(onDone: () => void): UseMutationResult<string, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (artifactId: string) =>
      (await api.call(route, { params: { artifactId } })).message,
    onSuccess: (message) => {
      notifySuccess(message);
      onDone();
      // Old answers that cite the file have changed too.
      for (const key of ['history', 'metrics', 'suggestions', 'recommendations'] as const) {
        void queries.invalidateQueries({ queryKey: queryKeys[key] });
      }
      return queries.invalidateQueries({ queryKey: queryKeys.artifacts });
    },
    onError: (error) => notifyError('The file was not deleted', error),
  });
}
