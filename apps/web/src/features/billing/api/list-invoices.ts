import type { Invoice } from '@engram/contract';
import { listInvoices } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { LINK_FRESH_MS } from '../../../artifacts/signed-file.ts';

/** A person's invoices, newest first; their links are signed anew for as long as they are shown. */
export const useInvoices = (email: string): UseQueryResult<Invoice[]> =>
  useQuery({
    queryKey: [...queryKeys.invoices, email],
    queryFn: async ({ signal }) =>
      (await api.call(listInvoices, { query: { email } }, { signal })).data,
    staleTime: LINK_FRESH_MS,
    refetchInterval: LINK_FRESH_MS,
  });
