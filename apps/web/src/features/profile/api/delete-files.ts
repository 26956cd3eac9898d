import { deleteAllArtifacts } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { forgetLists } from '../../../artifacts/forget-lists.ts';
import { writeSession } from '../../../session/session.ts';

/** Deletes all files. */
export function useDeleteFiles(): UseMutationResult<void, Error, void> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => void (await api.call(deleteAllArtifacts, {})),
    onSuccess: () => {
      writeSession('artifactsExist', 'false');
      forgetLists(queries);
    },
  });
}
