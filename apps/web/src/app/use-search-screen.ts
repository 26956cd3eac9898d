import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useHistoryEntry } from '../features/history/api/get-history-entry.ts';
import { answerOfEntry, type Answer } from '../features/search/answer.ts';
import { useAsk, type Ask } from '../features/search/use-ask.ts';
import { queryKeys } from '../lib/query-keys.ts';

/** Names the shown history entry in the address, so that a reload or a link shows it again. */
export const ENTRY_PARAM = 'entry';

/** What other pages hand over to have a question asked. */
export interface AskOnArrival {
  ask: string;
}

/** What stands in the answer panel. */
export type Shown =
  | { status: 'nothing' }
  | { status: 'loading' }
  | { status: 'missing'; error: unknown; retry: () => void }
  | { status: 'answer'; answer: Answer; pending: boolean };

export interface SearchScreen {
  draft: string;
  setDraft: (text: string) => void;
  keywords: string[];
  setKeywords: (keywords: string[]) => void;
  state: Ask['state'];
  shown: Shown;
  ask: (text: string, keywords?: string[]) => void;
  show: (entryId: string) => void;
}

function useShown(state: Ask['state'], entryId: string | null): Shown {
  const entry = useHistoryEntry(entryId);
  if (state.status === 'asking') return { status: 'answer', answer: state.answer, pending: true };
  if (entryId === null) return { status: 'nothing' };
  if (entry.data) {
    const answer = answerOfEntry(entry.data, entry.dataUpdatedAt);
    return { status: 'answer', answer, pending: false };
  }
  // What has just been answered is known before it has come back from the history.
  if (state.status === 'answered' && state.answer.id === entryId) {
    return { status: 'answer', answer: state.answer, pending: false };
  }
  return entry.isError
    ? { status: 'missing', error: entry.error, retry: () => void entry.refetch() }
    : { status: 'loading' };
}

/** Asks once what another page handed over. */
function useAskOnArrival(ask: (text: string) => void): void {
  const { state } = useLocation() as { state: Partial<AskOnArrival> | null };
  const navigate = useNavigate();
  const asked = useRef<string | null>(null);
  const question = state?.ask ?? null;
  useEffect(() => {
    if (question === null || asked.current === question) return;
    asked.current = question;
    // A reload must not ask again.
    void navigate('.', { replace: true, state: null });
    ask(question);
  }, [question, ask, navigate]);
}

/** What is being asked and what is shown: the search page without its looks. */
export function useSearchScreen(): SearchScreen {
  const [params, setParams] = useSearchParams();
  const [draft, setDraft] = useState('');
  const [keywords, setKeywords] = useState<string[]>([]);
  const queryClient = useQueryClient();
  const entryId = params.get(ENTRY_PARAM);
  const asked = useRef('');

  const open = useCallback(
    (id: string) => setParams({ [ENTRY_PARAM]: id }, { preventScrollReset: true }),
    [setParams],
  );
  const {
    state,
    ask: begin,
    reset,
  } = useAsk((data) => {
    // What was typed meanwhile is the next question.
    setDraft((draft) => (draft.trim() === asked.current ? '' : draft));
    open(data.history_id);
    void queryClient.invalidateQueries({ queryKey: queryKeys.history });
    void queryClient.invalidateQueries({ queryKey: queryKeys.metrics });
  });

  const ask = useCallback(
    (text: string, narrowedTo = keywords) => {
      asked.current = text;
      setDraft(text);
      begin({ text, keywords: narrowedTo });
      window.scrollTo({ top: 0 });
    },
    [begin, keywords],
  );
  const show = useCallback(
    (id: string) => {
      reset();
      open(id);
      window.scrollTo({ top: 0 });
    },
    [reset, open],
  );
  useAskOnArrival(ask);

  return {
    draft,
    setDraft,
    keywords,
    setKeywords,
    state,
    shown: useShown(state, entryId),
    ask,
    show,
  };
}
