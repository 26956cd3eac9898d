import { AnswerFailedError, MalformedResponseError, StreamBrokenError } from '../errors.ts';
import type { Answer, Delta, Sources, Step } from './api.ts';
import type { OpenEvents } from './runner.ts';
import type { Reader } from './shape.ts';

/** An event of a stream. `done` is the last one, with the whole answer. */
export type Event =
  | ({ type: 'sources' } & Sources)
  | ({ type: 'step' } & Step)
  | ({ type: 'delta' } & Delta)
  | { type: 'done'; answer: Answer };

/** The shapes of the events. Unknown events of newer servers are skipped. */
const EVENTS = { sources: 'Sources', step: 'Step', delta: 'Delta', done: 'Answer' } as const;

const isKnown = (event: string): event is keyof typeof EVENTS => event in EVENTS;

const FAILURE = {
  type: 'object',
  properties: { message: { type: 'string' }, code: { type: 'string' } },
  required: ['message', 'code'],
};

/** Checks an event of the server. Returns null for an unknown one. */
export function readEvent(read: Reader, event: string, data: unknown): Event | null {
  if (event === 'error') {
    const { message, code } = read(FAILURE, data, event) as { message: string; code: string };
    throw new AnswerFailedError(message, { code });
  }
  if (!isKnown(event)) return null;
  const payload = read({ $ref: EVENTS[event] }, data, event);
  if (event === 'done') return { type: event, answer: payload as Answer };
  return { type: event, ...(payload as Sources & Step & Delta) };
}

/**
 * A streamed answer: iterate over its events, or await `answer`. The question is sent when reading
 * begins. Leaving the loop or calling `close()` stops the server's work.
 */
export class AnswerStream implements AsyncIterable<Event> {
  readonly #open: () => Promise<OpenEvents>;
  readonly #read: Reader;
  readonly #stop: AbortController;
  /** The events so far. Every iteration starts at the first one. */
  readonly #events: Event[] = [];
  #source: OpenEvents | null = null;
  #answer: Answer | null = null;
  #failure: { error: unknown } | null = null;
  #next: Promise<void> | null = null;

  /** @internal */
  constructor(open: () => Promise<OpenEvents>, read: Reader, stop: AbortController) {
    this.#read = read;
    this.#open = open;
    this.#stop = stop;
  }

  /** The whole answer. Reads the remaining events. */
  get answer(): Promise<Answer> {
    return this.#whole();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    let index = 0;
    try {
      while (await this.#has(index)) {
        yield this.#events[index] as Event;
        index += 1;
      }
    } finally {
      this.close();
    }
  }

  /** Stops reading, and the server's work. */
  close(): void {
    if (this.#answer || this.#failure) return;
    this.#failure = { error: new StreamBrokenError('The stream was closed before its end.') };
    this.#stop.abort(this.#failure.error);
  }

  async #whole(): Promise<Answer> {
    let index = this.#events.length;
    while (await this.#has(index)) index += 1;
    return this.#answer as Answer;
  }

  /** Waits for the event at an index. Returns whether it exists. */
  async #has(index: number): Promise<boolean> {
    while (this.#events.length <= index) {
      if (this.#answer) return false;
      if (this.#failure) throw this.#failure.error;
      // Parallel iterations share one read.
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
      if (done) throw new StreamBrokenError('The answer was cut off.');
      const event = readEvent(this.#read, value.event, value.data);
      if (event) this.#events.push(event);
      if (event?.type !== 'done') return;
      this.#answer = event.answer;
      await this.#source.rest.return(undefined);
    } catch (error) {
      this.#failure ??= {
        error:
          error instanceof SyntaxError
            ? new MalformedResponseError('The response is not an event stream.', { cause: error })
            : error,
      };
      this.#stop.abort();
    }
  }
}
