import type { Connection, OpenSession } from '@engram/contract';
import {
  endConnection,
  endConnections,
  endSession,
  endSessions,
  listConnections,
  listSecurityEvents,
  listSessions,
} from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { plural } from '../../format/format.ts';

function filterSessions(client: QueryClient, keep: (session: OpenSession) => boolean): void {
  client.setQueryData(callQuery(listSessions, {}).queryKey, (all) => all?.filter(keep));
}

/** Ends one session. */
export const useEndSession = () =>
  useAction(endSession, {
    acceptMissing: true,
    onSuccess: (_data, { params }, _before, { client }) =>
      filterSessions(client, ({ id }) => id !== params.sessionId),
    onError: (error) => notifyError('The session was not ended', error),
    invalidatesAlways: [listSessions, listSecurityEvents],
  });

/** Ends all sessions but this one. */
export const useEndOtherSessions = () =>
  useAction(endSessions, {
    onSuccess: ({ ended }, _input, _before, { client }) => {
      filterSessions(client, ({ current }) => current);
      notifySuccess(`${plural(ended, 'session was', 'sessions were')} ended.`);
    },
    invalidatesAlways: [listSessions, listSecurityEvents],
  });

function filterConnections(client: QueryClient, keep: (connection: Connection) => boolean): void {
  client.setQueryData(callQuery(listConnections, {}).queryKey, (all) => all?.filter(keep));
}

/** Ends one connection. */
export const useEndConnection = () =>
  useAction(endConnection, {
    acceptMissing: true,
    onSuccess: (_data, { params }, _before, { client }) =>
      filterConnections(client, ({ id }) => id !== params.id),
    onError: (error) => notifyError('The connection was not ended', error),
    invalidatesAlways: [listConnections, listSecurityEvents],
  });

/** Ends all connections. */
export const useEndConnections = () =>
  useAction(endConnections, {
    onSuccess: ({ ended }, _input, _before, { client }) => {
      filterConnections(client, () => false);
      notifySuccess(`${plural(ended, 'connection was', 'connections were')} ended.`);
    },
    invalidatesAlways: [listConnections, listSecurityEvents],
  });
