import type { ChosenFile } from '@engram/contract';
import { getMetrics, listLedger } from '@engram/contract/browser';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { activeKeywords, useKeywords } from '../artifacts/keywords.ts';
import type { Answer, Question } from '../features/search/answer.ts';
import { useAsk } from '../features/search/use-ask.ts';
import { invalidate } from '../api/keys.ts';
import { addTurn, useThread } from './use-thread.ts';
import { ENTRY_PARAM, paths } from './paths.ts';

const KEYWORD_PARAM = 'keyword';

/**
 * The router state with which other pages open the search: a question, selected files, a draft, or a
 * request to continue the conversation.
 */
export interface Arrival {
  ask?: string;
  files?: ChosenFile[];
  draft?: string;
  followUp?: true;
}

export interface Turn {
  answer: Answer;
  pending: boolean;
  fresh: boolean;
}

type Shown =
  | { status: 'empty' }
  | { status: 'loading' }
  | { status: 'missing'; error: unknown; retry: () => unknown }
  | { status: 'thread'; turns: Turn[] };

export type SearchScreen = ReturnType<typeof useSearchScreen>;

function useArrival(shown: Shown, handle: (arrival: Arrival) => void) {
  const { state, search } = useLocation() as { state: Arrival | null; search: string };
  const navigate = useNavigate();
  const done = useRef<Arrival | null>(null);
  const onArrival = useEffectEvent(handle);
  useEffect(() => {
    if (!state || 'evidence' in state || done.current === state) return;
    // A follow-up waits until the conversation is loaded.
    if (state.followUp && shown.status !== 'thread') return;
    done.current = state;
    // Cleared, so that a reload does not repeat it.
    void navigate({ search }, { replace: true, state: null });
    onArrival(state);
  }, [state, search, shown, navigate]);
}

/**
 * The selected keywords, initially the one in the address. Archived ones are ignored, because they would
 * limit the search invisibly.
 */
function useSelectedKeywords(linked: string | null): [string[], (keywords: string[]) => void] {
  const { data: known } = useKeywords();
  const [selected, select] = useState<string[]>([]);
  const [previous, setPrevious] = useState<string | null>(null);
  if (linked !== previous) {
    setPrevious(linked);
    if (linked !== null) select([linked]);
  }
  const keywords = useMemo(() => {
    const active = new Set(activeKeywords(known));
    return selected.filter((keyword) => active.has(keyword));
  }, [selected, known]);
  return [keywords, select];
}

function useShown(
  entryId: string | null,
  asking: Answer | null,
  fresh: ReadonlySet<string>,
): Shown {
  const { data, isError, error, refetch } = useThread(entryId);
  return useMemo((): Shown => {
    if (entryId !== null && !data) {
      return isError ? { status: 'missing', error, retry: refetch } : { status: 'loading' };
    }
    const turns = (data ?? []).map((answer): Turn => ({
      answer,
      pending: false,
      fresh: fresh.has(answer.key),
    }));
    if (asking) turns.push({ answer: asking, pending: true, fresh: true });
    return turns.length === 0 ? { status: 'empty' } : { status: 'thread', turns };
  }, [entryId, data, isError, error, refetch, asking, fresh]);
}

export function useSearchScreen() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState('');
  const [keywords, setKeywords] = useSelectedKeywords(params.get(KEYWORD_PARAM));
  const [files, setFiles] = useState<ChosenFile[]>([]);
  const [scopedEntry, setScopedEntry] = useState<string | null>(null);
  const [newIds, setFresh] = useState<ReadonlySet<string>>(new Set());
  const { state, ask: startAsking, stop: cancel } = useAsk();
  const linkedId = params.get(ENTRY_PARAM);
  // A new conversation, shown before the address is updated.
  const [newId, setNewId] = useState<string | null>(null);
  if (linkedId !== null && newId !== null) setNewId(null);
  const entryId = linkedId ?? newId;

  // Back and Forward open another conversation, which cancels the current question.
  const currentId = useRef(entryId);
  useEffect(() => {
    if (currentId.current !== entryId) cancel();
    currentId.current = entryId;
  }, [entryId, cancel]);

  const shown = useShown(entryId, state.status === 'asking' ? state.answer : null, newIds);
  const turns = shown.status === 'thread' ? shown.turns : [];
  const lastAnswer = turns.findLast(({ answer }) => answer.id !== null)?.answer;
  const last = lastAnswer?.id ?? null;
  // A reopened conversation continues with the keywords and files of its last question.
  if (entryId !== scopedEntry && (entryId === null || lastAnswer)) {
    setScopedEntry(entryId);
    if (lastAnswer) {
      setKeywords(lastAnswer.keywords);
      setFiles(lastAnswer.files);
    }
  }

  const addAnswer = (answer: Answer, threadId: string | null): void => {
    const id = threadId ?? answer.id;
    if (id === null) return;
    addTurn(queries, id, answer);
    setFresh((known) => new Set([...known, answer.key]));
    if (threadId !== null) return;
    currentId.current = id;
    setNewId(id);
    setScopedEntry(id);
  };
  // While a file covers the page, it is an entry of the history, so the address is updated later.
  const { state: entry } = useLocation() as { state: object | null };
  const isCovered = entry !== null && 'evidence' in entry;
  useEffect(() => {
    if (newId === null || linkedId !== null || isCovered) return;
    setParams({ [ENTRY_PARAM]: newId }, { preventScrollReset: true });
  }, [newId, linkedId, isCovered, setParams]);

  /** By default with the selected keywords and files, as a follow-up of the last question. */
  const ask = (text: string, options: Partial<Omit<Question, 'text'>> = {}): void => {
    const limits = { keywords, files, after: last, ...options };
    setDraft(text);
    void startAsking({ text, ...limits }, (answer) => {
      // Other text is the draft of the next question.
      setDraft((draft) => (draft.trim() === text.trim() ? '' : draft));
      addAnswer(answer, entryId);
      void invalidate(queries, ['history', getMetrics, listLedger, 'suggestions']);
    });
  };
  const askAgain = ({ question, keywords, files, follows, id }: Answer): void =>
    ask(question, { keywords, files, after: follows ?? id });
  const searchAll = ({ question, follows }: Answer): void => {
    setKeywords([]);
    setFiles([]);
    ask(question, { keywords: [], files: [], after: follows });
  };

  const stop = (): void => {
    const stopped = cancel();
    if (!stopped || (stopped.id === null && entryId === null)) return;
    setDraft('');
    addAnswer(stopped, entryId);
  };
  const show = useCallback(
    (id: string) => {
      cancel();
      setParams({ [ENTRY_PARAM]: id });
    },
    [cancel, setParams],
  );
  const startNew = (): void => {
    cancel();
    setDraft('');
    setNewId(null);
    void navigate(paths.search);
  };

  useArrival(shown, (arrival) => {
    if (arrival.files) setFiles(arrival.files);
    if (arrival.draft !== undefined) {
      setDraft(arrival.draft);
      document.querySelector<HTMLElement>('[data-search-input]')?.focus();
    }
    if (arrival.ask !== undefined) ask(arrival.ask, arrival.files ? { files: arrival.files } : {});
  });

  return {
    draft,
    setDraft,
    keywords,
    setKeywords,
    files,
    setFiles,
    state,
    entryId,
    shown,
    ask,
    askAgain,
    searchAll,
    stop,
    show,
    startNew,
  };
}
