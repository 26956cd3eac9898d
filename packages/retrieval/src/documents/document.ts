import type { DocumentKind } from '../languages/language.ts';
import type { SourceDocument } from '../types.ts';

export type { DocumentKind } from '../languages/language.ts';

/** What a document says about itself, computed when it is extracted. */
export interface DocumentFacts {
  kind: DocumentKind | null;
  title: string | null;
  /** Its day, as YYYY-MM-DD. */
  date: string | null;
  /** Its edition or version as it names it: '2', 'v2 FINAL', '2024'. */
  version: string | null;
  /** Numbers by which it names what it belongs to: of a policy, a contract, an account. */
  codes: string[];
}

/** A file as an answer may speak of it. */
export interface LibraryFile extends DocumentFacts {
  artifactId: string;
  fileName: string;
}

/** A file with its whole text. */
export interface LibraryDocument extends SourceDocument {
  artifactId: string;
  fileName: string;
}

export interface RecordColumn {
  name: string;
  /** Dates are kept as YYYY-MM-DD, amounts and numbers as numbers, anything else as text. */
  type: 'text' | 'number' | 'amount' | 'date';
  /** The currency of amounts (ISO 4217), the unit of numbers ('kg', 'h'), or null. */
  unit: string | null;
}

export interface RecordRow {
  /**
   * One for each column, as its type says; null where the cell is empty, and as it is written where it
   * cannot be read so: 'about 12' or '5 USD' in a column of euros.
   */
  cells: (string | number | null)[];
  /** UTF-16 offsets in the document's text. */
  start: number;
  end: number;
}

/**
 * Rows of one kind: a table of a document, or the fields of a document (an invoice's number, date,
 * total …) as a table of one row, which is joined with those of other documents of that kind.
 */
export interface RecordTable {
  artifactId: string;
  fileName: string;
  /** 0, 1, 2 … in the order of the document. */
  ordinal: number;
  /** The sheet's name or the heading above it; for fields, the document's kind. */
  name: string;
  /** Whether it holds the document's own fields. */
  fields: boolean;
  columns: RecordColumn[];
  rows: RecordRow[];
}
