import { retryArtifact as route } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Has a failed file read once more. */
export function useRetryArtifact(): UseMutationResult<void, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (artifactId: string) => {
      await api.call(route, { params: { artifactId } });
    },
    onSuccess: () => {
      queries.setQueryData(queryKeys.lastUpload, Date.now());
      return queries.invalidateQueries({ queryKey: queryKeys.artifacts });
    },
    onError: (error) => notifyError('The file could not be read again', error),
  });
}
