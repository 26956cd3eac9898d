import { createClient } from '@engram/client';
import { deleteShare, getSharedAnswer, listShares } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { useAction } from '../../api/use-action.ts';
import { callQuery } from '../../api/use-call.ts';
import { notifyError } from '../../components/notify.ts';

/** A client without token and cookie, as the link alone gives access. */
const anonymous = createClient({
  baseUrl: '/v1',
  fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
});

export const useSharedAnswer = (id: string) => {
  const input = { params: { id } };
  return useQuery({
    queryKey: callQuery(getSharedAnswer, input).queryKey,
    queryFn: async ({ signal }) => (await anonymous.call(getSharedAnswer, input, { signal })).data,
  });
};

export const useDeleteShare = () =>
  useAction(deleteShare, {
    acceptMissing: true,
    onError: (error) => notifyError('The answer is still shared', error),
    invalidates: [listShares],
  });
