import type { Callable, DataOf, InputOf } from '@engram/contract';
import {
  queryOptions,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { api } from './api.ts';
import { keyOf } from './keys.ts';

type AnswerOf<R extends Callable> = R['kind'] extends 'text' ? string : DataOf<R>;

interface CallOptions<R extends Callable, T> extends Omit<
  UseQueryOptions<AnswerOf<R>, Error, T>,
  'queryKey' | 'queryFn' | 'enabled'
> {
  enabled?: boolean;
}

/** The query of a call, for {@link useCall} and for access to the cache. */
export const callQuery = <R extends Callable>(route: R, input: InputOf<R> | null) =>
  queryOptions({
    queryKey: [...keyOf(route), input] as QueryKey,
    queryFn: async ({ signal }): Promise<AnswerOf<R>> => {
      const args = [route, input as InputOf<R>, { signal }] as const;
      if (route.kind === 'text') return (await api.text(...args)) as AnswerOf<R>;
      return (await api.call(...args)).data as AnswerOf<R>;
    },
  });

/** Reads from the server, cached by route and input. Reads nothing if the input is null. */
export function useCall<R extends Callable, T = AnswerOf<R>>(
  route: R,
  input: InputOf<R> | null,
  { enabled = true, ...options }: CallOptions<R, T> = {},
): UseQueryResult<T> {
  const { queryKey, queryFn } = callQuery(route, input);
  return useQuery({ ...options, queryKey, queryFn, enabled: enabled && input !== null });
}

export const useTotal = <R extends Callable & { list?: true }>(
  route: R,
  input: InputOf<R>,
  options: { enabled?: boolean; staleTime?: number } = {},
): number | undefined =>
  useQuery({
    ...options,
    queryKey: [...keyOf(route), input, 'total'],
    queryFn: async ({ signal }) => (await api.call(route, input, { signal })).total ?? 0,
  }).data;
