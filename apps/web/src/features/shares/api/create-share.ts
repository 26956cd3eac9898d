import type { Share } from '@engram/contract';
import { createShare as route } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { sharesKey } from './list-shares.ts';

/** Makes the link of an entry of the history, or asks for the one that it has. */
export function useCreateShare() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (historyId: string): Promise<Share> =>
      (await api.call(route, { body: { historyId } })).data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesKey }),
  });
}
