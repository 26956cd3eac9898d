import type { CallOptions } from './options.ts';
import type { Call, Runner } from './runner.ts';

/** One page of a list. */
export interface Page<T> {
  rows: T[];
  /** What leads to the next page; null where there is none. */
  nextCursor: string | null;
  /** How many there are on all pages. */
  total: number | null;
}

/**
 * A list that is fetched page by page during iteration. The first page is fetched once, when it is
 * first needed.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #runner: Runner;
  readonly #page: (cursor?: string) => Call<Page<T>>;
  readonly #options: CallOptions;
  readonly #firstCall: Call<Page<T>>;
  #first: Promise<Page<T>> | null = null;

  /** @internal */
  constructor(runner: Runner, page: (cursor?: string) => Call<Page<T>>, options: CallOptions) {
    this.#runner = runner;
    this.#page = page;
    // Throws an ArgumentError here, and not at the first iteration.
    this.#firstCall = page();
    this.#options = options;
  }

  /** The pages, each with its rows and the total of all. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.#firstPage();
    yield page;
    while (page.nextCursor !== null) {
      page = await this.#runner.call(this.#page(page.nextCursor), this.#options);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { rows } of this.pages()) yield* rows;
  }

  /** Whether the list has no rows. A list is an object, so that it is true even when it is empty. */
  async isEmpty(): Promise<boolean> {
    return (await this.#firstPage()).rows.length === 0;
  }

  #firstPage(): Promise<Page<T>> {
    // A failed call is not kept, so that the next use tries again.
    this.#first ??= this.#runner.call(this.#firstCall, this.#options).catch((error: unknown) => {
      this.#first = null;
      throw error;
    });
    return this.#first;
  }

  /** All rows at once. */
  async toArray(): Promise<T[]> {
    const rows: T[] = [];
    for await (const page of this.pages()) rows.push(...page.rows);
    return rows;
  }
}
