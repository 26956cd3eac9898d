import type { DataOf, getSessionDetails as described } from '@engram/contract';
import { getSessionDetails as route } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

type PaymentStatus = DataOf<typeof described>['paymentStatus'];

/** Whether a checkout was paid; asked anew each time. */
export function usePaymentStatus(sessionId: string | null): UseQueryResult<PaymentStatus> {
  return useQuery({
    queryKey: ['payment', sessionId],
    queryFn: async ({ signal }) => {
      const query = { session_id: sessionId ?? '' };
      return (await api.call(route, { query }, { signal })).data.paymentStatus;
    },
    enabled: Boolean(sessionId),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
