import type { LedgerEntry } from '@engram/contract';
import { listLedger } from '@engram/contract/browser';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';
import { usePages, type Pages } from '../../../lib/use-pages.ts';

/** Every change of the person's credits, newest first. */
export const useLedger = (): Pages<LedgerEntry> =>
  usePages([...queryKeys.metrics, 'ledger'], (query, sending) =>
    api.call(listLedger, { query }, sending),
  );
