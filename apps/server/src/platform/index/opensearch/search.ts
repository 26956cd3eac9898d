import {
  frequenciesOf,
  inverseDocumentFrequency,
  type KnownTerm,
  type LibrarySize,
  scored,
  type WeightedTerm,
} from '../bm25.ts';
import { type FoundPassage, type IsLike, type SearchResult, similarTo } from '../search-index.ts';
import type { Hit, Json, UserDocuments } from './connection.ts';
import {
  artifactsOf,
  numberOf,
  readCurrent,
  term as fieldIs,
  textOf,
  tokenOf,
} from './documents.ts';

interface WordQuery {
  terms: readonly WeightedTerm[];
  limit: number;
  limits: Json;
}

/** The rows of OpenSearch's ranking that are scored for each requested one. */
const CANDIDATES_PER_ROW = 6;
const MAX_CANDIDATES = 10_000;
/** The maximum number of terms, by weight. OpenSearch allows 1,024 in a query. */
const MAX_TERMS = 500;
/** How often a search is repeated because a file was replaced between its steps. */
const MAX_REPEATS = 5;

const hasTerm = (userId: string, term: string): Json => fieldIs('tokens', tokenOf(userId, term));

async function count(docs: UserDocuments, terms: readonly string[]) {
  const clauses = terms.map((term) => hasTerm(docs.userId, term));
  const { aggregations = {} } = await docs.search({
    size: 0,
    query: { bool: { should: [artifactsOf(docs.userId), ...clauses] } },
    aggs: {
      rows: { sum: { field: 'rows' } },
      artifacts: {
        filter: fieldIs('kind', 'artifact'),
        aggs: { length: { sum: { field: 'length' } } },
      },
      shard: { global: {} },
      ...(clauses.length > 0 ? { documents: { filters: { filters: clauses } } } : {}),
    },
  });
  const {
    rows,
    artifacts,
    shard,
    documents = { buckets: [] },
  } = aggregations as {
    rows: { value: number };
    artifacts: { length: { value: number } };
    shard: { doc_count: number };
    documents?: { buckets: { doc_count: number }[] };
  };
  const library: LibrarySize = { rows: rows.value, terms: artifacts.length.value };
  return {
    library,
    documents: documents.buckets.map(({ doc_count }) => doc_count),
    shard: Math.max(shard.doc_count, rows.value),
  };
}

const toCandidate = (hit: Hit) => ({
  id: hit._id,
  artifactId: textOf(hit, 'artifact'),
  revision: textOf(hit, 'revision'),
  ordinal: numberOf(hit, 'ordinal'),
  length: numberOf(hit, 'length'),
  terms: textOf(hit, 'terms'),
});

/** Chooses the rows to score. The boost replaces a term's rarity in the shard with its rarity for the user. */
async function choose(
  docs: UserDocuments,
  {
    terms,
    query,
    library,
    shard,
  }: { terms: readonly KnownTerm[]; query: WordQuery; library: LibrarySize; shard: number },
) {
  const should = terms.map(({ term, weight, documents }) => {
    const rarity = inverseDocumentFrequency(library.rows, documents);
    const boost = (weight * rarity) / inverseDocumentFrequency(shard, documents);
    return { term: { tokens: { value: tokenOf(docs.userId, term), boost } } };
  });
  const { hits } = await docs.search({
    size: Math.min(MAX_CANDIDATES, query.limit * CANDIDATES_PER_ROW),
    query: { bool: { should, filter: [query.limits], minimum_should_match: 1 } },
    stored_fields: ['terms'],
    docvalue_fields: ['artifact', 'revision', 'ordinal', 'length'],
  });
  return hits.hits.map(toCandidate);
}

export async function search(
  docs: UserDocuments,
  query: WordQuery,
  repeats = MAX_REPEATS,
): Promise<SearchResult> {
  const heaviest = query.terms.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_TERMS);
  const words = heaviest.map(({ term }) => term);
  const { library, documents, shard } = await count(docs, words);
  const terms = heaviest
    .map((term, index): KnownTerm => ({ ...term, documents: documents[index] ?? 0 }))
    .filter((term) => term.documents > 0);
  const frequencies = frequenciesOf(terms, library);
  if (terms.length === 0) return { passages: [], frequencies };
  const candidates = await choose(docs, { terms, query, library, shard });
  const best = scored(candidates, terms, library);
  const passages: FoundPassage[] = [];
  // Rows of earlier revisions are skipped.
  for (let start = 0; start < best.length && passages.length < query.limit; start += query.limit) {
    const part = best.slice(start, start + query.limit);
    const { rows, revisions } = await readCurrent(docs, {
      rows: { ids: { values: part.map(({ id }) => id) } },
      artifactIds: part.map(({ artifactId }) => artifactId),
    });
    const isReplaced = part.some((row) => row.revision < (revisions.get(row.artifactId) ?? ''));
    if (isReplaced && repeats > 0) return search(docs, query, repeats - 1);
    for (const { id, score } of part) {
      const row = rows.get(id);
      if (row) passages.push({ row, score });
    }
  }
  return { passages: passages.slice(0, query.limit), frequencies };
}

const MAX_MISSPELLED_LENGTH = 60;
const MAX_SUGGESTIONS = 25;

export async function similarTerms(
  docs: UserDocuments,
  terms: readonly string[],
  isLike: IsLike,
): Promise<string[]> {
  const checked = terms.filter((term) => term.length <= MAX_MISSPELLED_LENGTH);
  if (checked.length === 0) return [];
  const prefix = tokenOf(docs.userId, '').length;
  const suggester = {
    field: 'tokens',
    suggest_mode: 'always',
    prefix_length: prefix + 1,
    max_edits: 2,
    // The default compares whole tokens, which mostly consist of the user's id.
    accuracy: 0.01,
    size: MAX_SUGGESTIONS,
    shard_size: MAX_SUGGESTIONS,
  };
  const { suggest = {} } = await docs.search({
    size: 0,
    suggest: Object.fromEntries(
      checked.map((term, index) => [index, { text: tokenOf(docs.userId, term), term: suggester }]),
    ),
  });
  const candidates = checked.map((term, index) =>
    (suggest[index]?.[0]?.options ?? [])
      .map(({ text }) => text.slice(prefix))
      .filter((candidate) => isLike(term, candidate)),
  );
  // The suggester includes terms of deleted rows, and its counts are not exact.
  const all = [...new Set([...checked, ...candidates.flat()])];
  const { documents } = await count(docs, all);
  const known = new Map(all.map((term, index) => [term, documents[index] ?? 0]));
  const withCounts = (words: readonly string[]) =>
    words
      .map((term) => ({ term, documents: known.get(term) ?? 0 }))
      .filter((candidate) => candidate.documents > 0);
  return checked.flatMap((term, index) =>
    similarTo(term, withCounts([term, ...(candidates[index] ?? [])]), isLike),
  );
}

export async function size(docs: UserDocuments): Promise<number> {
  return (await count(docs, [])).library.rows;
}
