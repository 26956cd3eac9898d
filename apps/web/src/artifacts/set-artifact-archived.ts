import { setArtifactArchived } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { notifyError, notifySuccess } from '../components/notify.ts';
import { queryKeys } from '../api/query-keys.ts';

interface ArchiveChange {
  artifactId: string;
  archived: boolean;
}

/** Takes a file out of search, or back into it. */
export function useSetArtifactArchived() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ artifactId, archived }: ArchiveChange) =>
      api.call(setArtifactArchived, {
        params: { artifactId, archived: archived ? 'true' : 'false' },
      }),
    onSuccess: (_, { archived }) => {
      notifySuccess(
        archived
          ? 'The file is archived: it is kept, and left out of search.'
          : 'The file is back in search.',
      );
      // An answer tells of each of its files whether it is archived.
      void queryClient.invalidateQueries({ queryKey: [...queryKeys.history, 'entry'] });
      return queryClient.invalidateQueries({ queryKey: queryKeys.artifacts });
    },
    onError: (error, { archived }) =>
      notifyError(archived ? 'The file was not archived' : 'The file was not un-archived', error),
  });
}
