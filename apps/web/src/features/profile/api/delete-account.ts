import { deleteAccount } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { api } from '../../../api/api.ts';
import { leaveSession } from '../../../session/session.ts';

/**
 * Deletes the account with the given address and everything in it, forgets the person here and goes
 * to the sign-in page.
 */
export function useDeleteAccount(): UseMutationResult<void, Error, string> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (email) => {
      await api.call(deleteAccount, { body: { email } });
    },
    onSuccess: () => {
      leaveSession();
      queries.clear();
      void navigate(paths.login, { replace: true });
    },
  });
}
