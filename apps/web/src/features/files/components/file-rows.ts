import type { Artifact } from '@engram/contract';
import type { RowActions } from './file-row.tsx';

/** A page of files, as rows. */
export interface FileRowsProps {
  files: readonly Artifact[];
  /** Files before these. */
  offset: number;
  selected: ReadonlySet<string>;
  /** The file that is open beside the list. */
  openedId: string | null;
  /** Words that were searched for in what the files say; '' where they were not. */
  matchedWords: string;
  /** The user's active keywords. */
  knownKeywords: readonly string[];
  actions: RowActions;
}
