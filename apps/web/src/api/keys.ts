import type * as contract from '@engram/contract';
import type { Callable } from '@engram/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

type RouteId = Extract<(typeof contract)[keyof typeof contract], Callable>['id'];

/** The part of route ids before the dot, such as `artifacts`. */
type RouteGroup = RouteId extends `${infer Group}.${string}` ? Group : never;

export type Routes = Callable | RouteGroup;

export const keyOf = (routes: Routes): string[] =>
  typeof routes === 'string' ? [routes] : routes.id.split('.');

/** Whether a query reads the user's data, rather than the server's settings. */
export const isUserQuery = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  queryKey[0] !== ('system' satisfies RouteGroup);

/** Marks all data of these routes as stale. Resolves when active queries are refetched. */
export async function invalidate(queries: QueryClient, stale: readonly Routes[]): Promise<void> {
  await Promise.all(stale.map((routes) => queries.invalidateQueries({ queryKey: keyOf(routes) })));
}
