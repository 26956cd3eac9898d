import type { Runner } from './runner.ts';

/** Methods that make calls. The types of the published package do not contain the runner. */
export class Resource {
  /** @internal */
  protected readonly runner: Runner;
  /** @internal */
  constructor(runner: Runner) {
    this.runner = runner;
  }
}
