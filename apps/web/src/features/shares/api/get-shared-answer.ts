import { createClient } from '@engram/client';
import { getSharedAnswer as route } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';

/** The link alone opens an answer: neither token nor cookie goes with it. */
const visitor = createClient({
  baseUrl: '/v1',
  fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
});

/** What a shared link shows now. */
export const useSharedAnswer = (id: string) =>
  useQuery({
    queryKey: ['shared-answer', id],
    queryFn: async ({ signal }) => (await visitor.call(route, { params: { id } }, { signal })).data,
  });
