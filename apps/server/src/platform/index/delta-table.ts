import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import type { DeltaMemory } from './delta-memory.ts';
import { FolderSync } from './folder-sync.ts';
import { toArrowTable, type ArrowTable, type StoredRow } from './index-schema.ts';
import { nextTurn } from './serial.ts';

const tableName = 'delta';
/** Rows turned into Arrow in one go: about 5 ms. */
const rowsPerBatch = 250;
/** Batches of one append: each append is a version of the table, and costs about as much as these. */
const batchesPerAppend = 12;
/** Rows put into memory in one turn of the event loop. */
const rowsPerTurn = 25;
/** Each append is a version of the table; so many are let stand before they are cleaned up. */
const appendsPerCleanUp = 64;

/**
 * The delta on disk: a log of the writes since the last merge, read only when a user is opened. It
 * carries no full-text index; questions are answered from {@link DeltaMemory}.
 */
export class DeltaTable {
  readonly #connection: Connection;
  readonly #sync: FolderSync;
  #table: Table | null = null;
  #appends = 0;
  #lastSequence = 0;

  constructor(connection: Connection, folder: string) {
    this.#connection = connection;
    this.#sync = new FolderSync(join(folder, `${tableName}.lance`));
  }

  nextSequence(): number {
    this.#lastSequence += 1;
    return this.#lastSequence;
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  async load(tableNames: readonly string[], memory: DeltaMemory): Promise<void> {
    if (!tableNames.includes(tableName)) return;
    this.#table = await this.#connection.openTable(tableName);
    const rows = storedRows(await this.#table.query().toArrow());
    for (const [index, row] of rows.entries()) {
      this.#lastSequence = Math.max(this.#lastSequence, row.sequence);
      memory.add(row);
      if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    }
  }

  /** Durable when it resolves. */
  async append(rows: StoredRow[]): Promise<void> {
    let batches: ArrowTable[] = [];
    for (let start = 0; start < rows.length; start += rowsPerBatch) {
      batches.push(toArrowTable(rows.slice(start, start + rowsPerBatch)));
      await nextTurn();
      if (batches.length === batchesPerAppend || start + rowsPerBatch >= rows.length) {
        await this.#addBatches(batches);
        batches = [];
      }
    }
    await this.#sync.sync();
  }

  async #addBatches([first, ...others]: ArrowTable[]): Promise<void> {
    if (!first) return;
    const data = first.concat(...others);
    if (this.#table) await this.#table.add(data);
    else this.#table = await this.#connection.createTable(tableName, data);
    this.#appends += 1;
  }

  get wantsCleanUp(): boolean {
    return this.#appends >= appendsPerCleanUp;
  }

  /** Merges the small files of the appends and removes old versions, with what was deleted. */
  async cleanUp(): Promise<void> {
    this.#appends = 0;
    await this.#table?.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  }

  /** Removes every row up to a write whose rows stand in the large table, bytes included. */
  async trim(sequence: number): Promise<void> {
    if (!this.#table) return;
    await this.#table.delete(`sequence <= ${sequence}`);
    await this.cleanUp();
    await this.#sync.sync();
  }

  close(): void {
    this.#table?.close();
  }
}

export async function putIntoMemory(memory: DeltaMemory, rows: StoredRow[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    memory.add(row);
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
  }
}

/** Reads the rows of an answer column by column: several times faster than Arrow's row objects. */
export function storedRows(answer: ArrowTable): StoredRow[] {
  const rows: StoredRow[] = [];
  for (const batch of answer.batches) {
    const column = (name: keyof StoredRow) => batch.getChild(name);
    const artifactId = column('artifactId');
    const ordinal = column('ordinal');
    const start = column('start');
    const end = column('end');
    const text = column('text');
    const terms = column('terms');
    const length = column('length');
    const context = column('context');
    const sequence = column('sequence');
    for (let index = 0; index < batch.numRows; index += 1) {
      rows.push({
        artifactId: artifactId?.get(index) ?? '',
        ordinal: ordinal?.get(index) ?? 0,
        start: start?.get(index) ?? 0,
        end: end?.get(index) ?? 0,
        text: text?.get(index) ?? '',
        terms: terms?.get(index) ?? '',
        length: length?.get(index) ?? 0,
        context: context?.get(index) ?? '',
        sequence: sequence?.get(index) ?? 0,
      });
    }
  }
  return rows;
}
