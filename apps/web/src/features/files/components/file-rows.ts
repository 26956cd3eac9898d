import type { Artifact } from '@engram/contract';
import type { RowActions } from './file-row.tsx';

/** A page of files, as rows. */
export interface FileRowsProps {
  files: readonly Artifact[];
  /** Files before these. */
  offset: number;
  selected: ReadonlySet<string>;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
  actions: RowActions;
}
