import { listAllLedger } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { usePages } from '../../../api/use-pages.ts';
import { adminKey } from '../admin-keys.ts';

/** Every change of credits, newest first. */
export const useAllLedger = () =>
  usePages(
    [...adminKey, 'ledger'],
    (query, sending) => api.call(listAllLedger, { query }, sending),
    { noted: true },
  );
