import { mkdir } from 'node:fs/promises';
import { connect, type Connection, type Session } from '@lancedb/lancedb';
import type { WeightedTerm } from './bm25.ts';
import { DeltaMemory, type ScoredRow } from './delta-memory.ts';
import { DeltaTable, putIntoMemory } from './delta-table.ts';
import { toStoredRow, tombstone, type IndexRow, type StoredRow } from './index-schema.ts';
import { MainReader, type Candidate, type RowPlace } from './main-table.ts';
import { cleanUpMain, mainTableName, mergeIntoMain } from './merge.ts';
import { best, UnionScorer, type MainStatistics } from './rank.ts';
import { nextTurn, Serial } from './serial.ts';
import type { IsLike } from './similar-terms.ts';

/** An artifact's rows as they shall be from now on; no rows means that it is gone. */
export interface ArtifactRows {
  artifactId: string;
  rows: IndexRow[];
}

/** A question, checked: terms distinct and not empty. */
export interface UserQuery {
  terms: readonly WeightedTerm[];
  limit: number;
  only: ReadonlySet<string> | null;
  exclude: ReadonlySet<string>;
}

/** Where failures go that no caller waits for; Fastify's log fits. */
export interface IndexLog {
  warn(details: object, message: string): void;
}

interface PendingWrite {
  artifacts: ArtifactRows[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Rows above `limit` that are asked of the engine, because another judgement may swap neighbours. */
const margin = 10;
/** How often a page is widened until no row beyond it can belong to the best. */
const widenings = 3;
/** How often a search begins anew when a clean-up or a merge took the table from under it. */
const attempts = 10;

/**
 * One user's index: the large table, the deltas that are newer than it, and the one writer.
 *
 * A write is one append to the delta, on disk and in memory. What stands in the delta hides what the
 * large table says of the same artifact, so that replacing and removing never touch the large table.
 * A merge freezes the delta, writes it into the large table's next version, and swaps the two in one
 * turn of the event loop. Between the same steps a kill leaves rows in both: the delta still hides
 * them, and the next merge ends the same.
 */
export class UserIndex {
  readonly #connection: Connection;
  readonly #folder: string;
  readonly #delta: DeltaTable;
  readonly #log: IndexLog;
  readonly #writes = new Serial();
  readonly #merges = new Serial();
  #pending: PendingWrite[] = [];
  #active = new DeltaMemory();
  #frozen: { memory: DeltaMemory; through: number } | null = null;
  #main: MainReader | null = null;
  /** Counts the large table's versions, so that a search notices that it read an old one. */
  #generation = 0;
  #searches = 0;
  #removalPending = false;

  private constructor(connection: Connection, folder: string, log: IndexLog) {
    this.#connection = connection;
    this.#folder = folder;
    this.#log = log;
    this.#delta = new DeltaTable(connection, folder);
  }

  static async open(folder: string, session: Session, log: IndexLog): Promise<UserIndex> {
    await mkdir(folder, { recursive: true });
    const index = new UserIndex(await connect({ uri: folder, session }), folder, log);
    const names = await index.#connection.tableNames();
    await index.#delta.load(names, index.#active);
    if (names.includes(mainTableName)) index.#main = await index.#openMain();
    index.#removalPending = index.#active.hasTombstones;
    return index;
  }

  async #openMain(): Promise<MainReader> {
    const reader = await MainReader.open(await this.#connection.openTable(mainTableName));
    if (this.#main && this.#main.bytes > 0) await reader.prepareLimits();
    return reader;
  }

  /** Rows that wait for a merge. */
  get deltaRows(): number {
    return this.#deltas().reduce((sum, delta) => sum + delta.statistics.rows, 0);
  }

  get mainRows(): number {
    return this.#main?.rows ?? 0;
  }

  get bytes(): number {
    const inMain = this.#main?.bytes ?? 0;
    return this.#deltas().reduce((sum, delta) => sum + delta.bytes, inMain);
  }

  /** True when something was removed whose bytes still stand in the tables, or a merge was cut off. */
  get wantsCleanUp(): boolean {
    return this.#removalPending || this.#frozen !== null || this.#main?.isComplete === false;
  }

  get isBusy(): boolean {
    return (
      this.#searches > 0 || this.#pending.length > 0 || !this.#writes.isIdle || !this.#merges.isIdle
    );
  }

  /** Newest first: each hides the artifacts it knows from those after it. */
  #deltas(): DeltaMemory[] {
    return this.#frozen ? [this.#active, this.#frozen.memory] : [this.#active];
  }

  /** Writes that arrive while another is on its way to the disk go there together. */
  write(artifacts: ArtifactRows[]): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#pending.push({ artifacts, resolve, reject });
    });
    if (this.#pending.length === 1) void this.#writes.run(() => this.#flush());
    return written;
  }

  async #flush(): Promise<void> {
    await nextTurn();
    const batch = this.#pending.splice(0);
    try {
      const rows: StoredRow[] = [];
      for (const { artifacts } of batch) {
        for (const { artifactId, rows: own } of artifacts) {
          const sequence = this.#delta.nextSequence();
          if (own.length === 0) rows.push(tombstone(artifactId, sequence));
          for (const [index, row] of own.entries()) {
            rows.push(toStoredRow(row, sequence));
            if (index % 50 === 49) await nextTurn();
          }
        }
      }
      await this.#delta.append(rows);
      await putIntoMemory(this.#active, rows);
      this.#removalPending ||= this.#active.hasTombstones;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    await this.#cleanUpDelta();
  }

  /** The writes are safe already; what could not be cleaned up now is tried again with the next. */
  async #cleanUpDelta(): Promise<void> {
    if (!this.#delta.wantsCleanUp) return;
    try {
      await this.#delta.cleanUp();
    } catch (error) {
      this.#log.warn({ err: error, folder: this.#folder }, 'Cleaning up a search index failed.');
    }
  }

  /** Brings the delta into the large table, and removes old versions with what was deleted. */
  merge(): Promise<void> {
    return this.#merges.run(async () => {
      await this.#writes.run(async () => this.#freeze());
      const frozen = this.#frozen;
      if (frozen) {
        const artifactIds = [...frozen.memory.artifactIds];
        const input = { artifactIds, rows: [...frozen.memory.rows] };
        const merged = await mergeIntoMain(this.#connection, this.#folder, input);
        const next = merged ? await this.#openMain() : this.#main;
        this.#frozen = null;
        await this.#swapMain(next);
        await this.#writes.run(() => this.#delta.trim(frozen.through));
      } else if (this.#main?.isComplete === false) {
        await mergeIntoMain(this.#connection, this.#folder, { artifactIds: [], rows: [] });
        await this.#swapMain(await this.#openMain());
      }
      if (this.#main) {
        await cleanUpMain(this.#connection);
        await this.#swapMain(await this.#openMain());
      }
    });
  }

  #freeze(): void {
    if (this.#frozen || this.#active.isEmpty) return;
    this.#frozen = { memory: this.#active, through: this.#delta.lastSequence };
    this.#active = new DeltaMemory();
    this.#removalPending = false;
  }

  /** Searches that began before see that the generation changed and begin anew. */
  async #swapMain(next: MainReader | null): Promise<void> {
    const previous = this.#main;
    this.#main = next;
    this.#generation += 1;
    if (!previous || previous === next) return;
    await previous.unused();
    previous.close();
  }

  async search(query: UserQuery): Promise<ScoredRow[]> {
    this.#searches += 1;
    try {
      for (let attempt = 1; ; attempt += 1) {
        const generation = this.#generation;
        try {
          const found = await this.#searchOnce(query);
          if (this.#generation === generation || attempt === attempts) return found;
        } catch (error) {
          if (attempt === attempts || !isFileGone(error)) throw error;
          if (this.#generation === generation) await this.#swapMain(await this.#openMain());
        }
      }
    } finally {
      this.#searches -= 1;
    }
  }

  /** Every artifact that has rows. */
  artifactIds(): Promise<Set<string>> {
    return this.#consistent(async (main) => {
      const inMain = (await main?.artifactIds()) ?? [];
      return () => {
        const deltas = this.#deltas();
        const found = new Set<string>();
        for (const [index, delta] of deltas.entries()) {
          const newer = deltas.slice(0, index);
          for (const id of delta.artifactsWithRows()) {
            if (!newer.some((each) => each.masks(id))) found.add(id);
          }
        }
        for (const id of inMain) if (!deltas.some((delta) => delta.masks(id))) found.add(id);
        return found;
      };
    });
  }

  /** The rows of an artifact, in its order. */
  rowsOf(artifactId: string): Promise<StoredRow[]> {
    return this.#consistent(async (main) => {
      const inMain = (await main?.rowsOf(artifactId)) ?? [];
      return () =>
        this.#deltas()
          .find((delta) => delta.masks(artifactId))
          ?.rowsOf(artifactId) ?? inMain;
    });
  }

  /** Single rows, in no order; those that are not there are left out. */
  rowsAt(places: readonly RowPlace[]): Promise<StoredRow[]> {
    const nameOf = ({ artifactId, ordinal }: RowPlace): string => `${artifactId}:${ordinal}`;
    const wanted = new Set(places.map(nameOf));
    return this.#consistent(async (main) => {
      const inMain = (await main?.chunksAt(places)) ?? [];
      return () => {
        const deltas = this.#deltas();
        const fresh = new Set(places.map(({ artifactId }) => artifactId));
        const inDeltas = [...fresh].flatMap(
          (id) => deltas.find((delta) => delta.masks(id))?.rowsOf(id) ?? [],
        );
        const standing = inMain.filter(({ artifactId }) =>
          deltas.every((delta) => !delta.masks(artifactId)),
        );
        return [...standing, ...inDeltas].filter((row) => wanted.has(nameOf(row)));
      };
    });
  }

  /** What a term that no row has may be a misspelling of; nothing for one that some row has. */
  similarTerms(term: string, isLike: IsLike): Promise<string[]> {
    return this.#consistent(async (main) => {
      const known = main !== null && (await main.documentFrequency(term)) > 0;
      const inMain = main === null || known ? [] : await main.similarTerms(term, isLike);
      return () => {
        const deltas = this.#deltas();
        if (known || deltas.some((delta) => delta.documentFrequency(term) > 0)) return [];
        const inDeltas = deltas.flatMap((delta) => delta.similarTerms(term, isLike));
        return [...new Set([...inMain, ...inDeltas])];
      };
    });
  }

  /** Reads the large table, then judges in one turn by the deltas that belong to that version of it. */
  async #consistent<Result>(
    read: (main: MainReader | null) => Promise<() => Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const generation = this.#generation;
      const main = this.#main;
      const judge = await (main ? main.use(() => read(main)) : read(null));
      if (this.#generation === generation || attempt === attempts) return judge();
    }
  }

  async #searchOnce(query: UserQuery): Promise<ScoredRow[]> {
    const main = this.#main;
    if (!main) return this.#judge(query, noMain, []).found;
    return main.use(async () => {
      const rescoring = this.deltaRows > 0;
      let known: MainStatistics | null = null;
      for (let round = 0, needed = query.limit + margin; ; round += 1, needed *= 3) {
        const page = await main.candidates({
          ...query,
          needed,
          withTerms: rescoring,
          accept: (artifactId) => this.#accepts(query, artifactId),
        });
        if (rescoring) known ??= await this.#mainStatistics(main, query.terms, page.candidates);
        const { found, scorer } = this.#judge(query, known, page.candidates);
        if (page.floor === null || scorer === null || round === widenings) return found;
        const last = found.length === query.limit ? (found.at(-1)?.score ?? 0) : 0;
        if (last >= scorer.bound(page.floor)) return found;
      }
    });
  }

  async #mainStatistics(
    main: MainReader,
    terms: readonly WeightedTerm[],
    candidates: readonly Candidate[],
  ): Promise<MainStatistics> {
    await main.learn(terms, candidates);
    const [statistics, ...counts] = await Promise.all([
      main.statistics(),
      ...terms.map(({ term }) => main.documentFrequency(term)),
    ]);
    return {
      statistics,
      frequencies: new Map(terms.map(({ term }, index) => [term, counts[index] ?? 0])),
    };
  }

  /** Runs in one turn, so that what was removed a moment ago is already hidden. */
  #judge(
    query: UserQuery,
    main: MainStatistics | null,
    candidates: readonly Candidate[],
  ): { found: ScoredRow[]; scorer: UnionScorer | null } {
    const live = candidates.filter(({ row }) => this.#accepts(query, row.artifactId));
    if (!main) return { found: best(live, query.limit), scorer: null };
    const deltas = this.#deltas();
    const scorer = new UnionScorer(query.terms, main, deltas);
    const rows = live.map((candidate) => scorer.rescore(candidate));
    for (const [index, delta] of deltas.entries()) {
      const newer = deltas.slice(0, index);
      const accept = (artifactId: string) =>
        allows(query, artifactId) && !newer.some((each) => each.masks(artifactId));
      rows.push(...delta.search(query.terms, scorer.union, accept));
    }
    return { found: best(rows, query.limit), scorer };
  }

  /** Whether a row of the large table counts. */
  #accepts(query: UserQuery, artifactId: string): boolean {
    return allows(query, artifactId) && !this.#deltas().some((delta) => delta.masks(artifactId));
  }

  async close(): Promise<void> {
    await this.#merges.drained();
    await this.#writes.drained();
    await this.#main?.unused();
    this.#main?.close();
    this.#delta.close();
    this.#connection.close();
  }
}

const noMain: MainStatistics = { statistics: { rows: 0, terms: 0 }, frequencies: new Map() };

function allows({ only, exclude }: UserQuery, artifactId: string): boolean {
  return (only === null || only.has(artifactId)) && !exclude.has(artifactId);
}

/** How the engine says that another handle's clean-up removed a file of the version being read. */
function isFileGone(error: unknown): boolean {
  return error instanceof Error && /not found/i.test(error.message);
}
