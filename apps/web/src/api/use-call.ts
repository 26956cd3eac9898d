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

/** What a route answers: the text of a `text` route, the data of any other. */
export type AnswerOf<R extends Callable> = R['kind'] extends 'text' ? string : DataOf<R>;

interface CallOptions<R extends Callable, T> extends Omit<
  UseQueryOptions<AnswerOf<R>, Error, T>,
  'queryKey' | 'queryFn' | 'enabled'
> {
  enabled?: boolean;
}

/** The cache entry of a call, for {@link useCall} and for reading and changing the cache elsewhere. */
export const callQuery = <R extends Callable>(route: R, input: InputOf<R> | null) =>
  queryOptions({
    queryKey: [...keyOf(route), input] as QueryKey,
    queryFn: async ({ signal }): Promise<AnswerOf<R>> => {
      const given = input as InputOf<R>;
      if (route.kind === 'text') return (await api.text(route, given, { signal })) as AnswerOf<R>;
      return (await api.call(route, given, { signal })).data as AnswerOf<R>;
    },
  });

/** Reads from the server, cached by route and input. With `null` as input nothing is read. */
export function useCall<R extends Callable, T = AnswerOf<R>>(
  route: R,
  input: InputOf<R> | null,
  { enabled = true, ...options }: CallOptions<R, T> = {},
): UseQueryResult<T> {
  const { queryKey, queryFn } = callQuery(route, input);
  return useQuery({ ...options, queryKey, queryFn, enabled: enabled && input !== null });
}

/** How many rows a list has on the server; undefined until that is known. */
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
