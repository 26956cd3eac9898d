import type { DocumentKind } from '../languages/language.ts';
import type { SourceDocument } from '../types.ts';

export type { DocumentKind } from '../languages/language.ts';

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

export interface LibraryFile extends DocumentFacts {
  artifactId: string;
  fileName: string;
}

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
  /** By the column's type, null when empty, or the cell's text when it cannot be read as that. */
  cells: (string | number | null)[];
  /** UTF-16 offsets in the document's text. */
  start: number;
  end: number;
}

/** A table of a document, or a document's fields (number, date, total) as a table of one row. */
export interface RecordTable {
  artifactId: string;
  fileName: string;
  ordinal: number;
  /** The sheet's name or the heading above it; for fields, the document's kind. */
  name: string;
  fields: boolean;
  columns: RecordColumn[];
  rows: RecordRow[];
}
