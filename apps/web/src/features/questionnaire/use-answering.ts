import type { Question } from '@engram/contract';
import { useState } from 'react';
import { readCache, writeCache } from '../../session/session-cache.ts';
import type { Choices } from './api.ts';

const CACHE_KEY = 'questionnaire';

interface Draft {
  choices: Choices;
  /** The question that is being asked, counted from 0. */
  step: number;
}

/** Of what was kept in this tab what fits the questions, and where to go on. */
function restoreDraft(questions: readonly Question[], kept: Partial<Draft> | undefined): Draft {
  const choices = Object.fromEntries(
    questions.flatMap(({ questionId, options }) => {
      const chosen = options.find(({ optionId }) => optionId === kept?.choices?.[questionId]);
      return chosen ? [[questionId, chosen.optionId]] : [];
    }),
  );
  const open = questions.findIndex(({ questionId }) => !choices[questionId]);
  const furthest = open === -1 ? questions.length - 1 : open;
  return { choices, step: Math.min(Math.max(0, Math.trunc(kept?.step ?? 0) || 0), furthest) };
}

export interface Answering {
  step: number;
  /** Whether somebody has moved on or back, rather than having just come. */
  hasMoved: boolean;
  choices: Choices;
  choose: (questionId: string, optionId: string) => void;
  goTo: (step: number) => void;
  /** Forgets what was chosen: it is handed in. */
  finish: () => void;
}

/** What has been chosen so far, kept in this tab so that a reload loses nothing. */
export function useAnswering(questions: readonly Question[]): Answering {
  const [kept, setKept] = useState(() => readCache<Partial<Draft>>(CACHE_KEY)?.data);
  const [hasMoved, setHasMoved] = useState(false);
  const { choices, step } = restoreDraft(questions, kept);
  const keep = (draft: Draft): void => {
    setKept(draft);
    writeCache(CACHE_KEY, draft);
  };
  return {
    step,
    hasMoved,
    choices,
    choose: (questionId, optionId) =>
      keep({ choices: { ...choices, [questionId]: optionId }, step }),
    goTo(next) {
      setHasMoved(true);
      keep({ choices, step: next });
    },
    finish: () => writeCache(CACHE_KEY, []),
  };
}
