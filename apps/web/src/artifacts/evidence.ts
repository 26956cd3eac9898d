import type { Citation, Location } from '@engram/contract';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useId, useLayoutEffect } from 'react';
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

/** What the pane shows; null while it is closed. */
export const shownEvidence = createStore<EvidenceView | null>(null);

const WIDE = '(min-width: 1280px)';

/** Whether the pane is beside the page, rather than a sheet above it. */
export const isDocked = (): boolean => window.matchMedia(WIDE).matches;
export const useDocked = (): boolean =>
  useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });

/** The sheet's entry in the browser's history, so that Back closes it. */
interface SheetEntry {
  show: (viewed: EvidenceView) => void;
  leave: () => void;
}

let entry: SheetEntry | null = null;
let opener: Element | null = null;

/** Set by the layout with the pane. */
export function connectSheet(connected: SheetEntry | null): void {
  entry = connected;
}

/** Whether there is a pane, as in the signed-in app. */
export const hasEvidencePane = (): boolean => entry !== null;

function show(viewed: EvidenceView): void {
  if (isDocked()) shownEvidence.set(viewed);
  else entry?.show(viewed);
}

/** Opens the pane and moves the focus there until it is closed. */
export function openEvidence(viewed: EvidenceView): void {
  const focused = document.activeElement;
  if (!focused?.closest('[data-evidence]')) opener = focused;
  show(viewed);
}

export function goToSource(n: number): void {
  const shown = shownEvidence.get();
  if (shown) show({ ...shown, n });
}

export function returnFocus(): void {
  if (opener instanceof HTMLElement) opener.focus();
}

export function closeEvidence(): void {
  // A second close must not leave the page.
  if (shownEvidence.get() === null) return;
  shownEvidence.set(null);
  entry?.leave();
  // The sheet returns the focus when it has closed.
  if (isDocked()) returnFocus();
}

const closeDocked = (): void => {
  if (isDocked()) shownEvidence.set(null);
};

/** The sources of the shown answers. The last ones belong to the current answer. */
const sourceLists = new Map<string, SourceList>();

export const currentSources = (): SourceList | undefined => [...sourceLists.values()].at(-1);

/**
 * Registers the sources of an answer while the answer is shown. The docked pane is closed when another
 * answer becomes the current one by appearing or by being removed. Returns a function to call when the
 * user looks at the answer.
 */
export function useSourceList(answer: string, sources: SourceList): () => void {
  const key = `${useId()} ${answer}`;
  useLayoutEffect(() => {
    if (!sourceLists.has(key)) closeDocked();
    sourceLists.set(key, sources);
  }, [key, sources]);
  useEffect(
    () => () => {
      if ([...sourceLists.keys()].at(-1) === key) closeDocked();
      sourceLists.delete(key);
    },
    [key],
  );
  return () => {
    sourceLists.delete(key);
    sourceLists.set(key, sources);
  };
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
  const index = list.findIndex(({ artifactId }) => artifactId === file.artifactId);
  return { list: list.map((file, i) => fileCitation(file, i + 1)), n: index + 1, noun: 'file' };
}
