import type { OpenSession } from '@engram/contract';
import {
  endSession,
  endSessions,
  listSecurityEvents,
  listSessions,
} from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { plural } from '../../format/format.ts';

function keepInList(client: QueryClient, stays: (session: OpenSession) => boolean): void {
  client.setQueryData(callQuery(listSessions, {}).queryKey, (all) => all?.filter(stays));
}

/** Ends one session. */
export const useEndSession = () =>
  useAction(endSession, {
    acceptMissing: true,
    onSuccess: (_data, { params }, _before, { client }) =>
      keepInList(client, ({ id }) => id !== params.sessionId),
    onError: (error) => notifyError('The session was not ended', error),
    invalidatesAlways: [listSessions, listSecurityEvents],
  });

/** Ends all sessions but this one. */
export const useEndOtherSessions = () =>
  useAction(endSessions, {
    onSuccess: ({ ended }, _input, _before, { client }) => {
      keepInList(client, ({ current }) => current);
      notifySuccess(`${plural(ended, 'session was', 'sessions were')} ended.`);
    },
    invalidatesAlways: [listSessions, listSecurityEvents],
  });
