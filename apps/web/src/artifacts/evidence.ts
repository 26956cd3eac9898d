import type { Citation } from '@engram/contract';
import { createContext, use } from 'react';

/** What the evidence pane shows: one of a list, or the list itself. */
export interface Viewed {
  /** The sources of an answer, the passages nearest to a question, or files by themselves. */
  list: readonly Citation[];
  /** The number of the one that is shown; null while the list is. */
  n: number | null;
  /** What one of the list is called. A file is opened at its beginning, with nothing marked. */
  noun: 'source' | 'passage' | 'file';
}

/** The pane beside the page (a sheet above it on smaller screens) that shows what an answer rests on. */
export interface Evidence {
  /** Null while the pane is closed. */
  shown: Viewed | null;
  /** Opens the pane; the focus goes there, and back to what had it once the pane is closed. */
  open: (viewed: Viewed) => void;
  /** Shows another one of the list, or with null the list itself. */
  goTo: (n: number | null) => void;
  close: () => void;
}

export const EvidenceContext = createContext<Evidence | null>(null);

/** The evidence pane of the signed-in app. */
export function useEvidence(): Evidence {
  const evidence = use(EvidenceContext);
  if (!evidence) throw new Error('There is no evidence pane outside of the signed-in app.');
  return evidence;
}

const nouns = { source: 'Source', passage: 'Passage', file: 'File' } as const;

/** What is shown, as a title: 'Source 2: Lease.pdf'; of a file by itself its name alone. */
export function titleOf({ list, n, noun }: Viewed): string {
  const citation = list.find((candidate) => candidate.n === n);
  if (!citation) return `${nouns[noun]}s`;
  return noun === 'file' ? citation.fileName : `${nouns[noun]} ${n}: ${citation.fileName}`;
}
