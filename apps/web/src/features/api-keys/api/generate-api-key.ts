import type { DataOf, generateApiKey } from '@engram/contract';
import { generateApiKey as route } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { apiKeysKey } from './list-api-keys.ts';

/** A key as it is shown once. */
export type NewApiKey = DataOf<typeof generateApiKey>;

export interface WantedKey {
  name: string;
  readOnly: boolean;
  /** A time, or a day in UTC at whose end it stops working; null for a key without an end. */
  expiresAt: string | null;
}

/** Makes a key. */
export function useGenerateApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, ...body }: WantedKey): Promise<NewApiKey> =>
      (await api.call(route, { params: { name }, body })).data,
    // The key itself stays nowhere but where it is shown.
    gcTime: 0,
    // A refusal may mean that another tab has made one of the name.
    onSettled: () => void queries.invalidateQueries({ queryKey: apiKeysKey }),
  });
}
