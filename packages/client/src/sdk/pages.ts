/** One page of a list. */
export interface Page<T> {
  rows: T[];
  /** The cursor of the next page, or null on the last one. */
  nextCursor: string | null;
  /** The number of rows on all pages. */
  total: number | null;
}

/**
 * A list that is fetched page by page during iteration. The first page is fetched once, when it is
 * first needed.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #page: (cursor?: string) => Promise<Page<T>>;
  #first: Promise<Page<T>> | null = null;

  /** @internal */
  constructor(page: (cursor?: string) => Promise<Page<T>>) {
    this.#page = page;
  }

  /** The pages, each with its rows and the total of all. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.#firstPage();
    yield page;
    while (page.nextCursor !== null) {
      page = await this.#page(page.nextCursor);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { rows } of this.pages()) yield* rows;
  }

  /** Whether the list has no rows. As an object, the list itself is always truthy. */
  async isEmpty(): Promise<boolean> {
    return (await this.#firstPage()).rows.length === 0;
  }

  #firstPage(): Promise<Page<T>> {
    // A failed call is not cached, so the next use retries it.
    this.#first ??= this.#page().catch((error: unknown) => {
      this.#first = null;
      throw error;
    });
    return this.#first;
  }

  /** The rows of all pages. */
  async toArray(): Promise<T[]> {
    const rows: T[] = [];
    for await (const page of this.pages()) rows.push(...page.rows);
    return rows;
  }
}
