import { listAudit } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { usePages } from '../../../api/use-pages.ts';
import { adminKey } from '../admin-keys.ts';

/** What admins did, newest first. */
export const useAudit = () =>
  usePages([...adminKey, 'audit'], (query, sending) => api.call(listAudit, { query }, sending), {
    noted: true,
  });
