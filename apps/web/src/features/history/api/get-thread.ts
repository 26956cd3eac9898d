import type { HistoryEntry } from '@engram/contract';
import { historyThread } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** The key of the talk that an entry belongs to, as that entry's address shows it. */
export const threadKey = (id: string) => [...queryKeys.history, 'thread', id] as const;

/** The whole talk that an entry belongs to, oldest first. */
export async function readThread(id: string, signal: AbortSignal): Promise<HistoryEntry[]> {
  return (await api.call(historyThread, { query: { id } }, { signal })).data;
}
