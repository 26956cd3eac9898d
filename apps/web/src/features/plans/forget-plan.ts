import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.ts';

/** Forgets all that another plan changes: it is asked for again where it is shown. */
export async function forgetPlan(queries: QueryClient): Promise<void> {
  const { metrics, profile, billing, invoices } = queryKeys;
  await Promise.all(
    [metrics, profile, billing, invoices].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}
