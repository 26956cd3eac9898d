import type { LibraryDocument, LibraryFile, RecordTable } from '../documents/document.ts';
import type { Question } from '../question/question.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import type { Citation, Computed } from '../types.ts';

/** All that an answer may be made from. */
export interface Material {
  question: Question;
  /** The passages that were found, best first. */
  ranked: readonly RankedPassage[];
  /** Chunks in the library: the more there are, the more is found by chance. */
  librarySize: number;
  /** The files of the best passages with their whole text, by id. */
  documents: ReadonlyMap<string, LibraryDocument>;
  /** Every file that may answer, with what it says of itself. */
  files: readonly LibraryFile[];
  /** The tables of the files found, and the fields of all documents that have some. */
  tables: readonly RecordTable[];
  /** Today, as YYYY-MM-DD. */
  today: string;
}

/**
 * What one kind of answer proposes. `markdown` refers to its citations as `[n]`; the gate
 * has the last word on it.
 */
export interface Proposal {
  markdown: string;
  citations: Citation[];
  computed?: Computed;
  /** How likely it is that this is what was asked for, between 0 and 1. */
  confidence: number;
}

/** Makes one kind of answer; null where the material has none of that kind. */
export type Answerer = (material: Material) => Proposal | null;
