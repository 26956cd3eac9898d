import { ApiError } from '@engram/client';
import type { ApiKey } from '@engram/contract';
import { revokeApiKey as route } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { apiKeysKey, cacheApiKeys } from './list-api-keys.ts';

/** Revokes a key. One that was revoked before is as it should be. */
export function useRevokeApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      await api.call(route, { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: async (_, id) => {
      // A list that is on its way may still have it.
      await queries.cancelQueries({ queryKey: apiKeysKey });
      const left = queries.setQueryData<ApiKey[]>(apiKeysKey, (keys) =>
        keys?.filter((key) => key.id !== id),
      );
      if (left) cacheApiKeys(left);
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: apiKeysKey }),
  });
}
