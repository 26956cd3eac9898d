import {
  inverseDocumentFrequency,
  saturation,
  averageLength,
  type CollectionStatistics,
  type WeightedTerm,
} from './bm25.ts';
import { tombstoneOrdinal, type StoredRow } from './index-schema.ts';

export interface ScoredRow {
  row: StoredRow;
  score: number;
}

/**
 * The delta's rows in memory with an inverted index over their terms: at a few thousand rows a
 * question costs it well under a millisecond, and its statistics are exact. Pure but for its own
 * state; {@link DeltaTable} keeps the same rows on disk.
 */
export class DeltaMemory {
  readonly #rows = new Map<number, StoredRow>();
  readonly #numbersOfArtifact = new Map<string, { sequence: number; numbers: number[] }>();
  /** Term → row number → how often it stands there. */
  readonly #postings = new Map<string, Map<number, number>>();
  #nextNumber = 0;
  #terms = 0;
  #bytes = 0;

  /** Artifacts whose rows in the large table no longer count. */
  masks(artifactId: string): boolean {
    return this.#numbersOfArtifact.has(artifactId);
  }

  get artifactIds(): IterableIterator<string> {
    return this.#numbersOfArtifact.keys();
  }

  get rows(): IterableIterator<StoredRow> {
    return this.#rows.values();
  }

  /** Artifacts that have rows here. */
  *artifactsWithRows(): Generator<string> {
    for (const [artifactId, { numbers }] of this.#numbersOfArtifact) {
      if (numbers.length > 0) yield artifactId;
    }
  }

  /** An artifact's rows, in the order in which they were added. */
  rowsOf(artifactId: string): StoredRow[] {
    const numbers = this.#numbersOfArtifact.get(artifactId)?.numbers ?? [];
    return numbers.flatMap((number) => this.#rows.get(number) ?? []);
  }

  get isEmpty(): boolean {
    return this.#numbersOfArtifact.size === 0;
  }

  /** True when some artifact is only known to be gone. */
  get hasTombstones(): boolean {
    return this.#numbersOfArtifact.values().some(({ numbers }) => numbers.length === 0);
  }

  get statistics(): CollectionStatistics {
    return { rows: this.#rows.size, terms: this.#terms };
  }

  /** About how many bytes this holds, for a bound over all users. */
  get bytes(): number {
    return this.#bytes;
  }

  documentFrequency(term: string): number {
    return this.#postings.get(term)?.size ?? 0;
  }

  /** Adds a row; rows of an older write of the same artifact go, an older row than known is refused. */
  add(row: StoredRow): void {
    let entry = this.#numbersOfArtifact.get(row.artifactId);
    if (entry && entry.sequence > row.sequence) return;
    if (!entry || entry.sequence < row.sequence) {
      if (entry) this.#dropRows(entry.numbers);
      entry = { sequence: row.sequence, numbers: [] };
      this.#numbersOfArtifact.set(row.artifactId, entry);
    }
    if (row.ordinal === tombstoneOrdinal) return;
    const number = this.#nextNumber++;
    entry.numbers.push(number);
    this.#rows.set(number, row);
    this.#terms += row.length;
    for (const term of termsOf(row)) {
      let posting = this.#postings.get(term);
      if (!posting) this.#postings.set(term, (posting = new Map()));
      posting.set(number, (posting.get(number) ?? 0) + 1);
    }
    this.#bytes += sizeOf(row);
  }

  #dropRows(numbers: number[]): void {
    for (const number of numbers) {
      const row = this.#rows.get(number);
      if (!row) continue;
      this.#rows.delete(number);
      this.#terms -= row.length;
      this.#bytes -= sizeOf(row);
      for (const term of new Set(termsOf(row))) {
        const posting = this.#postings.get(term);
        posting?.delete(number);
        if (posting?.size === 0) this.#postings.delete(term);
      }
    }
  }

  /**
   * Scores every accepted row that holds one of the terms, judged by `union`: the statistics of the
   * collection that the delta is part of, and each term's document frequency in it.
   */
  search(
    terms: readonly WeightedTerm[],
    union: CollectionStatistics & { frequencies: ReadonlyMap<string, number> },
    accept: (artifactId: string) => boolean,
  ): ScoredRow[] {
    const average = averageLength(union);
    const scores = new Map<number, number>();
    for (const { term, weight } of terms) {
      const factor =
        weight * inverseDocumentFrequency(union.rows, union.frequencies.get(term) ?? 0);
      for (const [number, frequency] of this.#postings.get(term) ?? []) {
        const length = this.#rows.get(number)?.length ?? 0;
        const score = factor * saturation(frequency, length, average);
        scores.set(number, (scores.get(number) ?? 0) + score);
      }
    }
    const found: ScoredRow[] = [];
    for (const [number, score] of scores) {
      const row = this.#rows.get(number);
      if (row && accept(row.artifactId)) found.push({ row, score });
    }
    return found;
  }
}

function termsOf(row: StoredRow): string[] {
  return row.terms === '' ? [] : row.terms.split(' ');
}

/** Strings at two bytes a unit, and about 40 bytes for each distinct term's entry. */
function sizeOf(row: StoredRow): number {
  return 2 * (row.text.length + row.context.length + row.terms.length) + 40 * row.length + 200;
}
