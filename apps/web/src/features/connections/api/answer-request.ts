import type { AccessScope, ConnectionRequest } from '@engram/contract';
import {
  allowConnection,
  allowDevice,
  denyConnection,
  denyDevice,
  getConnectionRequest,
  getDeviceRequest,
} from '@engram/contract/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** What a person answers to a program that asks to be let in. */
export type Decision = { allow: true; scopes: AccessScope[] } | { allow: false };

/** Who asks to be let in by a request that this browser began. */
export const useConnectionRequest = (uid: string) =>
  useQuery({
    queryKey: ['connection-request', uid],
    queryFn: async ({ signal }): Promise<ConnectionRequest> =>
      (await api.call(getConnectionRequest, { params: { uid } }, { signal })).data,
    // It is the same until it is answered.
    staleTime: Infinity,
    retry: false,
  });

/** Answers it; the browser then goes on to where this says. */
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

/** Looks for the device that shows a code. */
export const useFindDevice = () =>
  useMutation({
    mutationFn: async (userCode: string): Promise<ConnectionRequest> =>
      (await api.call(getDeviceRequest, { body: { userCode } })).data,
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
