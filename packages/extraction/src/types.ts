import type { FileType } from './file-types.ts';

export type { FileType };

type PlainLocation =
  | { page: number }
  | { slide: number }
  | { sheet: string; row: number }
  | { startMs: number; endMs: number }
  | { line: number };

/** A source location, numbered from 1. `path` is a member of an archive. */
export type Location = PlainLocation | ({ path: string } & (PlainLocation | object));

/** Kinds of blocks. A definition is a term and its first description. */
export type SegmentKind = 'prose' | 'heading' | 'list' | 'table' | 'code' | 'definition';

/** A part of the text with one location, in UTF-16 units. Segments never overlap. */
export interface Segment {
  start: number;
  end: number;
  location: Location;
  /** Headings above, outermost first. */
  headings: string[];
  kind: SegmentKind;
}

/** A picture with text: a PDF page, or a separate picture as page 1. */
export interface PictureRef {
  page: number;
  path?: string;
}

/** A box in fractions of the displayed page's width and height. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface RecognizedWord extends Box {
  text: string;
}

/** A recognized line, in reading order. Lines of one `block` belong together. */
export interface RecognizedLine {
  words: RecognizedWord[];
  block: number;
}

export interface RecognizedPage extends PictureRef {
  lines: RecognizedLine[];
}

export interface TranscriptPart {
  startMs: number;
  endMs: number;
  text: string;
}

interface Missing {
  missing: string;
}

/** External results for the {@link SupplementRequest}s of an extraction: OCR, transcripts, captions. */
export interface Supplements {
  pages?: readonly (RecognizedPage | (PictureRef & Missing))[];
  transcripts?: readonly ({ path?: string } & ({ parts: readonly TranscriptPart[] } | Missing))[];
  captions?: readonly ({ path?: string } & ({ text: string } | Missing))[];
}

export type SupplementRequest =
  | ({ kind: 'page' } & PictureRef)
  | { kind: 'transcript'; path?: string }
  | { kind: 'caption'; path?: string };

/** Recognized words: offsets in {@link Extraction.text} and box on the page. */
export interface PageWords extends PictureRef {
  words: ({ start: number; end: number } & Box)[];
}

/** The content of a file. An empty `text` means that there is nothing to index. */
export interface Extraction {
  /** Without NUL and lone surrogates, with '\n' line ends. */
  text: string;
  segments: Segment[];
  title: string | null;
  /** Number of pages, slides or sheets, or null. */
  parts: number | null;
  /** Sentences that tell the user which content was left out. */
  notes: string[];
  durationMs: number | null;
  /** Recognized words, to show a quote on the picture. */
  words: PageWords[];
  /** Results to pass as supplements before reading again. */
  requests: SupplementRequest[];
}

export interface ExtractInput {
  bytes: Uint8Array;
  /** The user's file name. Never a path. */
  fileName: string;
  type: FileType;
  supplements?: Supplements;
  /** The passwords to try. */
  passwords?: readonly string[] | undefined;
}

export interface ExtractOptions {
  /** Takes progress from 0 to 100. */
  onProgress?: (percent: number) => void;
  /** The bytes may be transferred instead of copied. */
  ownBytes?: boolean;
  /** Maximum text in UTF-16 units, 20 million by default. */
  maxTextLength?: number;
  /** Maximum segments, 200,000 by default. */
  maxSegments?: number;
}

/** Why a file cannot be read. The message is shown to the user. */
export type ExtractionErrorCode =
  /** A password opens it. */
  | 'password_needed'
  /** No password opens it. */
  | 'encrypted'
  | 'damaged'
  | 'empty'
  | 'too_large'
  | 'unsupported';
