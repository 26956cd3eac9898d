import { deleteHistory } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { forgetLists } from '../../../artifacts/forget-lists.ts';

/** Deletes all questions with their answers. */
export function useDeleteHistory(): UseMutationResult<void, Error, void> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => void (await api.call(deleteHistory, {})),
    onSuccess: () => forgetLists(queries),
  });
}
