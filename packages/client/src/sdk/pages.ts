import type { SendOptions } from '../client.ts';
import type { Call, Runner } from './runner.ts';

/** One page of a list. */
export interface Page<T> {
  rows: T[];
  /** What leads to the next page; null where there is none. */
  nextCursor: string | null;
  /** How many there are on all pages. */
  total: number | null;
}

/** A list that is fetched page by page while it is iterated over. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #runner: Runner;
  readonly #page: (cursor?: string) => Call<Page<T>>;
  readonly #first: Call<Page<T>>;
  readonly #options: SendOptions;

  /** @internal */
  constructor(runner: Runner, page: (cursor?: string) => Call<Page<T>>, options: SendOptions) {
    this.#runner = runner;
    this.#page = page;
    // Wrong arguments are told of now, and not when somebody begins to read.
    this.#first = page();
    this.#options = options;
  }

  /** The pages, each with its rows and the total of all. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.#runner.call(this.#first, this.#options);
    yield page;
    while (page.nextCursor !== null) {
      page = await this.#runner.call(this.#page(page.nextCursor), this.#options);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { rows } of this.pages()) yield* rows;
  }

  /** All rows at once. */
  async toArray(): Promise<T[]> {
    const rows: T[] = [];
    for await (const page of this.pages()) rows.push(...page.rows);
    return rows;
  }
}
