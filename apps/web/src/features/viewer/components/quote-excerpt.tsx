import type { Citation } from '@engram/contract';
import { useArtifactText } from '../api/get-artifact-text.ts';
import { excerptOf } from '../excerpt.ts';

/** The text of a larger file is not fetched for a few words around a quote. In bytes. */
export const FETCH_LIMIT = 1_000_000;

interface QuoteExcerptProps {
  citation: Citation;
  /** The file's size in bytes, where it is known. */
  size: number | undefined;
}

/** A quote, marked, with the words around it. */
export function QuoteExcerpt({ citation, size }: QuoteExcerptProps) {
  const { data } = useArtifactText(citation.artifactId, size !== undefined && size <= FETCH_LIMIT);
  const { before, quote, after } = excerptOf(data, citation, {
    inTable: 'row' in citation.location,
  });
  return (
    <>
      {before}
      <mark>{quote}</mark>
      {after}
    </>
  );
}
