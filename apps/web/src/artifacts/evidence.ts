import type { Citation, RelatedFile } from '@engram/contract';
import {
  createContext,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';

/** What the evidence pane shows: one of a list, or the list itself. */
export interface Viewed {
  /** The sources of an answer, the passages nearest to a question, or files by themselves. */
  list: readonly Citation[];
  /** The number of the one that is shown; null while the list is. */
  n: number | null;
  /** What one of the list is called. A file is opened at its beginning, with nothing marked. */
  noun: 'source' | 'passage' | 'file';
  /** What is known of their files. */
  files?: readonly RelatedFile[];
  /** Whether more of the list may still come. */
  pending?: boolean;
}

/** The pane beside the page (a sheet above it on smaller screens) that shows what an answer rests on. */
export interface Evidence {
  /** Whether the pane stands beside the page rather than above it. */
  docked: boolean;
  /** Opens the pane; the focus goes there, and back to what had it once the pane is closed. */
  open: (viewed: Viewed) => void;
  /** Shows another one of the list, or with null the list itself. */
  goTo: (n: number | null) => void;
  close: () => void;
}

/** How pages and answers tell the pane what it may show. */
export interface EvidenceOffers {
  /** Names what the number keys open and the resting pane lists. A new answer takes another's place. */
  offer: (key: string, viewed: Viewed) => void;
  /** Gives an answer that is already there the place, for being looked at. */
  prefer: (key: string, viewed: Viewed) => void;
  withdraw: (key: string) => void;
  /** Keeps the pane's room beside the page until what is answered is called. */
  keepRoom: () => () => void;
}

// Apart from each other: a talk of fifty answers must not be drawn again for what the pane shows.
export const EvidenceContext = createContext<Evidence | null>(null);
export const ShownEvidenceContext = createContext<Viewed | null>(null);
export const RestingEvidenceContext = createContext(false);
export const EvidenceOffersContext = createContext<EvidenceOffers | null>(null);

function inDesk<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no evidence pane outside of the signed-in app.');
  return value;
}

/** The evidence pane of the signed-in app. */
export const useEvidence = (): Evidence => inDesk(use(EvidenceContext));

/** What the pane shows; null while it is closed, or empty. */
export const useShownEvidence = (): Viewed | null => use(ShownEvidenceContext);

/**
 * Whether the pane stands beside the page and lists the sources of the answer last shown or focused
 * while nothing is opened, so that the answer need not list them itself.
 */
export const useRestingEvidence = (): boolean => use(RestingEvidenceContext);

/** Keeps the pane's room beside the page as long as there is an answer or one is coming. */
export function useEvidenceRoom(wanted = true): void {
  const { keepRoom } = inDesk(use(EvidenceOffersContext));
  useLayoutEffect(() => (wanted ? keepRoom() : undefined), [wanted, keepRoom]);
}

/**
 * Offers what an answer rests on to the pane, as long as the answer is shown. What comes back is to
 * be called when the answer is looked at.
 */
export function useOffer(answer: string, viewed: Viewed): () => void {
  const { offer, prefer, withdraw } = inDesk(use(EvidenceOffersContext));
  const id = useId();
  const key = `${id} ${answer}`;
  useLayoutEffect(() => offer(key, viewed), [offer, key, viewed]);
  useEffect(() => () => withdraw(key), [withdraw, key]);
  return useMemo(() => () => prefer(key, viewed), [prefer, key, viewed]);
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
  const citation = list.find((candidate) => candidate.n === n);
  if (!citation) return noun === 'passage' ? 'The nearest passages' : `${nouns[noun]}s`;
  return noun === 'file' ? citation.fileName : `${nouns[noun]} ${n}: ${citation.fileName}`;
}
