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
 * The router's state with which other pages open the search: a question to ask, the files to ask, a
 * draft, or that the shown conversation is to be followed up.
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
  | { status: 'nothing' }
  | { status: 'loading' }
  | { status: 'missing'; error: unknown; retry: () => unknown }
  | { status: 'thread'; turns: Turn[] };

export type SearchScreen = ReturnType<typeof useSearchScreen>;

function useArrival(shown: Shown, take: (arrival: Arrival) => void) {
  const { state, search } = useLocation() as { state: Arrival | null; search: string };
  const navigate = useNavigate();
  const done = useRef<Arrival | null>(null);
  const onArrival = useEffectEvent(take);
  useEffect(() => {
    if (!state || 'evidence' in state || done.current === state) return;
    // A follow-up waits until the conversation is loaded.
    if (state.followUp && shown.status !== 'thread') return;
    done.current = state;
    // So that a reload does not do it again.
    void navigate({ search }, { replace: true, state: null });
    onArrival(state);
  }, [state, search, shown, navigate]);
}

/**
 * The chosen keywords, at first the one in the address. Archived keywords are left out, because
 * they would limit the search without being shown.
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
    return turns.length === 0 ? { status: 'nothing' } : { status: 'thread', turns };
  }, [entryId, data, isError, error, refetch, asking, fresh]);
}

export function useSearchScreen() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState('');
  const [keywords, setKeywords] = useChosenKeywords(params.get(KEYWORD_PARAM));
  const [files, setFiles] = useState<ChosenFile[]>([]);
  // The conversation that the chosen keywords and files belong to.
  const [narrowed, setNarrowed] = useState<string | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const { state, ask: begin, stop: giveUp } = useAsk();
  const named = params.get(ENTRY_PARAM);
  // A conversation is shown from its first answer on, before the address is updated.
  const [begun, setBegun] = useState<string | null>(null);
  if (named !== null && begun !== null) setBegun(null);
  const entryId = named ?? begun;

  // Back and Forward lead to another conversation, and end the current question.
  const here = useRef(entryId);
  useEffect(() => {
    if (here.current !== entryId) giveUp();
    here.current = entryId;
  }, [entryId, giveUp]);

  const shown = useShown(entryId, state.status === 'asking' ? state.answer : null, fresh);
  const turns = shown.status === 'thread' ? shown.turns : [];
  const lastAnswer = turns.findLast(({ answer }) => answer.id !== null)?.answer;
  const last = lastAnswer?.id ?? null;
  // A conversation that is opened again continues with the limits of its last question.
  if (entryId !== narrowed && (entryId === null || lastAnswer)) {
    setNarrowed(entryId);
    if (lastAnswer) {
      setKeywords(lastAnswer.keywords);
      setFiles(lastAnswer.files);
    }
  }

  const keep = (answer: Answer, talk: string | null): void => {
    const id = talk ?? answer.id;
    if (id === null) return;
    addTurn(queries, id, answer);
    setFresh((known) => new Set([...known, answer.key]));
    if (talk !== null) return;
    here.current = id;
    setBegun(id);
    setNarrowed(id);
  };
  // The address is updated after a file above the page is closed, because that file is an entry of
  // the history.
  const { state: entry } = useLocation() as { state: object | null };
  const isCovered = entry !== null && 'evidence' in entry;
  useEffect(() => {
    if (begun === null || named !== null || isCovered) return;
    setParams({ [ENTRY_PARAM]: begun }, { preventScrollReset: true });
  }, [begun, named, isCovered, setParams]);

  /** By default with the chosen keywords and files, and as a follow-up of the last question. */
  const ask = (text: string, options: Partial<Omit<Question, 'text'>> = {}): void => {
    const limits = { keywords, files, after: last, ...options };
    setDraft(text);
    void begin({ text, ...limits }, (answer) => {
      // Text typed in the meantime is the next question.
      setDraft((draft) => (draft.trim() === text.trim() ? '' : draft));
      keep(answer, entryId);
      void invalidate(queries, ['history', getMetrics, listLedger, 'suggestions']);
    });
  };
  const askAgain = ({ question, keywords, files, follows, id }: Answer): void =>
    ask(question, { keywords, files, after: follows ?? id });
  const stop = (): void => {
    const stopped = giveUp();
    // If nothing was answered yet, the question stays in the field.
    if (!stopped || (stopped.id === null && entryId === null)) return;
    setDraft('');
    keep(stopped, entryId);
  };
  const show = useCallback(
    (id: string) => {
      giveUp();
      setParams({ [ENTRY_PARAM]: id });
    },
    [giveUp, setParams],
  );
  const startFresh = (): void => {
    giveUp();
    setDraft('');
    setBegun(null);
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
    stop,
    show,
    startFresh,
  };
}
