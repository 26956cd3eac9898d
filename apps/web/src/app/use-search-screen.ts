import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useHistoryEntry } from '../features/history/api/get-history-entry.ts';
import { activeKeywords, useKeywords } from '../features/keywords/api/list-keywords.ts';
import { answerOfEntry, type Answer } from '../features/search/answer.ts';
import { useAsk, type Ask } from '../features/search/use-ask.ts';
import { queryKeys } from '../api/query-keys.ts';

/** Names the shown history entry in the address, so that a reload or a link shows it again. */
export const ENTRY_PARAM = 'entry';

/** Names the keyword that a search begins narrowed to. */
const KEYWORD_PARAM = 'keyword';

/**
 * What other places hand over: a question to be asked, that the next one follows up on the shown one, or
 * the beginning of a question.
 */
export type Arrival = { ask: string } | { followUp: true } | { draft: string };

/** An answer that the next question follows up on. */
export interface FollowUp {
  id: string;
  question: string;
}

export interface AskOptions {
  /** Only files with one of these; without it those that are chosen. */
  keywords?: string[];
  /** The history entry that the question follows up on. */
  after?: string | null;
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
  ask: (text: string, options?: AskOptions) => void;
  show: (entryId: string) => void;
  followUp: FollowUp | null;
  setFollowUp: (followUp: FollowUp | null) => void;
}

function useShown(state: Ask['state'], entryId: string | null): Shown {
  const entry = useHistoryEntry(entryId);
  if (state.status === 'asking') return { status: 'answer', answer: state.answer, pending: true };
  if (entryId === null) return { status: 'nothing' };
  const fresh = state.status === 'answered' && state.answer.id === entryId ? state.answer : null;
  if (entry.data) {
    const answer = answerOfEntry(entry.data, entry.dataUpdatedAt);
    // How it was found is told with the answer alone.
    const explain = fresh?.explain ?? null;
    return { status: 'answer', answer: { ...answer, explain }, pending: false };
  }
  // What has just been answered is known before it has come back from the history.
  if (fresh) return { status: 'answer', answer: fresh, pending: false };
  return entry.isError
    ? { status: 'missing', error: entry.error, retry: () => void entry.refetch() }
    : { status: 'loading' };
}

/** Does once what another page handed over. */
function useArrival(
  ask: (text: string) => void,
  shown: Shown,
  onFollowUp: SearchScreen['setFollowUp'],
  onDraft: SearchScreen['setDraft'],
) {
  const { state, search } = useLocation() as { state: Arrival | null; search: string };
  const navigate = useNavigate();
  const done = useRef<Arrival | null>(null);
  useEffect(() => {
    if (!state || done.current === state) return;
    if ('followUp' in state) {
      if (shown.status !== 'answer' || shown.answer.id === null) return;
      onFollowUp({ id: shown.answer.id, question: shown.answer.question });
    }
    done.current = state;
    // A reload must not do it again.
    void navigate({ search }, { replace: true, state: null });
    if ('ask' in state) ask(state.ask);
    if ('draft' in state) {
      onDraft(state.draft);
      document.querySelector<HTMLElement>('[data-search-input]')?.focus();
    }
  }, [state, search, shown, ask, navigate, onFollowUp, onDraft]);
}

/**
 * The keywords that are chosen, at first the one that the address names: one that is archived
 * meanwhile would narrow the search unseen.
 */
function useChosenKeywords(named: string | null): [string[], (keywords: string[]) => void] {
  const { data: known } = useKeywords();
  const [chosen, choose] = useState<string[]>([]);
  const [taken, take] = useState<string | null>(null);
  if (named !== taken) {
    take(named);
    if (named !== null) choose([named]);
  }
  const keywords = useMemo(() => {
    const active = new Set(activeKeywords(known));
    return chosen.filter((keyword) => active.has(keyword));
  }, [chosen, known]);
  return [keywords, choose];
}

/** What is being asked and what is shown: the search page without its looks. */
export function useSearchScreen(): SearchScreen {
  const [params, setParams] = useSearchParams();
  const [draft, setDraft] = useState('');
  const [keywords, setKeywords] = useChosenKeywords(params.get(KEYWORD_PARAM));
  const [followUp, setFollowUp] = useState<FollowUp | null>(null);
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
    setFollowUp(null);
    open(data.history_id);
    for (const key of ['history', 'metrics', 'suggestions'] as const) {
      void queryClient.invalidateQueries({ queryKey: queryKeys[key] });
    }
  });

  const ask = useCallback(
    (text: string, { keywords: narrowedTo = keywords, after = null }: AskOptions = {}) => {
      asked.current = text;
      setDraft(text);
      begin({ text, keywords: narrowedTo, after });
      window.scrollTo({ top: 0 });
    },
    [begin, keywords],
  );
  const show = useCallback(
    (id: string) => {
      reset();
      setFollowUp(null);
      open(id);
      window.scrollTo({ top: 0 });
    },
    [reset, open],
  );
  const shown = useShown(state, entryId);
  useArrival(ask, shown, setFollowUp, setDraft);

  return {
    draft,
    setDraft,
    keywords,
    setKeywords,
    state,
    shown,
    ask,
    show,
    followUp,
    setFollowUp,
  };
}
