/** A source location. It is only compared here. */
export type Location = Record<string, string | number>;

/** UTF-16 offsets in a text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

export interface SourceSegment extends Span {
  location: Location;
  headings: string[];
  kind: 'prose' | 'heading' | 'list' | 'table' | 'code' | 'definition';
}

export interface SourceDocument {
  text: string;
  segments: readonly SourceSegment[];
}

/** A part of a document that is indexed. `text` is `document.text.slice(start, end)`. */
export interface Chunk extends Span {
  ordinal: number;
  text: string;
  location: Location;
  /** Offsets in the text at which further segments begin, for exact citations. */
  places: { offset: number; location: Location }[];
  headings: string[];
}

export interface Passage extends Chunk {
  artifactId: string;
  fileName: string;
  /** Path in the synced folder, separated by '/'. */
  path?: string | null;
  /** BM25 score, comparable within one question. 0 if found by vector only. */
  score: number;
  /** Cosine of its vector and the question's, if it is among the nearest. */
  similarity?: number;
}

export interface Citation extends Span {
  /** Written as `[n]` in the answer's Markdown. */
  n: number;
  artifactId: string;
  fileName: string;
  /** Exactly as in the file's text. */
  quote: string;
}

export interface Answer {
  markdown: string;
  citations: Citation[];
  /** False if the files do not answer. The Markdown says so without citations. */
  grounded: boolean;
  nearest?: Citation[];
}
