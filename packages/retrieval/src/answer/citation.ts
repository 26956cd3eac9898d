import type { LibraryDocument } from '../documents/document.ts';
import type { Span } from '../analysis/sentences.ts';
import type { Citation, Location, Passage } from '../types.ts';

/** The citation of a stretch of a passage's text; `span` holds offsets in it. */
export function citationAt(passage: Passage, { start, end }: Span, n: number): Citation {
  return {
    n,
    artifactId: passage.artifactId,
    fileName: passage.fileName,
    location: locationAt(passage, start),
    quote: passage.text.slice(start, end),
    start: passage.start + start,
    end: passage.start + end,
  };
}

/** The citation of a stretch of a whole document. */
export function citationIn(
  { artifactId, fileName, text, segments }: LibraryDocument,
  { start, end }: Span,
  n: number,
): Citation {
  const location = segments.findLast((each) => each.start <= start)?.location ?? { line: 1 };
  return { n, artifactId, fileName, location, quote: text.slice(start, end), start, end };
}

/** The place of a passage that holds the offset: the last one to begin at or before it. */
function locationAt(passage: Passage, offset: number): Location {
  let { location } = passage;
  for (const place of passage.places) if (place.offset <= offset) ({ location } = place);
  return location;
}
