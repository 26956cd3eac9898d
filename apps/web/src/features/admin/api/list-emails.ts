import { listEmails } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { usePages } from '../../../api/use-pages.ts';

// Nothing that admins do changes who there is.
const key = ['people', 'found'] as const;

/** People by their addresses, as far as they hold what is looked for. */
export const usePeople = (q: string, enabled: boolean) =>
  usePages(
    [...key, q],
    (query, sending) => api.call(listEmails, { query: { ...query, q: q || undefined } }, sending),
    { enabled, noted: true },
  );
