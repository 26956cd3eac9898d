import { MatchQuery, type Table } from '@lancedb/lancedb';

/** Whether a term of the index may be what a misspelt one was meant to be. */
export type IsLike = (misspelt: string, term: string) => boolean;

/** Rows that each way of looking reads for their terms. */
const rowsRead = 30;
/** Terms that a misspelt one is taken for at most. */
const mostSimilar = 3;
/** Characters from which on a term may be two edits away: short ones are like too many. */
const longTerm = 9;
/**
 * Characters above which it is asked for one edit alone, and not at all: the engine's automaton grows
 * with the term, takes 20 ms at 30 characters and two edits, and fails at 50.
 */
const veryLongTerm = 20;
const longestTerm = 40;

/** A term with two neighbouring characters changed places, once for each pair. */
function swapped(term: string): string[] {
  const signs = [...term];
  return signs
    .slice(1)
    .map((sign, i) => [...signs.slice(0, i), sign, signs[i], ...signs.slice(i + 2)].join(''));
}

/**
 * Terms of a large table that are like a misspelt one. The engine has no list of its terms, but finds
 * rows whose terms are some edits away (Levenshtein's, for which two letters that changed places are
 * two: those are asked for by themselves). The rows' own terms then tell which they were.
 */
export async function similarInTable(
  table: Table,
  term: string,
  isLike: IsLike,
): Promise<string[]> {
  if (term.length > longestTerm) return [];
  const queries = [
    new MatchQuery(swapped(term).join(' '), 'terms'),
    new MatchQuery(term, 'terms', { fuzziness: 1, prefixLength: 1 }),
  ];
  if (term.length >= longTerm && term.length <= veryLongTerm) {
    queries.push(new MatchQuery(term, 'terms', { fuzziness: 2, prefixLength: 1 }));
  }
  const answers = await Promise.all(
    queries.map((query) =>
      table.query().fullTextSearch(query).select(['terms', '_score']).limit(rowsRead).toArrow(),
    ),
  );
  const rows = answers.flatMap(({ batches }) =>
    batches.flatMap((batch) => {
      const column = batch.getChild('terms');
      return Array.from({ length: batch.numRows }, (_, at) => String(column?.get(at) ?? ''));
    }),
  );
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const found of new Set(row.split(' '))) {
      if (isLike(term, found)) counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  }
  return mostCommon(counts);
}

/** The commonest of some terms, a few at most. */
export function mostCommon(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, mostSimilar)
    .map(([term]) => term);
}
