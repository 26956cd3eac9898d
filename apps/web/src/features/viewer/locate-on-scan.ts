import type { Citation } from '@engram/contract';
import type { QueryClient } from '@tanstack/react-query';
import { artifactText, artifactWords } from './api.ts';
import { findQuote } from './quote-place.ts';
import { boxesOf, type Box } from './word-boxes.ts';

/** The boxes of a quote by the number of the page they stand on. */
export type ScanQuote = ReadonlyMap<number, Box[]>;

/** Finds a quote among the words that were recognised on pages; without them it cannot be marked. */
export async function locateOnScan(
  queries: QueryClient,
  citation: Citation,
  pages: readonly number[],
): Promise<ScanQuote> {
  try {
    const text = await queries.fetchQuery(artifactText(citation.artifactId));
    const place = findQuote(text, citation);
    if (!place) return new Map();
    const located = await Promise.all(
      pages.map(async (page) => {
        const words = await queries.fetchQuery(artifactWords(citation.artifactId, page));
        return [page, boxesOf(words, place)] as const;
      }),
    );
    return new Map(located.filter(([, boxes]) => boxes.length > 0));
  } catch {
    return new Map();
  }
}
