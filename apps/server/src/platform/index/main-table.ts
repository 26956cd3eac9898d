import { BooleanQuery, MatchQuery, Occur, type FullTextQuery, type Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import {
  averageLength,
  documentFrequencyOf,
  saturation,
  type CollectionStatistics,
  type WeightedTerm,
} from './bm25.ts';
import { storedRows } from './delta-table.ts';
import { artifactFilter, type ArrowTable, type StoredRow } from './index-schema.ts';
import { nextTurn } from './serial.ts';

/** A row of the large table with the engine's own score. */
export interface Candidate {
  row: StoredRow;
  score: number;
}

export interface CandidatePage {
  candidates: Candidate[];
  /** No row that is missing here scores above this for the engine; null when none is missing. */
  floor: number | null;
}

export interface CandidateRequest {
  terms: readonly WeightedTerm[];
  /** How many accepted candidates are wanted. */
  needed: number;
  /** Whether the rows carry their terms, for rescoring. */
  withTerms: boolean;
  accept: (artifactId: string) => boolean;
  only: ReadonlySet<string> | null;
  exclude: ReadonlySet<string>;
}

const rowColumns = ['artifactId', 'ordinal', 'start', 'end', 'text', 'context'];
const termColumns = ['terms', 'length'];
const rememberedTerms = 20_000;

/** Up to so many allowed artifacts are always named in the filter: it costs about 1 ms. */
const alwaysNamed = 300;
/** Naming more artifacts than this costs more than reading on, whatever they keep. */
const mostNamed = 5000;
/** Measured: naming one artifact in a filter costs about as much as reading on by 1.5 rows. */
const rowsPerName = 1.5;

/**
 * One version of the large table, open for reading: its rows, its statistics and the engine's scores
 * never change, so that they can be remembered. A merge makes the next version and retires this one.
 */
export class MainReader {
  readonly #table: Table;
  readonly rows: number;
  readonly isComplete: boolean;
  readonly #idfs = new LRUCache<string, { idf: number }>({ max: rememberedTerms });
  #statistics: Promise<CollectionStatistics> | null = null;
  #users = 0;
  #whenUnused: (() => void)[] = [];

  private constructor(table: Table, rows: number, isComplete: boolean) {
    this.#table = table;
    this.rows = rows;
    this.isComplete = isComplete;
  }

  static async open(table: Table): Promise<MainReader> {
    const rows = await table.countRows();
    const statistics = await table.indexStats('terms_idx');
    return new MainReader(table, rows, rows === 0 || statistics?.numUnindexedRows === 0);
  }

  /** Keeps the version's files in place while `work` reads them. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0) for (const resolve of this.#whenUnused.splice(0)) resolve();
    }
  }

  /** Resolves when nobody reads any more; the caller sees to it that nobody begins. */
  async unused(): Promise<void> {
    if (this.#users === 0) return;
    await new Promise<void>((resolve) => this.#whenUnused.push(resolve));
  }

  close(): void {
    this.#table.close();
  }

  /** Every artifact that has rows: each has a first one. */
  async artifactIds(): Promise<string[]> {
    const answer = await this.#table.query().where('ordinal = 0').select(['artifactId']).toArrow();
    const ids: string[] = [];
    for (const batch of answer.batches) {
      const column = batch.getChild('artifactId');
      for (let index = 0; index < batch.numRows; index += 1) ids.push(column?.get(index) ?? '');
      await nextTurn();
    }
    return ids;
  }

  /** All rows of an artifact, in its order. */
  async rowsOf(artifactId: string): Promise<StoredRow[]> {
    const answer = await this.#table
      .query()
      .where(artifactFilter('IN', [artifactId]))
      .toArrow();
    return storedRows(answer).toSorted((a, b) => a.ordinal - b.ordinal);
  }

  statistics(): Promise<CollectionStatistics> {
    this.#statistics ??= this.#readStatistics().catch((error: unknown) => {
      this.#statistics = null;
      throw error;
    });
    return this.#statistics;
  }

  async #readStatistics(): Promise<CollectionStatistics> {
    const answer = await this.#table.query().select(['length']).toArrow();
    let terms = 0;
    for (const batch of answer.batches) {
      const lengths: Int32Array = batch.getChild('length')?.toArray() ?? new Int32Array();
      for (const length of lengths) terms += length;
    }
    return { rows: answer.numRows, terms };
  }

  /**
   * Learns idfs from rows that were found anyway: a row with one unknown term tells that term's idf,
   * which may leave another row with one unknown term.
   */
  async learn(terms: readonly WeightedTerm[], candidates: readonly Candidate[]): Promise<void> {
    const average = averageLength(await this.statistics());
    const unknown = new Set(terms.filter(({ term }) => !this.#idfs.has(term)));
    if (unknown.size === 0) return;
    const rows = candidates.map(({ row, score }) => ({
      score,
      factors: countTerms(row.terms, terms).map(
        (frequency, index) =>
          (terms[index]?.weight ?? 0) * saturation(frequency, row.length, average),
      ),
    }));
    for (let progress = true; progress && unknown.size > 0;) {
      progress = false;
      for (const { score, factors } of rows) {
        let rest = score;
        let missing: { term: string; factor: number } | null = null;
        let missed = 0;
        for (const [index, entry] of terms.entries()) {
          const factor = factors[index] ?? 0;
          if (factor === 0) continue;
          if (unknown.has(entry)) {
            missed += 1;
            missing = { term: entry.term, factor };
          } else rest -= factor * (this.#idfs.get(entry.term)?.idf ?? 0);
        }
        if (missed !== 1 || !missing || !(rest > 0)) continue;
        const { term, factor } = missing;
        this.#idfs.set(term, { idf: rest / factor });
        for (const entry of unknown) if (entry.term === term) unknown.delete(entry);
        progress = true;
      }
    }
  }

  /**
   * In how many rows a term stands, read off the engine's score of its best row: there everything
   * but the idf is known. The engine has no call that says it, and a scan would cost far more.
   */
  async documentFrequency(term: string): Promise<number> {
    const statistics = await this.statistics();
    const known = this.#idfs.get(term);
    if (known) return documentFrequencyOf(known.idf, statistics.rows);
    const answer = await this.#table
      .query()
      .fullTextSearch(new MatchQuery(term, 'terms'))
      .select([...termColumns, '_score'])
      .limit(1)
      .toArrow();
    const [best] = candidatesOf(answer);
    if (!best) {
      this.#idfs.set(term, { idf: Infinity });
      return 0;
    }
    const { terms, length } = best.row;
    const [frequency = 1] = countTerms(terms, [{ term, weight: 1 }]);
    const idf = best.score / saturation(frequency, length, averageLength(statistics));
    this.#idfs.set(term, { idf });
    return documentFrequencyOf(idf, statistics.rows);
  }

  /** The best accepted rows, with every limit on artifacts applied before the page is cut. */
  async candidates(request: CandidateRequest): Promise<CandidatePage> {
    const { needed, only, exclude, accept } = request;
    if (only && only.size <= alwaysNamed) {
      return this.#named(request, artifactFilter('IN', only));
    }
    if (only || exclude.size > 0) return this.#readOn(request);
    const page = await this.#page(request, needed, null);
    const candidates = page.candidates.filter(({ row }) => accept(row.artifactId));
    if (page.floor === null || candidates.length >= needed) return { ...page, candidates };
    return this.#readOn(request);
  }

  /** Names the artifacts in the filter; only rows that a newer write masks are left to skip. */
  async #named(request: CandidateRequest, filter: string): Promise<CandidatePage> {
    for (let size = request.needed; ; size *= 4) {
      const page = await this.#page(request, size, filter);
      const candidates = page.candidates.filter(({ row }) => request.accept(row.artifactId));
      if (page.floor === null || candidates.length >= request.needed) {
        return { candidates, floor: page.floor };
      }
    }
  }

  /**
   * Reads ids alone in growing steps until enough are accepted, and then the rows of these; names
   * the artifacts in a filter once the steps so far tell that this is cheaper.
   */
  async #readOn(request: CandidateRequest): Promise<CandidatePage> {
    const { only, exclude, needed } = request;
    const named = only ?? exclude;
    for (let size = needed * 4; ;) {
      const answer = await this.#table
        .query()
        .fullTextSearch(engineQuery(request.terms))
        .select(['artifactId', '_score'])
        .withRowId()
        .limit(size)
        .toArrow();
      const scores = new Map<bigint, number>();
      let floor: number | null = null;
      for (const batch of answer.batches) {
        const artifactId = batch.getChild('artifactId');
        const score = batch.getChild('_score');
        const rowId = batch.getChild('_rowid');
        for (let index = 0; index < batch.numRows && scores.size < request.needed; index += 1) {
          if (!request.accept(artifactId?.get(index) ?? '')) continue;
          scores.set(BigInt(rowId?.get(index)), score?.get(index));
          if (scores.size === request.needed) floor = score?.get(index);
        }
      }
      if (scores.size >= request.needed || answer.numRows < size) {
        return { candidates: await this.#rowsAt(scores, request.withTerms), floor };
      }
      const share = Math.max(scores.size, 0.5) / size;
      const expected = Math.ceil((needed / share) * 1.5);
      if (named.size > 0 && named.size <= mostNamed && expected > named.size * rowsPerName) {
        return this.#named(request, artifactFilter(only ? 'IN' : 'NOT IN', named));
      }
      size = Math.max(size * 4, expected);
    }
  }

  async #rowsAt(scores: ReadonlyMap<bigint, number>, withTerms: boolean): Promise<Candidate[]> {
    if (scores.size === 0) return [];
    const answer = await this.#table
      .query()
      .where(`_rowid IN (${[...scores.keys()].join(',')})`)
      .select(withTerms ? [...rowColumns, ...termColumns] : rowColumns)
      .withRowId()
      .toArrow();
    const ids = answer.batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, index) =>
        BigInt(batch.getChild('_rowid')?.get(index)),
      ),
    );
    return storedRows(answer).map((row, index) => ({
      row,
      score: scores.get(ids[index] ?? -1n) ?? 0,
    }));
  }

  async #page(
    { terms, withTerms }: CandidateRequest,
    size: number,
    filter: string | null,
  ): Promise<CandidatePage> {
    const columns = withTerms
      ? [...rowColumns, ...termColumns, '_score']
      : [...rowColumns, '_score'];
    const query = this.#table
      .query()
      .fullTextSearch(engineQuery(terms))
      .select(columns)
      .limit(size);
    const candidates = candidatesOf(
      await (filter === null ? query : query.where(filter)).toArrow(),
    );
    const last = candidates.at(-1);
    return { candidates, floor: candidates.length < size || !last ? null : last.score };
  }
}

function candidatesOf(answer: ArrowTable): Candidate[] {
  const scores = answer.batches.flatMap((batch) => [
    ...(batch.getChild('_score')?.toArray() ?? []),
  ]) as number[];
  return storedRows(answer).map((row, index) => ({ row, score: scores[index] ?? 0 }));
}

/** One match over all terms is the engine's fastest path; weights of their own need a boost each. */
function engineQuery(terms: readonly WeightedTerm[]): FullTextQuery {
  const weights = new Set(terms.map(({ weight }) => weight));
  const [boost] = weights;
  if (weights.size <= 1) {
    return new MatchQuery(terms.map(({ term }) => term).join(' '), 'terms', { boost });
  }
  return new BooleanQuery(
    terms.map(({ term, weight }) => [
      Occur.Should,
      new MatchQuery(term, 'terms', { boost: weight }),
    ]),
  );
}

/** How often each term of a question stands in terms joined by single spaces. */
export function countTerms(terms: string, wanted: readonly WeightedTerm[]): number[] {
  const text = ` ${terms} `;
  return wanted.map(({ term }) => {
    const word = ` ${term} `;
    let count = 0;
    // The space that ends one occurrence may begin the next.
    const step = word.length - 1;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + step)) count += 1;
    return count;
  });
}
