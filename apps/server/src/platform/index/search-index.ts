import type { TermFrequencies, WeightedTerm } from './bm25.ts';

export type { WeightedTerm } from './bm25.ts';

type RowLocation = Record<string, string | number>;

export interface IndexRow {
  artifactId: string;
  ordinal: number;
  start: number;
  end: number;
  text: string;
  /** The analysed terms, separated by whitespace. Terms above 1,000 UTF-16 units are left out. */
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

/** Limits that apply before the best rows are chosen. An empty `only` finds nothing. */
export interface ArtifactLimits {
  only?: ReadonlySet<string>;
  exclude?: ReadonlySet<string>;
}

export interface SearchRequest extends ArtifactLimits {
  /** Analysed terms, optionally with weights. A duplicate counts twice. */
  terms: readonly (string | WeightedTerm)[];
  limit: number;
}

export interface FoundPassage {
  row: FoundRow;
  /** BM25 (k1 1.2, b 0.75) over all of the user's rows; comparable within one question. */
  score: number;
}

export interface SearchResult {
  passages: FoundPassage[];
  /** Of the request's terms, over all of the user's chunks regardless of the limits. */
  frequencies: TermFrequencies;
}

export const NOTHING_FOUND: SearchResult = {
  passages: [],
  frequencies: { chunks: 0, documents: new Map() },
};

export type IsLike = (misspelt: string, term: string) => boolean;

export interface VectorModel {
  /** Small letters, digits and hyphens. */
  key: string;
  dimensions: number;
  setting: string;
}

export interface StoredModel extends VectorModel {
  /** Whether every row had a vector at some time. */
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
 * Search in each user's chunks by words and by meaning. It is derived from the database and can be
 * rebuilt. Every id is a lower-case UUID; an invalid one is a `TypeError`. For an unknown user every
 * result is empty.
 */
export interface SearchIndex {
  /**
   * Replaces all rows of the artifacts, durably and visibly when it resolves. May be repeated after any
   * failure. Rows with the same text and location keep their vectors. A row of another artifact is a
   * `TypeError`.
   */
  replace(userId: string, artifacts: readonly ArtifactRows[]): Promise<void>;
  /** Removes the artifacts from all results. Their bytes are deleted by the next {@link purge}. */
  remove(userId: string, artifactIds: readonly string[]): Promise<void>;
  search(userId: string, request: SearchRequest): Promise<SearchResult>;
  /** Terms of the index with the same first letter that unknown terms may be a misspelling of. */
  similarTerms(userId: string, terms: readonly string[], isLike: IsLike): Promise<string[]>;
  users(): Promise<string[]>;
  artifactIds(userId: string): Promise<Set<string>>;
  size(userId: string): Promise<number>;
  rowsAt(userId: string, places: readonly RowPlace[]): Promise<FoundRow[]>;

  models(userId: string): Promise<StoredModel[]>;
  /**
   * Rows with text but without a vector of a model, newest artifact first and not of `exclude`, and the
   * numbers of rows with and without one.
   */
  unembedded(
    userId: string,
    model: VectorModel,
    request: { limit: number; exclude: ReadonlySet<string> },
  ): Promise<{ rows: UnembeddedRow[]; embedded: number; missing: number }>;
  /** Adds vectors. Rows that were replaced or removed meanwhile are skipped. */
  addVectors(userId: string, model: VectorModel, vectors: readonly RowVector[]): Promise<void>;
  /** Marks a model as complete, and deletes the vectors of all other models. */
  completeModel(userId: string, model: VectorModel): Promise<void>;
  nearest(userId: string, model: VectorModel, request: NearestRequest): Promise<NearPassage[]>;

  /** Deletes the bytes of removed rows from the disk now, or with the next merge of a shared engine. */
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
export function requireUuid(id: string, what: string): void {
  if (!isUuid(id)) throw new TypeError(`The ${what} of an index entry must be a lower-case UUID.`);
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
  for (const given of terms) {
    const { term, weight } = typeof given === 'string' ? { term: given, weight: 1 } : given;
    if (!(weight > 0)) continue;
    for (const part of splitTerms(term)) weights.set(part, (weights.get(part) ?? 0) + weight);
  }
  return Array.from(weights, ([term, weight]) => ({ term, weight }));
}

const MAX_SIMILAR = 3;

/** The most common terms that a misspelt one may stand for; none if the term itself is known. */
export function similarTo(
  term: string,
  others: readonly { term: string; documents: number }[],
  isLike: IsLike,
): string[] {
  if (others.some((other) => other.term === term)) return [];
  return others
    .filter((other) => isLike(term, other.term))
    .toSorted((a, b) => b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map((other) => other.term);
}

/** One byte for each dimension, scaled to 127. The cosine does not depend on the length. */
export function bytesOf(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  return Int8Array.from(vector, (number) => Math.round((127 * number) / largest));
}

export const isDirection = (vector: Float32Array): boolean => vector.some((number) => number !== 0);
