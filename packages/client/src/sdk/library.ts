import * as calls from './calls.ts';
import * as check from './check.ts';
import { disk } from './disk.ts';
import { saveResponse } from './download.ts';
import type { Answer, HistoryEntry, HistoryThread, Keyword } from './models.ts';
import type { CallOptions, EntryChanges, HistoryFilter, ThreadFilter } from './options.ts';
import { Pages } from './pages.ts';
import type { Runner } from './runner.ts';

/** Your keywords. */
export class Keywords {
  readonly #runner: Runner;

  /** @internal */
  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** All keywords, the defaults first; `countFiles` counts the files of each. */
  async list({
    countFiles = false,
    ...options
  }: CallOptions & { countFiles?: boolean } = {}): Promise<Keyword[]> {
    return this.#runner.call(calls.listKeywords(countFiles), options);
  }

  /** Adds a keyword. */
  async add(keyword: string, options: CallOptions = {}): Promise<Keyword> {
    return this.#runner.call(calls.addKeyword(keyword), options);
  }

  /** Archives a keyword. */
  async archive(keyword: Keyword | string, options: CallOptions = {}): Promise<Keyword> {
    return this.#runner.call(calls.setKeywordActive(keyword, false), options);
  }

  /** Brings an archived keyword back. */
  async unarchive(keyword: Keyword | string, options: CallOptions = {}): Promise<Keyword> {
    return this.#runner.call(calls.setKeywordActive(keyword, true), options);
  }
}

type Entry = HistoryEntry | HistoryThread | Answer | string;

/** Your questions and their answers. */
export class History {
  readonly #runner: Runner;

  /** @internal */
  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** All questions, newest first; `brief` leaves out what was answered. */
  list(q?: string, { signal, ...filter }: HistoryFilter & CallOptions = {}): Pages<HistoryEntry> {
    const page = (cursor?: string) => calls.listHistory(q, filter, cursor);
    return new Pages(this.#runner, page, { signal });
  }

  /** Questions with those that followed up on them, as one row each, newest first. */
  threads(
    q?: string,
    { signal, ...filter }: ThreadFilter & CallOptions = {},
  ): Pages<HistoryThread> {
    const page = (cursor?: string) => calls.listThreads(q, filter, cursor);
    return new Pages(this.#runner, page, { signal });
  }

  /** All questions of the talk that one belongs to, oldest first. */
  async thread(entry: Entry, options: CallOptions = {}): Promise<HistoryEntry[]> {
    return this.#runner.call(calls.historyThread(entry), options);
  }

  /** Today's questions, newest first; where it is today a time zone such as Europe/Berlin may say. */
  async today(timeZone?: string, options: CallOptions = {}): Promise<HistoryEntry[]> {
    return this.#runner.call(calls.todaysHistory(timeZone), options);
  }

  /** One question with its answer. */
  async get(entry: Entry, options: CallOptions = {}): Promise<HistoryEntry> {
    return this.#runner.call(calls.historyEntry(entry), options);
  }

  /** Saves or archives a question, or takes that back. */
  async update(
    entry: Entry,
    { signal, ...changes }: CallOptions & EntryChanges,
  ): Promise<HistoryEntry> {
    return this.#runner.call(calls.updateHistory(entry, changes), { signal });
  }

  /** Writes an answer, spoken, to an MP3 file; answers its path. In Node alone. */
  async audio(entry: Entry, to: string | URL, options: CallOptions = {}): Promise<string> {
    const { destination, save } = await disk();
    const path = await destination(to, `${check.identifier(entry)}.mp3`);
    return saveResponse(save, await this.#runner.call(calls.historyAudio(entry), options), path);
  }

  /** Deletes all questions and answers, and the links to them. */
  async deleteAll(options: CallOptions = {}): Promise<void> {
    return this.#runner.call(calls.deleteHistory(), options);
  }
}
