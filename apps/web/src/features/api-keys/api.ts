import { ApiError } from '@engram/client';
import type { ApiKey, DataOf, generateApiKey } from '@engram/contract';
import { listApiKeys, revokeApiKey } from '@engram/contract/browser';
import { useAction } from '../../api/use-action.ts';
import { callQuery, useCall } from '../../api/use-call.ts';
import { messageOf, notifySuccess } from '../../components/notify.ts';
import { startFromCache } from '../../session/session-cache.ts';

/** A key as it is shown once. */
export type NewApiKey = DataOf<typeof generateApiKey>;

const { queryKey } = callQuery(listApiKeys, {});

/** The user's keys, masked, newest first. */
export const useApiKeys = () => useCall(listApiKeys, {}, startFromCache<ApiKey[]>('apiKeys'));

/** Revokes a key. */
export const useRevokeApiKey = () =>
  useAction(revokeApiKey, {
    acceptMissing: true,
    onSuccess: async (_data, { params }, _before, { client }) => {
      notifySuccess('Revoked API successfully');
      // A list that is being read may still contain the key.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (keys) => keys?.filter(({ id }) => id !== params.id));
    },
    invalidatesAlways: [listApiKeys],
  });

/** Why a call failed, as a sentence. */
export function failureReason(error: unknown): string {
  const isExplained = error instanceof ApiError ? error.code !== 'http' : error instanceof Error;
  return isExplained ? messageOf(error) : 'An unexpected error occurred.';
}
