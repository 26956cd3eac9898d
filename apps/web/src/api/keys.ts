import type { Callable, Feature } from '@engram/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

export type Routes = Callable | Feature;

export const keyOf = (routes: Routes): string[] =>
  typeof routes === 'string' ? [routes] : routes.id.split('.');

/** Whether a query reads the user's data, rather than the server's settings. */
export const isUserQuery = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  queryKey[0] !== ('system' satisfies Feature);

/** Marks all data of these routes as stale. Resolves when active queries are refetched. */
export async function invalidate(queries: QueryClient, stale: readonly Routes[]): Promise<void> {
  await Promise.all(stale.map((routes) => queries.invalidateQueries({ queryKey: keyOf(routes) })));
}
