import { ApiError } from '@engram/client';
import type { Connection } from '@engram/contract';
import { endConnection, endConnections } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { plural } from '../../../format/format.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { connectionsKey } from './list-connections.ts';

/** What is left to do once connections were ended, or were not. */
function useAfterEnding() {
  const queries = useQueryClient();
  return {
    keep: (stays: (connection: Connection) => boolean): void => {
      queries.setQueryData<Connection[]>(connectionsKey, (all) => all?.filter(stays));
    },
    onSettled: (): void => {
      void queries.invalidateQueries({ queryKey: connectionsKey });
      void queries.invalidateQueries({ queryKey: queryKeys.securityEvents });
    },
  };
}

/** Ends one connection. One that has ended before is as it should be. */
export function useEndConnection() {
  const { keep, onSettled } = useAfterEnding();
  return useMutation({
    mutationFn: async ({ id }: Connection): Promise<void> => {
      await api.call(endConnection, { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: (_, { id }) => keep((connection) => connection.id !== id),
    onError: (error) => notifyError('The connection was not ended', error),
    onSettled,
  });
}

/** Ends all of them. */
export function useEndConnections() {
  const { keep, onSettled } = useAfterEnding();
  return useMutation({
    mutationFn: async (): Promise<number> => (await api.call(endConnections, {})).data.ended,
    onSuccess: (ended) => {
      keep(() => false);
      notifySuccess(`${plural(ended, 'connection was', 'connections were')} ended.`);
    },
    onSettled,
  });
}
