/** Runs what it is given one after the other; a failure reaches its caller and stops nobody else. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const result = this.#tail.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when everything given so far has ended, well or not. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}

/** Lets timers, requests and answers run between two slices of a long computation. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
