import type { ChosenFile } from '@engram/contract';
import { getMetrics, listLedger } from '@engram/contract/browser';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { activeKeywords, useKeywords } from '../artifacts/keywords.ts';
import type { Answer } from '../features/search/answer.ts';
import { useAsk, type Ask } from '../features/search/use-ask.ts';
import { invalidate } from '../api/keys.ts';
import { addTurn, useThread } from './use-thread.ts';
import { ENTRY_PARAM, paths } from './paths.ts';

/** Names the keyword that a search begins narrowed to. */
const KEYWORD_PARAM = 'keyword';

/**
 * What other pages hand over in the router's state: a question to ask, the files to ask, and what to
 * begin the question with; or that the shown talk is to be followed up.
 */
export interface Arrival {
  ask?: string;
  files?: ChosenFile[];
  draft?: string;
  followUp?: true;
}

export interface AskOptions {
  /** Only files with one of these; without it those that are chosen. */
  keywords?: string[];
  /** Only these files; without it those that are chosen. */
  files?: ChosenFile[];
  /** The entry that the question follows up on; without it the last one of the talk. */
  after?: string | null;
}

/** A question and its answer in the talk. */
export interface Turn {
  answer: Answer;
  /** Whether the answer is still coming. */
  pending: boolean;
  /** Whether it was asked since the page was opened: it is brought into view. */
  fresh: boolean;
}

/** What stands in the thread. */
export type Shown =
  | { status: 'nothing' }
  | { status: 'loading' }
  | { status: 'missing'; error: unknown; retry: () => void }
  | { status: 'thread'; turns: Turn[] };

export interface SearchScreen {
  draft: string;
  setDraft: (text: string) => void;
  keywords: string[];
  setKeywords: (keywords: string[]) => void;
  /** The files that questions are limited to; none for all. */
  files: ChosenFile[];
  setFiles: (files: ChosenFile[]) => void;
  state: Ask['state'];
  /** The entry that the address names. */
  entryId: string | null;
  shown: Shown;
  ask: (text: string, options?: AskOptions) => void;
  /** Asks a question of the talk again, limited as then and in the light of the same questions. */
  askAgain: (answer: Answer) => void;
  /** Stops the answer that is being written; what came of it stays. */
  stop: () => void;
  /** Shows the talk of an entry. */
  show: (entryId: string) => void;
  /** Ends the talk: the next question begins another one. */
  startFresh: () => void;
}

/** Does once what another page handed over. */
function useArrival(shown: Shown, take: (arrival: Arrival) => void) {
  const { state, search } = useLocation() as { state: Arrival | null; search: string };
  const navigate = useNavigate();
  const done = useRef<Arrival | null>(null);
  useEffect(() => {
    if (!state || 'evidence' in state || done.current === state) return;
    // What follows up on a talk waits for it.
    if (state.followUp && shown.status !== 'thread') return;
    done.current = state;
    // A reload must not do it again.
    void navigate({ search }, { replace: true, state: null });
    take(state);
  }, [state, search, shown, navigate, take]);
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

function useShown(
  entryId: string | null,
  asking: Answer | null,
  fresh: ReadonlySet<string>,
): Shown {
  const { data, isError, error, refetch } = useThread(entryId);
  return useMemo((): Shown => {
    if (entryId !== null && !data) {
      return isError
        ? { status: 'missing', error, retry: () => void refetch() }
        : { status: 'loading' };
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

/** What is being asked and what is shown: the search page without its looks. */
export function useSearchScreen(): SearchScreen {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState('');
  const [keywords, setKeywords] = useChosenKeywords(params.get(KEYWORD_PARAM));
  const [files, setFiles] = useState<ChosenFile[]>([]);
  // The talk that what is chosen belongs to.
  const [narrowed, setNarrowed] = useState<string | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const { state, ask: begin, stop: giveUp } = useAsk();
  const named = params.get(ENTRY_PARAM);
  // A talk is shown from its first answer on; the address follows.
  const [begun, setBegun] = useState<string | null>(null);
  if (named !== null && begun !== null) setBegun(null);
  const entryId = named ?? begun;

  // Back and Forward lead to another talk: what is being asked belongs to the one before.
  const here = useRef(entryId);
  useEffect(() => {
    if (here.current !== entryId) giveUp();
    here.current = entryId;
  }, [entryId, giveUp]);

  const shown = useShown(entryId, state.status === 'asking' ? state.answer : null, fresh);
  const turns = shown.status === 'thread' ? shown.turns : [];
  const lastAnswer = turns.findLast(({ answer }) => answer.id !== null)?.answer;
  const last = lastAnswer?.id ?? null;
  // A talk that is opened again goes on with what its last question was limited to.
  if (entryId !== narrowed && (entryId === null || lastAnswer)) {
    setNarrowed(entryId);
    if (lastAnswer) {
      setKeywords(lastAnswer.keywords);
      setFiles(lastAnswer.files);
    }
  }

  /** Keeps an answer in its talk, which is begun where there is none yet. */
  const keep = useCallback(
    (answer: Answer, talk: string | null) => {
      const id = talk ?? answer.id;
      if (id === null) return;
      addTurn(queries, id, answer);
      setFresh((known) => new Set([...known, answer.key]));
      if (talk !== null) return;
      here.current = id;
      setBegun(id);
      setNarrowed(id);
    },
    [queries],
  );
  // A file that lies above the page is an entry of the history: the address waits until it is closed.
  const { state: entry } = useLocation() as { state: object | null };
  const isCovered = entry !== null && 'evidence' in entry;
  useEffect(() => {
    if (begun === null || named !== null || isCovered) return;
    setParams({ [ENTRY_PARAM]: begun }, { preventScrollReset: true });
  }, [begun, named, isCovered, setParams]);

  const ask = useCallback(
    (text: string, options: AskOptions = {}) => {
      const { after = last } = options;
      setDraft(text);
      const question = {
        text,
        keywords: options.keywords ?? keywords,
        files: options.files ?? files,
        after,
      };
      begin(question, {
        onAnswered: (answer) => {
          // What was typed meanwhile is the next question.
          setDraft((draft) => (draft.trim() === text.trim() ? '' : draft));
          keep(answer, entryId);
          void invalidate(queries, ['history', getMetrics, listLedger, 'suggestions']);
        },
      });
    },
    [begin, keep, queries, files, keywords, last, entryId],
  );
  const askAgain = useCallback(
    ({ question, keywords, files, follows, id }: Answer) =>
      ask(question, { keywords, files, after: follows ?? id }),
    [ask],
  );
  const stop = useCallback(() => {
    const stopped = giveUp();
    // Of what nothing has come the question is left to be changed.
    if (!stopped || (stopped.id === null && entryId === null)) return;
    setDraft('');
    keep(stopped, entryId);
  }, [giveUp, keep, entryId]);
  const show = useCallback(
    (id: string) => {
      giveUp();
      setParams({ [ENTRY_PARAM]: id });
    },
    [giveUp, setParams],
  );
  const startFresh = useCallback(() => {
    giveUp();
    setDraft('');
    setBegun(null);
    void navigate(paths.search);
  }, [giveUp, navigate]);

  useArrival(
    shown,
    useCallback(
      (arrival) => {
        if (arrival.files) setFiles(arrival.files);
        if (arrival.draft !== undefined) {
          setDraft(arrival.draft);
          document.querySelector<HTMLElement>('[data-search-input]')?.focus();
        }
        if (arrival.ask !== undefined)
          ask(arrival.ask, arrival.files ? { files: arrival.files } : {});
      },
      [ask],
    ),
  );

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
