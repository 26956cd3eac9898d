import type { Citation, Location } from '@engram/contract';
import { createContext, use, useEffect, useId, useLayoutEffect, useMemo } from 'react';
import { createStore, useStore } from '../browser/store.ts';
import { fileLook } from './file-types.ts';

export interface Offer {
  list: readonly Citation[];
  /** A file is opened at its beginning, with nothing marked. */
  noun: 'source' | 'passage' | 'file';
}

export interface Viewed extends Offer {
  n: number;
}

/** The pane that shows sources: beside the page, or a sheet above it on smaller screens. */
export interface Evidence {
  docked: boolean;
  /** Opens the pane and moves the focus there until it is closed. */
  open: (viewed: Viewed) => void;
  goTo: (n: number) => void;
  close: () => void;
}

/** How answers tell the pane what the number keys open. */
export interface EvidenceOffers {
  /** Offers a new answer's list in place of the last one. */
  offer: (key: string, offered: Offer) => void;
  /** Prefers the list of an answer that the user looks at. */
  prefer: (key: string, offered: Offer) => void;
  withdraw: (key: string) => void;
}

// Separate, so that a long conversation does not render again when the pane shows something else.
export const EvidenceContext = createContext<Evidence | null>(null);
export const ShownEvidenceContext = createContext<Viewed | null>(null);
export const EvidenceOffersContext = createContext<EvidenceOffers | null>(null);

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no evidence pane outside of the signed-in app.');
  return value;
}

export const useEvidence = (): Evidence => required(use(EvidenceContext));

export const useShownEvidence = (): Viewed | null => use(ShownEvidenceContext);

/**
 * Offers the sources of an answer to the pane while the answer is shown. Returns a function to call
 * when the user looks at the answer.
 */
export function useOffer(answer: string, offered: Offer): () => void {
  const { offer, prefer, withdraw } = required(use(EvidenceOffersContext));
  const id = useId();
  const key = `${id} ${answer}`;
  useLayoutEffect(() => offer(key, offered), [offer, key, offered]);
  useEffect(() => () => withdraw(key), [withdraw, key]);
  return useMemo(() => () => prefer(key, offered), [prefer, key, offered]);
}

// A store, so that only the two chips that change render again in a long conversation.
const pointed = createStore<Citation | null>(null);

/** Props for the chip or card of a source: pointing at one, or focusing it, highlights the other. */
export function usePointed(citation: Citation) {
  const isPointed = useStore(pointed, (current) => current === citation);
  const enter = (): void => pointed.set(citation);
  const leave = (): void => pointed.set(null);
  return {
    'data-active': isPointed || undefined,
    onPointerEnter: enter,
    onPointerLeave: leave,
    onFocus: enter,
    onBlur: leave,
  };
}

const nouns = { source: 'Source', passage: 'Passage', file: 'File' } as const;

/** The pane's title, such as 'Source 2: Lease.pdf', or a file's name. */
export function titleOf({ list, n, noun }: Viewed): string {
  const fileName = list.find((candidate) => candidate.n === n)?.fileName ?? '';
  return noun === 'file' ? fileName : `${nouns[noun]} ${n}: ${fileName}`;
}

export interface OpenedFile {
  artifactId: string;
  fileName: string;
  fileType: string;
  path?: string | null;
}

function beginningOf(file: OpenedFile): Location {
  const { kind } = fileLook(file);
  if (kind === 'pdf') return { page: 1 };
  if (kind === 'slides') return { slide: 1 };
  if (kind === 'spreadsheet') return { sheet: '', row: 1 };
  return { line: 1 };
}

export const wholeFile = (file: OpenedFile, n = 1): Citation => ({
  n,
  artifactId: file.artifactId,
  fileName: file.fileName,
  path: file.path ?? null,
  location: beginningOf(file),
  quote: '',
  start: 0,
  end: 0,
});

export function viewedFile(file: OpenedFile, list: readonly OpenedFile[] = [file]): Viewed {
  const at = list.findIndex(({ artifactId }) => artifactId === file.artifactId);
  return { list: list.map((one, index) => wholeFile(one, index + 1)), n: at + 1, noun: 'file' };
}
