import type { LedgerEntry } from '@engram/contract';
import { listLedger } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { usePages, type Pages } from '../../../api/use-pages.ts';

/** Every change of the person's credits, newest first. */
export const useLedger = (): Pages<LedgerEntry> =>
  usePages([...queryKeys.metrics, 'ledger'], (query, sending) =>
    api.call(listLedger, { query }, sending),
  );
