import type { LibraryDocument } from '../documents/document.ts';
import type { Span } from '../analysis/sentences.ts';
import type { Citation, Passage } from '../types.ts';

/** The citation of a stretch of a passage's text; `span` holds offsets in it. */
export function citationAt(
  { artifactId, fileName, text, start: from }: Passage,
  { start, end }: Span,
  n: number,
): Citation {
  const quote = text.slice(start, end);
  return { n, artifactId, fileName, quote, start: from + start, end: from + end };
}

/** The citation of a stretch of a whole document. */
export function citationIn(
  { artifactId, fileName, text }: LibraryDocument,
  { start, end }: Span,
  n: number,
): Citation {
  return { n, artifactId, fileName, quote: text.slice(start, end), start, end };
}
