import { listUsers } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { usePages } from '../../../api/use-pages.ts';
import { adminKey } from '../admin-keys.ts';

/** Everybody with plan, credits and files, the newest first, as far as they hold what is looked for. */
export const useUsers = (q: string) =>
  usePages(
    [...adminKey, 'users', q],
    (query, sending) => api.call(listUsers, { query: { ...query, q: q || undefined } }, sending),
    { noted: true },
  );
