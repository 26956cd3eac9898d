import type { Answer, HistoryEntry } from './models.ts';

/** Called with the bytes that were sent, and those there are; null where that is not known. */
export type Progress = (sent: number, total: number | null) => void;

/** Whether to wait until files are read; a number waits at most so many seconds. */
export type Wait = boolean | number;

/** What every call takes. */
export interface CallOptions {
  /** Stops the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** How files are uploaded. */
export interface UploadOptions extends CallOptions {
  keywords?: Iterable<string> | undefined;
  /** Called with the bytes that were sent and those there are. In Node alone: browsers do not tell. */
  onProgress?: Progress | undefined;
  /** Waits until it can be asked about; a number waits at most so many seconds. */
  wait?: Wait | undefined;
}

/** How files are listed. */
export interface FileFilter {
  archived?: boolean | undefined;
  keyword?: string | undefined;
  /** The path of a folder: what stands in it, at any depth. */
  folder?: string | undefined;
  /** PENDING, PROCESSING, FAILED or SUCCESS. */
  status?: string | undefined;
  /** created, -created, name, -name, size or -size. */
  sort?: string | undefined;
  /** Rows to leave out at the beginning. */
  offset?: number | undefined;
  /** Rows that are fetched at once, 1 to 1000. Default: 100. */
  pageSize?: number | undefined;
}

/** How the history is listed. */
export interface HistoryFilter {
  archived?: boolean | undefined;
  saved?: boolean | undefined;
  /** Leaves out what was answered. */
  brief?: boolean | undefined;
  /** Rows that are fetched at once, 1 to 1000. Default: 100. */
  pageSize?: number | undefined;
}

/** How a question is asked. */
export interface QuestionOptions {
  /** Narrows it to files with one of these keywords. */
  keywords?: Iterable<string> | undefined;
  /** The question that this one follows up on. */
  after?: Answer | HistoryEntry | string | undefined;
  /** Tells how the answer was found. */
  explain?: boolean | undefined;
  /** Speaks the answer too. */
  audio?: boolean | undefined;
}
