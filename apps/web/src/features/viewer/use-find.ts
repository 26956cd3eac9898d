import type { Citation } from '@engram/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { useArtifactSegments, useArtifactText } from './api.ts';
import { findInText, foldText } from './find-in-text.ts';

/** A place that was found, and how often the same letters stand before it on its page. */
export interface FoundPlace {
  citation: Citation;
  nth: number;
}

export interface Find {
  /** What is looked for; null while nothing is. */
  words: string | null;
  look: (words: string | null) => void;
  /** How many places were found; undefined until the text is there. */
  total: number | undefined;
  /** Which of them is shown, counted from 0. */
  at: number;
  step: (by: 1 | -1) => void;
  /** Null until one is found. */
  place: FoundPlace | null;
}

const pageOf = ({ location }: Pick<Citation, 'location'>): unknown =>
  'page' in location ? location.page : null;

/** Looks for words in a file's text; what is found is shown as a cited place is. */
export function useFind(citation: Citation): Find {
  const { artifactId } = citation;
  const [words, setWords] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const { data: text } = useArtifactText(artifactId, words !== null);
  const folded = useMemo(() => (text === undefined ? null : foldText(text)), [text]);
  // Typing goes on while a long text is looked through.
  const wanted = useDeferredValue(words ?? '');
  const places = useMemo(() => folded && findInText(folded, wanted), [folded, wanted]);
  const [start, end] = places?.[at] ?? [0, 0];
  const isThere = end > 0;
  const { data: segments } = useArtifactSegments(artifactId, isThere ? start : null);

  const found = useMemo((): FoundPlace | null => {
    if (!isThere || !segments || text === undefined || !places) return null;
    const quote = text.slice(start, end);
    const segment = segments.find((one) => one.start <= start && start < one.end);
    const page = segment && pageOf(segment);
    const from = segments.find((one) => pageOf(one) === page)?.start ?? 0;
    const before = places.filter(([s, e]) => s >= from && s < start && text.slice(s, e) === quote);
    const location = segment?.location ?? citation.location;
    return { citation: { ...citation, location, quote, start, end }, nth: before.length };
  }, [isThere, segments, text, places, start, end, citation]);
  // The place before stays until it is known where the next one stands.
  const [shown, setShown] = useState(found);
  if (found !== shown && (found ?? !isThere)) setShown(found);

  return {
    words,
    look: (next) => {
      setWords(next);
      setAt(0);
    },
    total: places?.length,
    at,
    step: (by) => {
      const total = places?.length ?? 0;
      if (total > 0) setAt((at + by + total) % total);
    },
    place: shown,
  };
}
