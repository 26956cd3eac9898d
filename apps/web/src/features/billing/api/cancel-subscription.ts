import { cancelSubscription } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useKnownProfile } from '../../../session/account.ts';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Ends the paid plan with the period that is paid for. */
export function useCancelSubscription(): UseMutationResult<void, Error, void> {
  const queries = useQueryClient();
  const profile = useKnownProfile();
  return useMutation({
    mutationFn: async () =>
      void (await api.call(cancelSubscription, { body: { email: profile?.email } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.metrics });
      return queries.invalidateQueries({ queryKey: queryKeys.billing });
    },
  });
}
