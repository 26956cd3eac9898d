import type { Table } from '@lancedb/lancedb';
import { nextTurn } from './serial.ts';

/** Artifacts of one table that a question is narrowed to. */
export interface Selection {
  /** By the artifact's number: 1 where its rows may be found. */
  chosen: Uint8Array;
  /** Rows of the chosen artifacts. */
  rows: number;
}

/** Rows in a fragment have ids that differ in their lower half alone. */
const FRAGMENT_SIZE = 2 ** 32;

/**
 * Which artifact each row of one version of the large table belongs to, in memory: four bytes a row
 * and each artifact's id once. What a question may be answered from is then told by a look at a row's
 * id, which the engine finds several times faster than anything that stands in the row.
 */
export class RowArtifacts {
  readonly #ids: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #rowsOf: number[] = [];
  /** By fragment: the artifact's number plus one at each row's place, 0 where there is none. */
  readonly #fragments = new Map<number, Int32Array>();
  readonly #selected = new WeakMap<ReadonlySet<string>, Selection>();
  readonly #spared = new WeakMap<ReadonlySet<string>, Selection>();

  static async read(table: Table): Promise<RowArtifacts> {
    const rows = new RowArtifacts();
    const answer = await table.query().select(['artifactId']).withRowId().toArrow();
    for (const batch of answer.batches) {
      const artifactId = batch.getChild('artifactId');
      const rowId = batch.getChild('_rowid');
      for (let index = 0; index < batch.numRows; index += 1) {
        rows.#add(Number(rowId?.get(index)), artifactId?.get(index) ?? '');
      }
      await nextTurn();
    }
    return rows;
  }

  #add(rowId: number, artifactId: string): void {
    let number = this.#numbers.get(artifactId);
    if (number === undefined) {
      number = this.#ids.push(artifactId) - 1;
      this.#numbers.set(artifactId, number);
      this.#rowsOf.push(0);
    }
    this.#rowsOf[number]! += 1;
    const fragment = Math.floor(rowId / FRAGMENT_SIZE);
    const place = rowId % FRAGMENT_SIZE;
    let places = this.#fragments.get(fragment) ?? new Int32Array(1024);
    if (place >= places.length) {
      const grown = new Int32Array(Math.max(place + 1, places.length * 2));
      grown.set(places);
      places = grown;
    }
    places[place] = number + 1;
    this.#fragments.set(fragment, places);
  }

  /** About how many bytes this holds. */
  get bytes(): number {
    let bytes = 200 * this.#ids.length;
    for (const places of this.#fragments.values()) bytes += places.byteLength;
    return bytes;
  }

  /** The number of a row's artifact; −1 for a row that is not in the table. */
  numberAt(rowId: number): number {
    const places = this.#fragments.get(Math.floor(rowId / FRAGMENT_SIZE));
    return (places?.[rowId % FRAGMENT_SIZE] ?? 0) - 1;
  }

  idOf(number: number): string {
    return this.#ids[number] ?? '';
  }

  /**
   * Those of `only` (null: all) that are not in `exclude`. Remembered for the sets themselves, which
   * must not change.
   */
  select(only: ReadonlySet<string> | null, exclude: ReadonlySet<string>): Selection {
    if (only === null)
      return this.#remember(this.#spared, exclude, () => this.#make(null, exclude));
    if (exclude.size > 0) return this.#make(only, exclude);
    return this.#remember(this.#selected, only, () => this.#make(only, exclude));
  }

  #remember(
    memory: WeakMap<ReadonlySet<string>, Selection>,
    set: ReadonlySet<string>,
    make: () => Selection,
  ): Selection {
    const selection = memory.get(set) ?? make();
    memory.set(set, selection);
    return selection;
  }

  #make(only: ReadonlySet<string> | null, exclude: ReadonlySet<string>): Selection {
    const chosen = new Uint8Array(this.#ids.length).fill(only === null ? 1 : 0);
    for (const id of only ?? []) this.#mark(chosen, id, 1);
    for (const id of exclude) this.#mark(chosen, id, 0);
    let rows = 0;
    for (const [number, count] of this.#rowsOf.entries()) if (chosen[number] === 1) rows += count;
    return { chosen, rows };
  }

  #mark(chosen: Uint8Array, artifactId: string, value: 0 | 1): void {
    const number = this.#numbers.get(artifactId);
    if (number !== undefined) chosen[number] = value;
  }
}
