import { access, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { FolderSync } from '../index/folder-sync.ts';
import { artifactFilter } from '../index/index-schema.ts';
import {
  type ArrowAnswer,
  type ArtifactVectors,
  columnOf,
  type HeldVectors,
  searchedClusters,
  toVectorTable,
  vectorIndex,
} from './vector-schema.ts';

/** A search by meaning, checked. */
export interface NearestQuery {
  vector: Float32Array;
  limit: number;
  only: ReadonlySet<string> | null;
  exclude: ReadonlySet<string>;
}

/** A chunk near to a question. */
export interface NearChunk {
  artifactId: string;
  ordinal: number;
  start: number;
  end: number;
  digest: string;
  /** The cosine of the vectors, −1 to 1. */
  similarity: number;
}

const tableName = 'vectors';
/** A file beside a table that has to be written anew: it holds deleted bytes, or a fault. */
export const rewriteMark = 'rewrite';
const columns = ['artifactId', 'ordinal', 'start', 'end', 'digest', '_distance'];
const idsPerDelete = 1000;

/** From so many rows on there is an index; below, a scan is as fast. */
const indexFrom = 5000;
/** The index is built anew when this share of the rows is not in it: they are scanned until then. */
const unindexedShare = 0.2;
/** Files of a table beyond which they are brought together. */
const mostFiles = 20;
/** Naming more artifacts than this in a filter costs more than reading on. */
const mostNamed = 1000;
/** How often a search begins anew when a clean-up took a file from under it. */
const attempts = 4;

/** How the engine says that a clean-up removed a file of the version being read. */
const isFileGone = (error: unknown): boolean =>
  error instanceof Error && /not found/i.test(error.message);

/** One person's vectors of one model. The caller sees to it that one writes at a time. */
export class VectorTable {
  readonly #connection: Connection;
  readonly #folder: string;
  readonly #mark: string;
  readonly #sync: FolderSync;
  readonly #dimensions: number;
  #table: Table | null;

  private constructor(
    connection: Connection,
    { folder, dimensions, table }: { folder: string; dimensions: number; table: Table | null },
  ) {
    this.#connection = connection;
    this.#folder = join(folder, `${tableName}.lance`);
    this.#mark = join(folder, rewriteMark);
    this.#sync = new FolderSync(this.#folder);
    this.#dimensions = dimensions;
    this.#table = table;
  }

  static async open(
    connection: Connection,
    folder: string,
    dimensions: number,
  ): Promise<VectorTable> {
    const exists = (await connection.tableNames()).includes(tableName);
    const table = exists ? await connection.openTable(tableName) : null;
    return new VectorTable(connection, { folder, dimensions, table });
  }

  /** Adds vectors of artifacts; those that begin anew lose what was there of them. */
  async add(artifacts: readonly ArtifactVectors[], anew: readonly string[]): Promise<void> {
    await this.#delete(anew);
    const filled = artifacts.filter(({ rows }) => rows.length > 0);
    if (filled.length === 0) return;
    const rows = toVectorTable(filled, this.#dimensions);
    if (this.#table) await this.#table.add(rows);
    else this.#table = await this.#connection.createTable(tableName, rows);
    await this.#sync.sync();
  }

  /** Removes artifacts; their bytes go with {@link purge}. */
  async remove(artifactIds: readonly string[]): Promise<void> {
    await this.#delete(artifactIds);
    if (this.#table) await this.#sync.sync();
  }

  async #delete(artifactIds: readonly string[]): Promise<void> {
    if (artifactIds.length === 0 || !this.#table) return;
    // First: a kill in between must not leave bytes that nobody knows of.
    await writeFile(this.#mark, '');
    for (let at = 0; at < artifactIds.length; at += idsPerDelete) {
      await this.#table.delete(artifactFilter(artifactIds.slice(at, at + idsPerDelete)));
    }
  }

  async #count(): Promise<number> {
    return (await this.#table?.countRows()) ?? 0;
  }

  /** What there is of each artifact. */
  async held(): Promise<Map<string, HeldVectors>> {
    const found = new Map<string, HeldVectors>();
    if (!this.#table) return found;
    const answer = await this.#table.query().select(['artifactId', 'revision', 'of']).toArrow();
    const revisions = columnOf<number>(answer, 'revision');
    const counts = columnOf<number>(answer, 'of');
    for (const [row, id] of columnOf<string>(answer, 'artifactId').entries()) {
      const rows = (found.get(id)?.rows ?? 0) + 1;
      found.set(id, { revision: revisions[row] ?? 0, of: counts[row] ?? 0, rows });
    }
    return found;
  }

  /** The nearest chunks, best first, with the limits on artifacts applied before the end is cut. */
  async nearest(query: NearestQuery): Promise<NearChunk[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#nearestOnce(query);
      } catch (error) {
        if (attempt === attempts || !isFileGone(error)) throw error;
        await this.#table?.checkoutLatest();
      }
    }
  }

  async #nearestOnce(query: NearestQuery): Promise<NearChunk[]> {
    const { only, exclude, limit } = query;
    if (!this.#table) return [];
    const named = only ?? exclude;
    if (named.size <= mostNamed) {
      const filter = named.size > 0 ? `${only ? '' : 'NOT '}${artifactFilter(named)}` : null;
      return nearOf(await this.#ask(this.#table, query.vector, limit, filter));
    }
    const accepts = ({ artifactId }: NearChunk): boolean =>
      only ? only.has(artifactId) : !exclude.has(artifactId);
    for (let size = limit * 8; ; size *= 8) {
      const answer = await this.#ask(this.#table, query.vector, size, null);
      const found = nearOf(answer).filter(accepts);
      if (found.length >= limit || answer.numRows < size) return found.slice(0, limit);
    }
  }

  #ask(table: Table, vector: Float32Array, limit: number, filter: string | null) {
    const query = table
      .vectorSearch(vector)
      .distanceType('cosine')
      .nprobes(searchedClusters)
      .select(columns)
      .limit(limit);
    return (filter === null ? query : query.where(filter)).toArrow();
  }

  /** Removes the bytes of deleted rows, where there are any. */
  async purge(): Promise<void> {
    if (await this.#isMarked()) await this.#rewrite();
  }

  /** As {@link purge}; also brings many small files together, and rows outside the index into it. */
  async tidy(): Promise<void> {
    if ((await this.#isMarked()) || (await this.#isScattered()) || (await this.#wantsIndex())) {
      await this.#rewrite();
    }
  }

  #isMarked(): Promise<boolean> {
    return access(this.#mark).then(
      () => true,
      () => false,
    );
  }

  async #isScattered(): Promise<boolean> {
    const names = await readdir(join(this.#folder, 'data')).catch(() => []);
    return names.length > mostFiles;
  }

  async #wantsIndex(): Promise<boolean> {
    const rows = await this.#count();
    if (rows < indexFrom) return false;
    const statistics = await this.#table?.indexStats('vector_idx');
    return (statistics?.numUnindexedRows ?? rows) > rows * unindexedShare;
  }

  /**
   * Brings files together, builds the index where there are many rows, and removes old versions.
   * Rows that remain beside deleted ones are written anew: the engine would leave a file alone of
   * which little is deleted, with all its bytes.
   */
  async #rewrite(): Promise<void> {
    const table = this.#table;
    if (!table) return;
    const rewrite = await this.#isMarked();
    const rows = await this.#count();
    const wantsIndex = rewrite ? rows >= indexFrom : await this.#wantsIndex();
    if (rewrite || wantsIndex) {
      for (const { name } of await table.listIndices()) await table.dropIndex(name);
    }
    if (rewrite) await table.update({ valuesSql: { ordinal: 'ordinal' } });
    await table.optimize();
    if (wantsIndex) {
      await table.createIndex('vector', { config: vectorIndex(rows), replace: true });
    }
    await this.#sync.sync();
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    await rm(this.#mark, { force: true });
  }

  close(): void {
    this.#table?.close();
    this.#connection.close();
  }
}

function nearOf(answer: ArrowAnswer): NearChunk[] {
  const [ids, ordinals, starts, ends, digests, distances] = columns.map((name) =>
    columnOf<string | number>(answer, name),
  );
  const chunks = (ids ?? []).map((artifactId, row) => ({
    artifactId: String(artifactId),
    ordinal: Number(ordinals?.[row]),
    start: Number(starts?.[row]),
    end: Number(ends?.[row]),
    digest: String(digests?.[row]),
    similarity: 1 - Number(distances?.[row]),
  }));
  // A vector of zeros, of a text that says nothing to the model, is near to nothing.
  return chunks.filter(({ similarity }) => Number.isFinite(similarity));
}
