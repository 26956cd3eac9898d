import type { Citation, Location } from '@engram/contract';
import { createContext, use, useEffect, useId, useLayoutEffect, useMemo } from 'react';
import { createStore, useStore } from '../browser/store.ts';
import { fileLook } from './file-types.ts';

export interface SourceList {
  list: readonly Citation[];
  /** A file is opened at its beginning, with nothing marked. */
  noun: 'source' | 'passage' | 'file';
}

export interface EvidenceView extends SourceList {
  n: number;
}

/** The pane that shows sources: beside the page, or a sheet above it on smaller screens. */
export interface Evidence {
  docked: boolean;
  /** Opens the pane and moves the focus there until it is closed. */
  open: (viewed: EvidenceView) => void;
  goTo: (n: number) => void;
  close: () => void;
}

export interface SourceListRegistry {
  register: (key: string, sources: SourceList) => void;
  prefer: (key: string, sources: SourceList) => void;
  unregister: (key: string) => void;
}

// Separate contexts, so that the conversation does not render again when the pane changes.
export const EvidenceContext = createContext<Evidence | null>(null);
export const ShownEvidenceContext = createContext<EvidenceView | null>(null);
export const SourceListContext = createContext<SourceListRegistry | null>(null);

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no evidence pane outside of the signed-in app.');
  return value;
}

export const useEvidence = (): Evidence => required(use(EvidenceContext));

export const useShownEvidence = (): EvidenceView | null => use(ShownEvidenceContext);

/**
 * Registers the sources of an answer while the answer is shown. Returns a function to call when the
 * user looks at the answer.
 */
export function useSourceList(answer: string, sources: SourceList): () => void {
  const { register, prefer, unregister } = required(use(SourceListContext));
  const id = useId();
  const key = `${id} ${answer}`;
  useLayoutEffect(() => register(key, sources), [register, key, sources]);
  useEffect(() => () => unregister(key), [unregister, key]);
  return useMemo(() => () => prefer(key, sources), [prefer, key, sources]);
}

// A store, so that only the elements that change render again.
const hovered = createStore<Citation | null>(null);

/** Props of a source's number and card: hovering or focusing one highlights both. */
export function useSourceHover(citation: Citation) {
  const isHovered = useStore(hovered, (current) => current === citation);
  const enter = (): void => hovered.set(citation);
  const leave = (): void => hovered.set(null);
  return {
    'data-active': isHovered || undefined,
    onPointerEnter: enter,
    onPointerLeave: leave,
    onFocus: enter,
    onBlur: leave,
  };
}

const nouns = { source: 'Source', passage: 'Passage', file: 'File' } as const;

/** The pane's title, such as 'Source 2: Lease.pdf', or a file's name. */
export function titleOf({ list, n, noun }: EvidenceView): string {
  const fileName = list.find((candidate) => candidate.n === n)?.fileName ?? '';
  return noun === 'file' ? fileName : `${nouns[noun]} ${n}: ${fileName}`;
}

export interface OpenedFile {
  artifactId: string;
  fileName: string;
  fileType: string;
  path?: string | null;
}

function firstLocation(file: OpenedFile): Location {
  const { kind } = fileLook(file);
  if (kind === 'pdf') return { page: 1 };
  if (kind === 'slides') return { slide: 1 };
  if (kind === 'spreadsheet') return { sheet: '', row: 1 };
  return { line: 1 };
}

export const fileCitation = (file: OpenedFile, n = 1): Citation => ({
  n,
  artifactId: file.artifactId,
  fileName: file.fileName,
  path: file.path ?? null,
  location: firstLocation(file),
  quote: '',
  start: 0,
  end: 0,
});

export function fileView(file: OpenedFile, list: readonly OpenedFile[] = [file]): EvidenceView {
  const at = list.findIndex(({ artifactId }) => artifactId === file.artifactId);
  return { list: list.map((file, i) => fileCitation(file, i + 1)), n: at + 1, noun: 'file' };
}
