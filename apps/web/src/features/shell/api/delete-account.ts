import { deleteAccount, getProfile } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useProfile } from '../../../lib/account.ts';
import { api } from '../../../lib/api.ts';
import { leaveSession } from '../../../lib/session.ts';

/** Deletes the person's account with everything in it, forgets them here and goes to the sign-in page. */
export function useDeleteAccount(): UseMutationResult<void, Error, void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: profile } = useProfile();
  return useMutation({
    mutationFn: async () => {
      const { email } = profile ?? (await api.call(getProfile, {})).data;
      await api.call(deleteAccount, { body: { email } });
    },
    onSuccess: () => {
      leaveSession();
      queries.clear();
      void navigate(paths.login, { replace: true });
    },
  });
}
