import { ApiError } from '@engram/client';
import type { OpenSession } from '@engram/contract';
import { endSession, endSessions } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { plural } from '../../../format/format.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { sessionsKey } from './list-sessions.ts';

/** What is left to do once sessions were ended, or were not. */
function useAfterEnding() {
  const queries = useQueryClient();
  return {
    keep: (stays: (session: OpenSession) => boolean): void => {
      queries.setQueryData<OpenSession[]>(sessionsKey, (sessions) => sessions?.filter(stays));
    },
    onSettled: (): void => {
      void queries.invalidateQueries({ queryKey: sessionsKey });
      void queries.invalidateQueries({ queryKey: queryKeys.securityEvents });
    },
  };
}

/** Ends one session. One that has ended before is as it should be. */
export function useEndSession() {
  const { keep, onSettled } = useAfterEnding();
  return useMutation({
    mutationFn: async ({ id }: OpenSession): Promise<void> => {
      await api.call(endSession, { params: { sessionId: id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: (_, { id }) => keep((session) => session.id !== id),
    onError: (error) => notifyError('The session was not ended', error),
    onSettled,
  });
}

/** Ends all sessions but this one. */
export function useEndOtherSessions() {
  const { keep, onSettled } = useAfterEnding();
  return useMutation({
    mutationFn: async (): Promise<number> => (await api.call(endSessions, {})).data.ended,
    onSuccess: (ended) => {
      keep(({ current }) => current);
      notifySuccess(`${plural(ended, 'session was', 'sessions were')} ended.`);
    },
    onSettled,
  });
}
