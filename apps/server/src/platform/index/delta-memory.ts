import {
  inverseDocumentFrequency,
  saturation,
  averageLength,
  type CollectionStatistics,
  type WeightedTerm,
} from './bm25.ts';
import { tombstoneOrdinal, type StoredRow } from './index-schema.ts';
import { type IsLike, mostCommon } from './similar-terms.ts';

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
  /** Term → where it stands: row number and how often, by turns, rows rising. */
  readonly #postings = new Map<string, number[]>();
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
    return (this.#postings.get(term)?.length ?? 0) / 2;
  }

  /** Terms that are like a misspelt one. */
  similarTerms(term: string, isLike: IsLike): string[] {
    const counts = new Map<string, number>();
    for (const [found, posting] of this.#postings) {
      if (isLike(term, found)) counts.set(found, posting.length / 2);
    }
    return mostCommon(counts);
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
      const posting = this.#postings.get(term);
      if (!posting) this.#postings.set(term, [number, 1]);
      else if (posting[posting.length - 2] === number) posting[posting.length - 1]! += 1;
      else posting.push(number, 1);
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
        if (!posting) continue;
        if (posting.length === 2) this.#postings.delete(term);
        else posting.splice(placeOf(posting, number), 2);
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
      const posting = this.#postings.get(term) ?? [];
      for (let at = 0; at < posting.length; at += 2) {
        const number = posting[at] ?? 0;
        const frequency = posting[at + 1] ?? 0;
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

/** Where a row's entry begins in a posting that holds it: a binary search over its rows. */
function placeOf(posting: readonly number[], number: number): number {
  let low = 0;
  for (let high = posting.length / 2 - 1; low < high;) {
    const middle = (low + high) >> 1;
    if ((posting[middle * 2] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

function termsOf(row: StoredRow): string[] {
  return row.terms === '' ? [] : row.terms.split(' ');
}

/** Strings at two bytes a unit, and about 40 bytes for each distinct term's entry. */
function sizeOf(row: StoredRow): number {
  return 2 * (row.text.length + row.context.length + row.terms.length) + 40 * row.length + 200;
}
