import type { Credit } from '@engram/contract';
import { addCredits } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { adminKey } from '../admin-keys.ts';

interface Addition {
  userId: string;
  /** Digits. */
  credits: string;
}

/** Adds to somebody's credits; answers their balance. */
export function useAddCredits(): UseMutationResult<Credit, Error, Addition> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (params) => (await api.call(addCredits, { params })).data,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: adminKey });
      // They may have been the admin's own.
      void queries.invalidateQueries({ queryKey: queryKeys.metrics });
    },
  });
}
