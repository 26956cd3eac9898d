import type { TermFrequencies, WeightedTerm } from './bm25.ts';

export type { WeightedTerm } from './bm25.ts';

type RowLocation = Record<string, string | number>;

export interface IndexRow {
  artifactId: string;
  ordinal: number;
  start: number;
  end: number;
  text: string;
  /** The analyzed terms, separated by whitespace, without those above 1,000 UTF-16 units. */
  terms: string;
  location: RowLocation;
  places: { offset: number; location: RowLocation }[];
  headings: string[];
}

export type FoundRow = Omit<IndexRow, 'terms'>;

export interface ArtifactRows {
  artifactId: string;
  rows: readonly IndexRow[];
}

export interface RowPlace {
  artifactId: string;
  ordinal: number;
}

/** Limits that apply before the best rows are chosen. */
export interface ArtifactLimits {
  only?: ReadonlySet<string>;
  exclude?: ReadonlySet<string>;
}

export interface SearchRequest extends ArtifactLimits {
  /** Analyzed terms, optionally with weights. A duplicate counts twice. */
  terms: readonly (string | WeightedTerm)[];
  limit: number;
}

export interface FoundPassage {
  row: FoundRow;
  /** BM25 (k1 1.2, b 0.75) over all of the user's rows, comparable within one question. */
  score: number;
}

export interface SearchResult {
  passages: FoundPassage[];
  /** The frequencies of the terms in all chunks of the user, regardless of the limits. */
  frequencies: TermFrequencies;
}

export const NOTHING_FOUND: SearchResult = {
  passages: [],
  frequencies: { chunks: 0, documents: new Map() },
};

export type IsLike = (misspelled: string, term: string) => boolean;

export interface VectorModel {
  /** Small letters, digits and hyphens. */
  key: string;
  dimensions: number;
  setting: string;
}

export interface StoredModel extends VectorModel {
  /** Whether every row once had a vector. */
  complete: boolean;
}

export interface UnembeddedRow {
  /** Identifies the row for {@link SearchIndex.addVectors}; never reused. */
  key: string;
  artifactId: string;
  text: string;
  headings: string[];
}

export interface RowVector {
  key: string;
  vector: Float32Array;
}

export interface NearestRequest extends ArtifactLimits {
  vector: Float32Array;
  limit: number;
}

export interface NearPassage {
  row: FoundRow;
  /** The cosine of the vectors, −1 to 1. */
  similarity: number;
}

/**
 * Searches each user's chunks by words and by meaning. The index is derived from the database and can be
 * rebuilt. Ids are lower-case UUIDs, and others cause a `TypeError`. Results for unknown users are empty.
 */
export interface SearchIndex {
  /**
   * Replaces all rows of the artifacts. When it resolves, the change is durable and visible. Can be repeated
   * after a failure. Rows with the same text and location keep their vectors.
   */
  replace(userId: string, artifacts: readonly ArtifactRows[]): Promise<void>;
  /** Removes the artifacts from all results. The next {@link purge} deletes their bytes. */
  remove(userId: string, artifactIds: readonly string[]): Promise<void>;
  search(userId: string, request: SearchRequest): Promise<SearchResult>;
  /** Terms of the index that unknown terms with the same first letter may mean. */
  similarTerms(userId: string, terms: readonly string[], isLike: IsLike): Promise<string[]>;
  users(): Promise<string[]>;
  artifactIds(userId: string): Promise<Set<string>>;
  size(userId: string): Promise<number>;
  rowsAt(userId: string, places: readonly RowPlace[]): Promise<FoundRow[]>;

  models(userId: string): Promise<StoredModel[]>;
  /**
   * Rows with text but without a vector of the model, newest artifact first, and the numbers of rows with
   * and without one.
   */
  unembedded(
    userId: string,
    model: VectorModel,
    request: { limit: number; exclude: ReadonlySet<string> },
  ): Promise<{ rows: UnembeddedRow[]; embedded: number; missing: number }>;
  /** Adds vectors, except to rows that no longer exist. */
  addVectors(userId: string, model: VectorModel, vectors: readonly RowVector[]): Promise<void>;
  /** Marks a model as complete, and deletes the vectors of all other models. */
  completeModel(userId: string, model: VectorModel): Promise<void>;
  nearest(userId: string, model: VectorModel, request: NearestRequest): Promise<NearPassage[]>;

  /** Deletes the bytes of removed rows from the disk, in OpenSearch with the next merge. */
  purge(userId: string): Promise<void>;
  removeUser(userId: string): Promise<void>;
  assertUsable(): Promise<void>;
  close(): Promise<void>;
}

export interface IndexLog {
  warn(details: object, message: string): void;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (id: string): boolean => uuid.test(id);

/** Ids are part of file names and queries, so they must be UUIDs. */
export function requireUuid(id: string, name: string): void {
  if (!isUuid(id)) throw new TypeError(`The ${name} of an index entry must be a lower-case UUID.`);
}

const longestTerm = 1000;

export function splitTerms(terms: string): string[] {
  return terms
    .toWellFormed()
    .toLowerCase()
    .split(/\s+/u)
    .filter((term) => term !== '' && term.length <= longestTerm);
}

/** The distinct terms of a question. The weights of duplicates are added. */
export function mergeTerms(terms: readonly (string | WeightedTerm)[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  for (const entry of terms) {
    const { term, weight } = typeof entry === 'string' ? { term: entry, weight: 1 } : entry;
    if (!(weight > 0)) continue;
    for (const part of splitTerms(term)) weights.set(part, (weights.get(part) ?? 0) + weight);
  }
  return Array.from(weights, ([term, weight]) => ({ term, weight }));
}

const MAX_SIMILAR = 3;

/** The most common terms that a misspelled one may mean; none if the term itself is known. */
export function similarTo(
  term: string,
  others: readonly { term: string; documents: number }[],
  isLike: IsLike,
): string[] {
  if (others.some((candidate) => candidate.term === term)) return [];
  return others
    .filter((candidate) => isLike(term, candidate.term))
    .toSorted((a, b) => b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map((candidate) => candidate.term);
}

/** One byte for each dimension, scaled to 127, which does not change the cosine. */
export function bytesOf(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  return Int8Array.from(vector, (number) => Math.round((127 * number) / largest));
}

export const isDirection = (vector: Float32Array): boolean => vector.some((number) => number !== 0);
