import type { FileType } from './file-types.ts';

export type { FileType };

type PlainLocation =
  | { page: number }
  | { slide: number }
  | { sheet: string; row: number }
  | { startMs: number; endMs: number }
  | { line: number };

/** Where a text is in its file. Numbers count from 1. `path` is a member of an archive. */
export type Location = PlainLocation | ({ path: string } & (PlainLocation | object));

/** Kinds of blocks. A definition is a term on its own line with what is first said of it. */
export type SegmentKind = 'prose' | 'heading' | 'list' | 'table' | 'code' | 'definition';

/** A part of the text with one location. Offsets are UTF-16 units. Segments never overlap. */
export interface Segment {
  start: number;
  end: number;
  location: Location;
  /** The headings the segment stands under, outermost first. */
  headings: string[];
  kind: SegmentKind;
}

/** A picture with text in it: a page of a PDF, or a picture by itself, which is page 1. */
export interface PictureRef {
  page: number;
  path?: string;
}

/** Where something stands on its page as it is shown, in fractions of its width and height. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface RecognizedWord extends Box {
  text: string;
}

/** One line of a picture's text, in reading order; lines of one `block` belong together. */
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

/** What is made elsewhere for the {@link Want}s of an extraction: OCR, transcripts, captions. */
export interface Supplements {
  pages?: readonly (RecognizedPage | (PictureRef & Missing))[];
  transcripts?: readonly ({ path?: string } & ({ parts: readonly TranscriptPart[] } | Missing))[];
  captions?: readonly ({ path?: string } & ({ text: string } | Missing))[];
}

export type Want =
  | ({ kind: 'page' } & PictureRef)
  | { kind: 'transcript'; path?: string }
  | { kind: 'caption'; path?: string };

/** Where the words of a recognised page stand: offsets in {@link Extraction.text}, box on the page. */
export interface PageWords extends PictureRef {
  words: ({ start: number; end: number } & Box)[];
}

/** What was read from a file. An empty `text` is a true result: the file has nothing to index. */
export interface Extraction {
  /** The whole text, free of NUL and lone surrogates, lines ended by '\n'. */
  text: string;
  segments: Segment[];
  title: string | null;
  /** Pages, slides or sheets; null where the format has none. */
  parts: number | null;
  /** Sentences for a person about what was left out ('Only the first 2,000 pages were read.'). */
  notes: string[];
  /** How long a recording lasts, in milliseconds; null where that means nothing or is not told. */
  durationMs: number | null;
  /** Where the words of recognised pages stand, so that a quote can be shown on the picture. */
  words: PageWords[];
  /** What the file holds that was not handed in yet: hand it in and read once more. */
  wants: Want[];
}

/** Sound that can be heard: what is accepted as a file, and what a browser records besides. */
export type SoundType = FileType | 'ogg';

export interface ExtractInput {
  bytes: Uint8Array;
  /** The user's name for the file: data, never a path. */
  fileName: string;
  type: FileType;
  supplements?: Supplements;
}

export interface ExtractOptions {
  /** Called with 0 to 100 as reading goes on; may be called often. */
  onProgress?: (percent: number) => void;
  /** The caller needs the bytes no longer: they may be taken over, which saves a copy. */
  ownBytes?: boolean;
  /** The longest text kept, in UTF-16 units; 20 million unless set. What is left out is noted. */
  maxTextLength?: number;
  /** The most segments kept; 200,000 unless set. What is left out is noted. */
  maxSegments?: number;
}

/** Why a file cannot be read; `message` is a sentence for the person who uploaded it. */
export type ExtractionErrorCode = 'encrypted' | 'damaged' | 'empty' | 'too_large' | 'unsupported';
