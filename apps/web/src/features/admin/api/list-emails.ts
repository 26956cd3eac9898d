import { listEmails } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { usePages } from '../../../lib/use-pages.ts';

// Nothing that admins do changes who there is.
const key = ['people'] as const;

/** People by their addresses, as far as they hold what is looked for. */
export const usePeople = (q: string, enabled: boolean) =>
  usePages(
    [...key, 'found', q],
    (query, sending) => api.call(listEmails, { query: { ...query, q: q || undefined } }, sending),
    { enabled, noted: true },
  );

/** Everybody's address by their id, as lists name people by their ids alone. */
export const useAddresses = () =>
  useQuery({
    queryKey: [...key, 'all'],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(listEmails, {}, { signal });
      return new Map(data.map(({ id, email }) => [id, email]));
    },
    staleTime: Infinity,
  }).data;
