import {
  addStatistics,
  averageLength,
  inverseDocumentFrequency,
  saturation,
  unionScoreBound,
  type CollectionStatistics,
  type TermShift,
  type WeightedTerm,
} from './bm25.ts';
import type { DeltaMemory, ScoredRow } from './delta-memory.ts';
import { countTerms, type Candidate } from './main-table.ts';

/** The large table's statistics and the document frequency of each term of the question in it. */
export interface MainStatistics {
  statistics: CollectionStatistics;
  frequencies: ReadonlyMap<string, number>;
}

/** Judges the rows of the large table and of the deltas beside it with the statistics of their union. */
export class UnionScorer {
  readonly #terms: readonly WeightedTerm[];
  readonly #main: MainStatistics;
  readonly #average: number;
  /** Weight times idf of each term. */
  readonly #factors: number[];
  readonly union: CollectionStatistics & { frequencies: ReadonlyMap<string, number> };

  constructor(
    terms: readonly WeightedTerm[],
    main: MainStatistics,
    deltas: readonly DeltaMemory[],
  ) {
    this.#terms = terms;
    this.#main = main;
    let statistics = main.statistics;
    for (const delta of deltas) statistics = addStatistics(statistics, delta.statistics);
    const frequencies = new Map<string, number>();
    for (const { term } of terms) {
      let frequency = main.frequencies.get(term) ?? 0;
      for (const delta of deltas) frequency += delta.documentFrequency(term);
      frequencies.set(term, frequency);
    }
    this.union = { ...statistics, frequencies };
    this.#average = averageLength(this.union);
    this.#factors = terms.map(
      ({ term, weight }) =>
        weight * inverseDocumentFrequency(statistics.rows, frequencies.get(term) ?? 0),
    );
  }

  rescore({ row }: Candidate): ScoredRow {
    let score = 0;
    for (const [index, frequency] of countTerms(row.terms, this.#terms).entries()) {
      score += (this.#factors[index] ?? 0) * saturation(frequency, row.length, this.#average);
    }
    return { row, score };
  }

  /** The most that a row of the large table can score when the engine gives it at most this. */
  bound(engineScore: number): number {
    const { statistics, frequencies } = this.#main;
    const shifts: TermShift[] = [];
    for (const { term, weight } of this.#terms) {
      const frequency = frequencies.get(term) ?? 0;
      if (frequency === 0) continue;
      shifts.push({
        weight,
        engineIdf: inverseDocumentFrequency(statistics.rows, frequency),
        unionIdf: inverseDocumentFrequency(
          this.union.rows,
          this.union.frequencies.get(term) ?? frequency,
        ),
      });
    }
    return unionScoreBound(engineScore, shifts, {
      engine: averageLength(statistics),
      union: averageLength(this.union),
    });
  }
}

/** Best first; rows of equal score in the order of their artifact, so that an answer is repeatable. */
export function best(rows: ScoredRow[], limit: number): ScoredRow[] {
  rows.sort(
    (one, other) =>
      other.score - one.score ||
      (one.row.artifactId < other.row.artifactId ? -1 : 1) *
        Number(one.row.artifactId !== other.row.artifactId) ||
      one.row.ordinal - other.row.ordinal,
  );
  return rows.slice(0, limit);
}
