import { logout as logoutRoute } from '@engram/contract/browser';
import { ApiError } from '@engram/client';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { paths } from '../../app/paths.ts';
import { api } from '../../api/api.ts';
import { notifyError } from '../../components/notify.ts';
import { leaveSession } from '../../session/session.ts';

async function logout(queries: QueryClient): Promise<void> {
  // Not part of the first load.
  const { deletionsOf } = await import('../../artifacts/deletions.ts');
  await deletionsOf(queries).flush();
  try {
    await api.call(logoutRoute, {});
  } catch (error) {
    // A session that the server does not know has already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
}

export function useLogout() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => logout(queries),
    onSuccess: () => {
      leaveSession();
      queries.clear();
      void navigate(paths.login, { replace: true });
    },
    onError: (error) => notifyError('You are still signed in', error),
  });
}
