import type { AccessScope } from '@engram/contract';
import { allowConnection, allowDevice, denyConnection, denyDevice } from '@engram/contract/browser';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

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
