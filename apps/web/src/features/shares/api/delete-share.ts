import { deleteShare as route } from '@engram/contract/browser';
import { ApiError } from '@engram/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { sharesKey } from './list-shares.ts';

/** Revokes a link. One that was revoked before is as it should be. */
export function useDeleteShare() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      await api.call(route, { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesKey }),
    onError: (error) => notifyError('The answer is still shared', error),
  });
}
