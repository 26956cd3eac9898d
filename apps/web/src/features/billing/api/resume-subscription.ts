import { resumeSubscription } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useKnownProfile } from '../../../session/account.ts';
import { api } from '../../../api/api.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Lets the plan go on that was cancelled, or that another plan was to follow. */
export function useResumeSubscription(): UseMutationResult<void, Error, void> {
  const queries = useQueryClient();
  const profile = useKnownProfile();
  return useMutation({
    mutationFn: async () =>
      void (await api.call(resumeSubscription, { body: { email: profile?.email } })),
    onSuccess: () => notifySuccess('Your plan goes on'),
    onError: (error) => notifyError('Your plan was not changed', error),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.metrics });
      return queries.invalidateQueries({ queryKey: queryKeys.billing });
    },
  });
}
