import type { HistoryEntry } from '@engram/contract';
import { historyThread, todaysHistory } from '@engram/contract/browser';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keyOf } from '../api/keys.ts';
import { answerFromEntry, type Answer } from '../features/search/answer.ts';

/**
 * Merges the data that only this tab has into a conversation: explanations, and stopped answers.
 */
function mergeKnownTurns(loaded: readonly Answer[], known: readonly Answer[]): Answer[] {
  const byId = new Map(known.map((answer) => [answer.id, answer]));
  const readIds = new Set(loaded.map(({ id }) => id));
  return [
    ...loaded.map((answer) => {
      const existing = byId.get(answer.id);
      if (!existing) return answer;
      return existing.stopped
        ? existing
        : { ...answer, key: existing.key, explain: existing.explain };
    }),
    ...known.filter(({ id, stopped }) => stopped && !readIds.has(id)),
  ];
}

/** A conversation from today's questions, if they contain the whole conversation. */
function todaysThread(queries: QueryClient, id: string): Answer[] | undefined {
  const loaded = queries.getQueryCache().findAll({ queryKey: keyOf(todaysHistory) });
  const today = loaded.flatMap(({ state }) => (state.data as HistoryEntry[] | undefined) ?? []);
  const readAt = Math.max(0, ...loaded.map(({ state }) => state.dataUpdatedAt));
  const thread = today.find((entry) => entry.id === id)?.thread;
  const turns = today.filter((entry) => entry.thread === thread);
  if (thread === undefined || !turns.some((entry) => entry.id === thread)) return undefined;
  return turns.toReversed().map((entry) => answerFromEntry(entry, readAt));
}

const threadKey = (id: string) => [...keyOf(historyThread), id, 'answers'];

/** The conversation of an entry, oldest first. Today's conversations are shown immediately. */
export function useThread(id: string | null) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: threadKey(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const query = { id: id ?? '' };
      const { data: entries } = await api.call(historyThread, { query }, { signal });
      const known = queries.getQueryData<Answer[]>(threadKey(id ?? '')) ?? [];
      return mergeKnownTurns(
        entries.map((entry) => answerFromEntry(entry, Date.now())),
        known,
      );
    },
    placeholderData: () => (id === null ? undefined : todaysThread(queries, id)),
  });
}

export function addTurn(queries: QueryClient, id: string, answer: Answer): void {
  queries.setQueryData<Answer[]>(threadKey(id), (turns = []) => [...turns, answer]);
}
