import type { Citation } from '@engram/contract';
import { withoutEscapes } from '../../components/markdown/plain-text.ts';
import { describeLocation } from '../../artifacts/location.ts';
import type { Answer } from './answer.ts';
import { isFound, placesOf } from './found-places.ts';

const placeOf = (citation: Citation): string => {
  const { fileName, location } = citation;
  return [fileName, describeLocation(location, { fileName }).spoken].filter(Boolean).join(', ');
};

/** An answer as it is put on the clipboard: with its sources, or else the nearest passages. */
export function copiedAnswer(answer: Answer): string {
  const { markdown, citations, nearest } = answer;
  if (isFound(answer)) {
    const quotes = placesOf(answer).shown.map(
      ({ citation, text }) => `“${text.trim()}”\n— ${placeOf(citation)}`,
    );
    return quotes.join('\n\n');
  }
  const sources = citations.map((citation) => `[${citation.n}] ${placeOf(citation)}`);
  const passages = nearest.map(
    (passage) => `- ${placeOf(passage)}: “${passage.quote.replaceAll(/\s+/gu, ' ').trim()}”`,
  );
  return [
    withoutEscapes(markdown),
    ...(sources.length > 0 ? [`Sources:\n${sources.join('\n')}`] : []),
    ...(passages.length > 0 ? [`The nearest passages:\n${passages.join('\n')}`] : []),
  ].join('\n\n');
}
