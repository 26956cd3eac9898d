import { AnswerStream } from './answer-stream.ts';
import * as calls from './calls.ts';
import { Devices } from './devices.ts';
import { Files } from './files.ts';
import { Form } from './form.ts';
import { History, Keywords } from './library.ts';
import type { Answer, Profile } from './models.ts';
import type { CallOptions, QuestionOptions } from './options.ts';
import { Runner } from './runner.ts';
import { type EngramOptions, readSettings } from './settings.ts';
import { partOf, type Source } from './source.ts';

/** A connection to an Engram server, and what can be asked of it. */
export class Engram {
  /** The server's address, without /v1. */
  readonly baseUrl: string;
  readonly files: Files;
  readonly keywords: Keywords;
  readonly history: History;
  readonly devices: Devices;
  readonly #runner: Runner;

  /** Throws an ArgumentError where there is no key, or an option is wrong. */
  constructor(options: EngramOptions = {}) {
    this.#runner = new Runner(readSettings(options));
    this.baseUrl = this.#runner.baseUrl;
    this.files = new Files(this.#runner);
    this.keywords = new Keywords(this.#runner);
    this.history = new History(this.#runner);
    this.devices = new Devices(this.#runner);
  }

  /** Asks a question. `keywords` narrow it to some files, `after` follows up on another. */
  async ask(
    text: string,
    { signal, ...options }: QuestionOptions & CallOptions = {},
  ): Promise<Answer> {
    return this.#runner.call(calls.ask(calls.questionOf(text, options)), { signal });
  }

  /** Asks a question and hands on the answer as it comes. Throws an ArgumentError at once. */
  askStream(
    text: string,
    { signal, ...options }: QuestionOptions & CallOptions = {},
  ): AnswerStream {
    const question = calls.questionOf(text, options);
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const open = () => this.#runner.call(calls.askStream(question, either), { signal: either });
    return new AnswerStream(open, stop);
  }

  /**
   * Writes down a spoken question: a recording of at most 2 minutes and 25 MB; answers what was said.
   */
  async transcribe(
    recording: Source,
    { name, ...options }: CallOptions & { name?: string } = {},
  ): Promise<string> {
    const part = await partOf({ source: recording, ...(name ? { name } : {}) });
    const call = calls.transcribe(new Form({}, [part]));
    return (await this.#runner.call(call, options)).text;
  }

  /** What a question may be completed to. */
  async suggestions(options: CallOptions = {}): Promise<string[]> {
    return this.#runner.call(calls.suggestions(), options);
  }

  /** Questions that your own files answer. */
  async recommendations(options: CallOptions = {}): Promise<string[]> {
    return this.#runner.call(calls.recommendations(), options);
  }

  /** Whose files these are. */
  async profile(options: CallOptions = {}): Promise<Profile> {
    return this.#runner.call(calls.profile(), options);
  }
}
