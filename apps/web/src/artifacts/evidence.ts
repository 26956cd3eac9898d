import type { Citation } from '@engram/contract';
import {
  createContext,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';

/** A list that the evidence pane shows one of. */
export interface Offer {
  /** The sources of an answer, the passages found for a question, or files by themselves. */
  list: readonly Citation[];
  /** What one of the list is called. A file is opened at its beginning, with nothing marked. */
  noun: 'source' | 'passage' | 'file';
}

/** What the evidence pane shows. */
export interface Viewed extends Offer {
  /** The number of the one that is shown. */
  n: number;
}

/** The pane beside the page (a sheet above it on smaller screens) that shows what an answer rests on. */
export interface Evidence {
  /** Whether the pane stands beside the page rather than above it. */
  docked: boolean;
  /** Opens the pane; the focus goes there, and back to what had it once the pane is closed. */
  open: (viewed: Viewed) => void;
  /** Shows another one of the list. */
  goTo: (n: number) => void;
  close: () => void;
}

/** How answers tell the pane what the number keys open. */
export interface EvidenceOffers {
  /** A new answer takes another's place. */
  offer: (key: string, offered: Offer) => void;
  /** Gives an answer that is already there the place, for being looked at. */
  prefer: (key: string, offered: Offer) => void;
  withdraw: (key: string) => void;
}

// Apart from each other: a talk of fifty answers must not be drawn again for what the pane shows.
export const EvidenceContext = createContext<Evidence | null>(null);
export const ShownEvidenceContext = createContext<Viewed | null>(null);
export const EvidenceOffersContext = createContext<EvidenceOffers | null>(null);

function inDesk<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no evidence pane outside of the signed-in app.');
  return value;
}

/** The evidence pane of the signed-in app. */
export const useEvidence = (): Evidence => inDesk(use(EvidenceContext));

/** What the pane shows; null while it is closed. */
export const useShownEvidence = (): Viewed | null => use(ShownEvidenceContext);

/**
 * Offers what an answer rests on to the pane, as long as the answer is shown. What comes back is to
 * be called when the answer is looked at.
 */
export function useOffer(answer: string, offered: Offer): () => void {
  const { offer, prefer, withdraw } = inDesk(use(EvidenceOffersContext));
  const id = useId();
  const key = `${id} ${answer}`;
  useLayoutEffect(() => offer(key, offered), [offer, key, offered]);
  useEffect(() => () => withdraw(key), [withdraw, key]);
  return useMemo(() => () => prefer(key, offered), [prefer, key, offered]);
}

// Outside of React, so that of all the chips of a long talk only the two that change are drawn again.
let pointed: Citation | null = null;
const listeners = new Set<() => void>();

function point(citation: Citation | null): void {
  pointed = citation;
  for (const listener of listeners) listener();
}

function onPointed(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a source is pointed at or focused, in the text or in the list, and what makes its chip or card point at it. */
export function usePointed(citation: Citation | undefined) {
  const isPointed = useSyncExternalStore(
    onPointed,
    () => citation !== undefined && pointed === citation,
  );
  const enter = (): void => point(citation ?? null);
  const leave = (): void => point(null);
  return {
    'data-active': isPointed || undefined,
    onPointerEnter: enter,
    onPointerLeave: leave,
    onFocus: enter,
    onBlur: leave,
  };
}

const nouns = { source: 'Source', passage: 'Passage', file: 'File' } as const;

/** What is shown, as a title: 'Source 2: Lease.pdf'; of a file by itself its name alone. */
export function titleOf({ list, n, noun }: Viewed): string {
  const fileName = list.find((candidate) => candidate.n === n)?.fileName ?? '';
  return noun === 'file' ? fileName : `${nouns[noun]} ${n}: ${fileName}`;
}
