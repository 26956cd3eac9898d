import { MalformedResponseError, StreamBrokenError } from '../errors.ts';
import type { OpenEvents } from './calls.ts';
import { type Event, readEvent } from './events.ts';
import type { Answer } from './models.ts';

/**
 * An answer as it comes: iterate over its events; `answer` is the whole of it. The question is asked
 * when somebody begins to read. To leave the loop, or to call `close()`, stops the server's work.
 */
export class AnswerStream implements AsyncIterable<Event> {
  readonly #open: () => Promise<OpenEvents>;
  readonly #stop: AbortController;
  /** What has come so far: whoever reads, reads from the beginning. */
  readonly #events: Event[] = [];
  #source: OpenEvents | null = null;
  #answer: Answer | null = null;
  #failure: { error: unknown } | null = null;
  #next: Promise<void> | null = null;

  /** @internal */
  constructor(open: () => Promise<OpenEvents>, stop: AbortController) {
    this.#open = open;
    this.#stop = stop;
  }

  /** The whole answer; reads what has not been read yet. */
  get answer(): Promise<Answer> {
    return this.#whole();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    let at = 0;
    try {
      while (await this.#has(at)) {
        yield this.#events[at] as Event;
        at += 1;
      }
    } finally {
      this.close();
    }
  }

  /** Stops listening, and with it the server's work. */
  close(): void {
    if (this.#answer || this.#failure) return;
    const message = 'The answer was not read to its end.';
    this.#failure = { error: new StreamBrokenError(message) };
    this.#stop.abort(this.#failure.error);
  }

  async #whole(): Promise<Answer> {
    let at = this.#events.length;
    while (await this.#has(at)) at += 1;
    return this.#answer as Answer;
  }

  /** Whether there is an event at a place; waits for it where it has yet to come. */
  async #has(at: number): Promise<boolean> {
    while (this.#events.length <= at) {
      if (this.#answer) return false;
      if (this.#failure) throw this.#failure.error;
      // Several may read at once; what comes, comes once.
      this.#next ??= this.#take().finally(() => (this.#next = null));
      await this.#next;
    }
    return true;
  }

  async #take(): Promise<void> {
    try {
      const opened = this.#source;
      this.#source ??= await this.#open();
      const { done, value } = opened ? await opened.rest.next() : this.#source.first;
      if (done) throw new StreamBrokenError('The answer broke off before its end.');
      const event = readEvent(value.event, value.data);
      if (event) this.#events.push(event);
      if (event?.type !== 'done') return;
      this.#answer = event.answer;
      await this.#source.rest.return(undefined);
    } catch (error) {
      this.#failure ??= {
        error:
          error instanceof SyntaxError
            ? new MalformedResponseError('The answer is no stream of events.', { cause: error })
            : error,
      };
      this.#stop.abort();
    }
  }
}
