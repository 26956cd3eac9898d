import type { BillingRecord } from '@engram/contract';
import { getBilling } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** The person's plan as it is billed; null where there is none. */
export const useBilling = (): UseQueryResult<BillingRecord | null> =>
  useQuery({
    queryKey: queryKeys.billing,
    queryFn: async ({ signal }) => (await api.call(getBilling, {}, { signal })).data[0] ?? null,
  });
