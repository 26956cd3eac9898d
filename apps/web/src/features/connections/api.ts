import type { AccessScope, Connection } from '@engram/contract';
import {
  allowConnection,
  allowDevice,
  denyConnection,
  denyDevice,
  endConnection,
  endConnections,
  listConnections,
  listSecurityEvents,
} from '@engram/contract/browser';
import { useMutation, type QueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { plural } from '../../format/format.ts';

/** The user's answer to a program that asks for access. */
export type Decision = { allow: true; scopes: AccessScope[] } | { allow: false };

/** Answers a request that this browser began; the browser then goes on to where the server says. */
export const useAnswerRequest = (uid: string) =>
  useMutation({
    mutationFn: async (decision: Decision): Promise<string> => {
      const params = { uid };
      const { data } = decision.allow
        ? await api.call(allowConnection, { params, body: { scopes: decision.scopes } })
        : await api.call(denyConnection, { params });
      return data.returnTo;
    },
    onSuccess: (returnTo) => window.location.assign(returnTo),
  });

/** Answers a device. */
export const useAnswerDevice = (userCode: string) =>
  useMutation({
    mutationFn: async (decision: Decision): Promise<Decision> => {
      if (decision.allow) {
        await api.call(allowDevice, { body: { userCode, scopes: decision.scopes } });
      } else await api.call(denyDevice, { body: { userCode } });
      return decision;
    },
  });

function keepInList(client: QueryClient, stays: (connection: Connection) => boolean): void {
  client.setQueryData(callQuery(listConnections, {}).queryKey, (all) => all?.filter(stays));
}

/** Ends one connection. */
export const useEndConnection = () =>
  useAction(endConnection, {
    acceptMissing: true,
    onSuccess: (_data, { params }, _before, { client }) =>
      keepInList(client, ({ id }) => id !== params.id),
    onError: (error) => notifyError('The connection was not ended', error),
    invalidatesAlways: [listConnections, listSecurityEvents],
  });

/** Ends all of them. */
export const useEndConnections = () =>
  useAction(endConnections, {
    onSuccess: ({ ended }, _input, _before, { client }) => {
      keepInList(client, () => false);
      notifySuccess(`${plural(ended, 'connection was', 'connections were')} ended.`);
    },
    invalidatesAlways: [listConnections, listSecurityEvents],
  });
