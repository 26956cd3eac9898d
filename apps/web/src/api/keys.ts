import type * as contract from '@engram/contract';
import type { Callable } from '@engram/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

type RouteId = Extract<(typeof contract)[keyof typeof contract], Callable>['id'];

/** Routes of one noun, such as `artifacts`: the part of their ids before the dot. */
export type RouteGroup = RouteId extends `${infer Group}.${string}` ? Group : never;

/** A route, or a group of routes. */
export type Routes = Callable | RouteGroup;

/** The prefix of the cache keys of all calls of a route or group, whatever their input. */
export const keyOf = (routes: Routes): string[] =>
  typeof routes === 'string' ? [routes] : routes.id.split('.');

/** Whether a query reads something of the user, rather than the server's settings. */
export const isOfUser = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  queryKey[0] !== ('system' satisfies RouteGroup);

/** Marks everything read from these routes as stale. Resolves when what is on screen is read again. */
export async function invalidate(queries: QueryClient, stale: readonly Routes[]): Promise<void> {
  await Promise.all(stale.map((routes) => queries.invalidateQueries({ queryKey: keyOf(routes) })));
}
