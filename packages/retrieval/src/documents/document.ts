import type { SourceDocument, Span } from '../types.ts';
import type { DocumentKind } from '../languages/language.ts';

export type { DocumentKind } from '../languages/language.ts';

export interface DocumentFacts {
  kind: DocumentKind | null;
  title: string | null;
  date: string | null;
  /** Its version in its own words: '2', 'v2 FINAL', '2024'. */
  version: string | null;
  /** Reference numbers such as those of a policy, contract or account. */
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
  /** Dates are YYYY-MM-DD, amounts and numbers are numbers, others text. */
  type: 'text' | 'number' | 'amount' | 'date';
  /** The currency of amounts (ISO 4217), the unit of numbers ('kg', 'h'), or null. */
  unit: string | null;
}

export interface RecordRow extends Span {
  /** Typed by column, null if empty, the cell's text if it does not have the type. */
  cells: (string | number | null)[];
}

/** A table, or a document's fields (number, date, total) as a table of one row. */
export interface RecordTable {
  artifactId: string;
  fileName: string;
  ordinal: number;
  /** The sheet's name or the heading above. The document's kind for fields. */
  name: string;
  fields: boolean;
  columns: RecordColumn[];
  rows: RecordRow[];
}
