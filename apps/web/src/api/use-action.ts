import { ApiError } from '@engram/client';
import type { Callable, DataOf, InputOf } from '@engram/contract';
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { invalidate, type Routes } from './keys.ts';

interface ActionOptions<R extends Callable, C> extends Omit<
  UseMutationOptions<DataOf<R>, Error, InputOf<R>, C>,
  'mutationFn'
> {
  /** Stale after success. The action is pending until active queries are refetched. */
  invalidates?: readonly Routes[];
  /** Stale after success and failure. Refetched in the background. */
  invalidatesAlways?: readonly Routes[];
  acceptMissing?: boolean;
}

export const useAction = <R extends Callable, C = unknown>(
  route: R,
  {
    invalidates = [],
    invalidatesAlways = [],
    acceptMissing = false,
    ...options
  }: ActionOptions<R, C> = {},
) =>
  useMutation({
    ...options,
    mutationFn: async (input) => {
      try {
        return (await api.call(route, input)).data;
      } catch (error) {
        if (acceptMissing && error instanceof ApiError && error.status === 404) {
          return undefined as DataOf<R>;
        }
        throw error;
      }
    },
    onSuccess: async (...args) => {
      await options.onSuccess?.(...args);
      await invalidate(args[3].client, invalidates);
    },
    onSettled: async (...args) => {
      void invalidate(args[4].client, invalidatesAlways);
      await options.onSettled?.(...args);
    },
  });
