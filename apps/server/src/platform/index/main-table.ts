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
import { solve } from './least-squares.ts';
import { RowArtifacts, type Selection } from './row-artifacts.ts';
import { nextTurn } from './serial.ts';
import { type IsLike, similarInTable } from './similar-terms.ts';

/** Where a row belongs: the artifact, and the chunk's number in it. */
export type RowPlace = Pick<StoredRow, 'artifactId' | 'ordinal'>;

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

/** Naming artifacts in a filter costs as much as reading on by so many rows, and by more for each name. */
const rowsPerFilter = 2000;
const rowsPerName = 6;
/** Beyond this a filter's cost grows faster than its names: measured 1 ms at 100, 5 at 1,000, 100 at 5,000. */
const mostNamed = 1000;
/** Read a little more than the share of chosen rows says: they need not be spread evenly. */
const readingMargin = 1.5;

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
  #artifacts: Promise<RowArtifacts> | null = null;
  #artifactBytes = 0;
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
      .where(artifactFilter([artifactId]))
      .toArrow();
    return storedRows(answer).toSorted((a, b) => a.ordinal - b.ordinal);
  }

  /** Single rows, in no order; those that are not there are left out. */
  async chunksAt(places: readonly RowPlace[]): Promise<StoredRow[]> {
    if (places.length === 0) return [];
    const ordinals = new Set(places.map(({ ordinal }) => Math.trunc(ordinal)));
    const artifacts = new Set(places.map(({ artifactId }) => artifactId));
    const answer = await this.#table
      .query()
      .where(`${artifactFilter(artifacts)} AND ordinal IN (${[...ordinals].join(',')})`)
      .select(rowColumns)
      .toArrow();
    return storedRows(answer);
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
   * Learns idfs from rows that were found anyway: each row's score is the sum of the idfs of its
   * terms, times factors that are known.
   */
  async learn(terms: readonly WeightedTerm[], candidates: readonly Candidate[]): Promise<void> {
    const average = averageLength(await this.statistics());
    const unknown = terms.filter(({ term }) => !this.#idfs.has(term));
    if (unknown.length === 0) return;
    const equations = candidates.map(({ row, score }) => {
      let value = score;
      const factors: number[] = [];
      for (const [index, frequency] of countTerms(row.terms, terms).entries()) {
        const { term, weight } = terms[index] ?? { term: '', weight: 0 };
        const factor = weight * saturation(frequency, row.length, average);
        const known = this.#idfs.get(term);
        if (!known) factors.push(factor);
        else if (factor > 0) value -= factor * known.idf;
      }
      return { factors, value };
    });
    for (const [index, idf] of solve(equations, unknown.length)) {
      const entry = unknown[index];
      if (entry && idf > 0) this.#idfs.set(entry.term, { idf });
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

  /** Terms that are like a misspelt one; see {@link similarInTable}. */
  similarTerms(term: string, isLike: IsLike): Promise<string[]> {
    return similarInTable(this.#table, term, isLike);
  }

  /** Bytes that are kept to apply limits on artifacts. */
  get bytes(): number {
    return this.#artifactBytes;
  }

  /** Reads ahead what the first question with limits on artifacts would wait for. */
  async prepareLimits(): Promise<void> {
    // That question reads it when this fails.
    await this.#rowArtifacts().catch(() => undefined);
  }

  #rowArtifacts(): Promise<RowArtifacts> {
    this.#artifacts ??= RowArtifacts.read(this.#table).then(
      (artifacts) => {
        this.#artifactBytes = artifacts.bytes;
        return artifacts;
      },
      (error: unknown) => {
        this.#artifacts = null;
        throw error;
      },
    );
    return this.#artifacts;
  }

  /** The best accepted rows, with every limit on artifacts applied before the page is cut. */
  async candidates(request: CandidateRequest): Promise<CandidatePage> {
    const { needed, only, exclude, accept } = request;
    if (only === null && exclude.size === 0) {
      const page = await this.#page(request, needed, null);
      const candidates = page.candidates.filter(({ row }) => accept(row.artifactId));
      if (page.floor === null || candidates.length >= needed) return { ...page, candidates };
    }
    const artifacts = await this.#rowArtifacts();
    const selection = artifacts.select(only, exclude);
    if (selection.rows === 0) return { candidates: [], floor: null };
    const expected = Math.ceil(((needed * this.rows) / selection.rows) * readingMargin);
    return only && only.size <= mostNamed && expected > rowsPerFilter + only.size * rowsPerName
      ? this.#named(request, artifactFilter(only))
      : this.#readOn(request, { artifacts, selection, expected });
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

  /** Reads ids and scores alone, in growing steps until enough are accepted; then the rows of these. */
  async #readOn(
    request: CandidateRequest,
    {
      artifacts,
      selection,
      expected,
    }: { artifacts: RowArtifacts; selection: Selection; expected: number },
  ): Promise<CandidatePage> {
    const { needed, accept } = request;
    for (let size = expected; ; size *= 4) {
      const answer = await this.#table
        .query()
        .fullTextSearch(engineQuery(request.terms))
        .select(['_score'])
        .withRowId()
        .limit(size)
        .toArrow();
      const scores = new Map<number, number>();
      let floor: number | null = null;
      for (const batch of answer.batches) {
        const score = batch.getChild('_score');
        const rowId = batch.getChild('_rowid');
        for (let index = 0; index < batch.numRows && scores.size < needed; index += 1) {
          const id = Number(rowId?.get(index));
          const number = artifacts.numberAt(id);
          if (selection.chosen[number] !== 1 || !accept(artifacts.idOf(number))) continue;
          scores.set(id, score?.get(index));
          if (scores.size === needed) floor = score?.get(index);
        }
      }
      if (scores.size >= needed || answer.numRows < size) {
        return { candidates: await this.#rowsAt(scores, request.withTerms), floor };
      }
    }
  }

  async #rowsAt(scores: ReadonlyMap<number, number>, withTerms: boolean): Promise<Candidate[]> {
    if (scores.size === 0) return [];
    const answer = await this.#table
      .query()
      .where(`_rowid IN (${[...scores.keys()].join(',')})`)
      .select(withTerms ? [...rowColumns, ...termColumns] : rowColumns)
      .withRowId()
      .toArrow();
    const ids = answer.batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, index) =>
        Number(batch.getChild('_rowid')?.get(index)),
      ),
    );
    return storedRows(answer).map((row, index) => ({
      row,
      score: scores.get(ids[index] ?? -1) ?? 0,
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
