/** Where in its file a text stands. Retrieval only compares locations. */
export type Location = Record<string, string | number>;

export interface SourceSegment {
  start: number;
  end: number;
  location: Location;
  headings: string[];
  kind: 'prose' | 'heading' | 'list' | 'table' | 'code' | 'definition';
}

export interface SourceDocument {
  text: string;
  segments: readonly SourceSegment[];
}

/** A stretch of one document that is indexed and found as a whole. `text` is `document.text.slice(start, end)`. */
export interface Chunk {
  ordinal: number;
  start: number;
  end: number;
  text: string;
  location: Location;
  /** Where each further segment of the chunk begins: offset in the chunk's text, location; for exact citations. */
  places: { offset: number; location: Location }[];
  headings: string[];
}

export interface Passage extends Chunk {
  artifactId: string;
  fileName: string;
  /** Where the file stands in the folder that it came from: names joined by '/'. */
  path?: string | null;
  /** BM25 of the index, comparable within one question. 0 for passages found by meaning alone. */
  score: number;
  /** The cosine of its vector and the question's; only for the nearest, and where there are vectors. */
  similarity?: number;
}

export interface Citation {
  /** 1, 2, 3 … as `[n]` in the answer's Markdown. */
  n: number;
  artifactId: string;
  fileName: string;
  /** Letter for letter in the file's text. */
  quote: string;
  /** UTF-16 offsets of the quote in the file's text. */
  start: number;
  end: number;
}

export interface Answer {
  markdown: string;
  citations: Citation[];
  /** False when the files hold no answer; the markdown then says so and cites nothing. */
  grounded: boolean;
  nearest?: Citation[];
}
