import type { TermFrequencies, WeightedTerm } from './bm25.ts';

export type { WeightedTerm } from './bm25.ts';

/** A place inside a file, as the extraction named it: carried, never looked into. */
export type RowLocation = Record<string, string | number>;

/** One chunk of an artifact as it is indexed. */
export interface IndexRow {
  /** A UUID. */
  artifactId: string;
  /** 0, 1, 2 … in the order of the artifact. */
  ordinal: number;
  /** UTF-16 offsets in the artifact's text. */
  start: number;
  end: number;
  text: string;
  /** The analysed terms, joined by whitespace. Terms above 1,000 UTF-16 units are left out. */
  terms: string;
  location: RowLocation;
  places: { offset: number; location: RowLocation }[];
  headings: string[];
}

/** A row as a search answers it: the indexed row without its terms. */
export type FoundRow = Omit<IndexRow, 'terms'>;

/** An artifact's rows as they shall be from now on. */
export interface ArtifactRows {
  artifactId: string;
  rows: readonly IndexRow[];
}

/** Names a row: the artifact, and the row's ordinal in it. */
export interface RowPlace {
  artifactId: string;
  ordinal: number;
}

/** Limits that apply before the best are cut. None of `only` finds nothing. */
export interface ArtifactLimits {
  /** Only these artifacts. */
  only?: ReadonlySet<string>;
  /** Not these artifacts. */
  exclude?: ReadonlySet<string>;
}

export interface SearchRequest extends ArtifactLimits {
  /** Analysed terms, or terms with weights; a term that comes twice counts twice. */
  terms: readonly (string | WeightedTerm)[];
  /** How many rows are wanted, 1 or more. */
  limit: number;
}

export interface FoundPassage {
  row: FoundRow;
  /** BM25 (k1 1.2, b 0.75) over all of the user's rows; comparable within one question. */
  score: number;
}

/** The result of a search by words. */
export interface SearchResult {
  /** Best first. */
  passages: FoundPassage[];
  /** Of the request's terms, over all of the user's chunks whatever the limits. */
  frequencies: TermFrequencies;
}

/** The result of a search without terms, or of a user without chunks. */
export const NOTHING_FOUND: SearchResult = {
  passages: [],
  frequencies: { chunks: 0, documents: new Map() },
};

/** Whether a term of the index may be what a misspelt one was meant to be. */
export type IsLike = (misspelt: string, term: string) => boolean;

/** The model that made vectors. */
export interface VectorModel {
  /** Small letters, digits and hyphens. */
  key: string;
  dimensions: number;
  /** The setting that brings the model back. */
  setting: string;
}

/** A model of which a user has vectors. */
export interface StoredModel extends VectorModel {
  /** Whether every row had its vector at some time. */
  complete: boolean;
}

/** A row that has no vector of a model yet. */
export interface UnembeddedRow {
  /** Names the row for {@link SearchIndex.addVectors}; never another row's. */
  key: string;
  artifactId: string;
  text: string;
  headings: string[];
}

/** The vector of a row, of any length but of the model's dimensions. */
export interface RowVector {
  key: string;
  vector: Float32Array;
}

export interface NearestRequest extends ArtifactLimits {
  vector: Float32Array;
  /** How many rows are wanted, 1 or more. */
  limit: number;
}

/** A row near to a question. */
export interface NearPassage {
  row: FoundRow;
  /** The cosine of the vectors, −1 to 1. */
  similarity: number;
}

/**
 * Search over each user's chunks by their words and by their meaning, derived from the database and
 * always rebuildable. Every id is a lower-case UUID; another one is a `TypeError`. A user who has no
 * rows is none: everything answers nothing.
 */
export interface SearchIndex {
  /**
   * Replaces all rows of the artifacts; searchable when it resolves, and there after a kill. May be
   * run again after any failure. Rows whose text and place are as before keep their vectors. Rows
   * that name another artifact than the one they are given for are a `TypeError`.
   */
  replace(userId: string, artifacts: readonly ArtifactRows[]): Promise<void>;
  /** The artifacts are in no answer from now on; their bytes go with the next {@link purge}. */
  remove(userId: string, artifactIds: readonly string[]): Promise<void>;
  /** The best rows for the terms. */
  search(userId: string, request: SearchRequest): Promise<SearchResult>;
  /**
   * For each of some terms that no row has, terms that some row has and `isLike` takes for it: what
   * it may be a misspelling of. At most a few each. Only terms with the same first letter are looked
   * at.
   */
  similarTerms(userId: string, terms: readonly string[], isLike: IsLike): Promise<string[]>;
  /** Users who have rows. */
  users(): Promise<string[]>;
  /** Every artifact of a user that has rows. */
  artifactIds(userId: string): Promise<Set<string>>;
  /** How many rows a user has. */
  size(userId: string): Promise<number>;
  /** Single rows by their places, in no order; those that are not there are left out. */
  rowsAt(userId: string, places: readonly RowPlace[]): Promise<FoundRow[]>;

  /** The models of which a user has vectors. */
  models(userId: string): Promise<StoredModel[]>;
  /**
   * Rows with text that have no vector of a model, those of the newest artifact first, and how many
   * rows have one. Artifacts in `exclude` are left out.
   */
  unembedded(
    userId: string,
    model: VectorModel,
    request: { limit: number; exclude: ReadonlySet<string> },
  ): Promise<{ rows: UnembeddedRow[]; embedded: number; missing: number }>;
  /** Adds vectors; one of a row that was replaced or removed meanwhile is passed over. */
  addVectors(userId: string, model: VectorModel, vectors: readonly RowVector[]): Promise<void>;
  /** Says that every row has its vector of a model, and removes those of all other models. */
  completeModel(userId: string, model: VectorModel): Promise<void>;
  /** The nearest rows, best first. */
  nearest(userId: string, model: VectorModel, request: NearestRequest): Promise<NearPassage[]>;

  /**
   * Takes the bytes of what was removed off the disk now, not when the user is idle; where the engine
   * shares its files among people, as soon as it writes them anew.
   */
  purge(userId: string): Promise<void>;
  /** Removes everything of a user. */
  removeUser(userId: string): Promise<void>;
  /** Rejects where the index cannot be used. */
  assertUsable(): Promise<void>;
  /** Ends running writes; nothing may be called afterwards. */
  close(): Promise<void>;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (id: string): boolean => uuid.test(id);

/** Ids stand in file names and queries: nothing but a UUID may pass. */
export function requireUuid(id: string, what: string): void {
  if (!isUuid(id)) throw new TypeError(`The ${what} of an index entry must be a lower-case UUID.`);
}

const longestTerm = 1000;

/** The terms of a text of terms, as they are indexed and looked for. */
export function splitTerms(terms: string): string[] {
  return terms
    .toWellFormed()
    .toLowerCase()
    .split(/\s+/u)
    .filter((term) => term !== '' && term.length <= longestTerm);
}

/** The terms of a question, each once: the weights of one that comes twice are added up. */
export function mergeTerms(terms: readonly (string | WeightedTerm)[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  for (const given of terms) {
    const { term, weight } = typeof given === 'string' ? { term: given, weight: 1 } : given;
    if (!(weight > 0)) continue;
    for (const part of splitTerms(term)) weights.set(part, (weights.get(part) ?? 0) + weight);
  }
  return Array.from(weights, ([term, weight]) => ({ term, weight }));
}

/** @throws TypeError where rows are given for another artifact than theirs, or ids are none. */
export function requireOwnRows(artifacts: readonly ArtifactRows[]): void {
  for (const { artifactId, rows } of artifacts) {
    requireUuid(artifactId, 'artifact id');
    if (rows.some((row) => row.artifactId !== artifactId)) {
      throw new TypeError('A row was given for an artifact that it does not belong to.');
    }
  }
}
