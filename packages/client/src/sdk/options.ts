import type { Answer, Device, File, HistoryEntry } from './models.ts';
import type { Source } from './source.ts';

/** Called with the bytes that were sent, and those there are; null where that is not known. */
export type Progress = (sent: number, total: number | null) => void;

/** Whether to wait until files are read; a number is the longest wait in milliseconds. */
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
  /** Waits until it can be asked about; a number is the longest wait in milliseconds. */
  wait?: Wait | undefined;
}

/** Where a file stands in the folder that it came from. */
export interface FilePlace {
  /** Names joined by '/', the folder's own name first. */
  path?: string | undefined;
  /** When the file itself was last changed. */
  modifiedAt?: Date | undefined;
  /** The same file before it was changed: it answers until this one is ready, and is gone then. */
  replaces?: File | string | undefined;
  /** The device that speaks: its own files alone are renamed and replaced. */
  deviceId?: Device | string | undefined;
}

/** Where a file stands now. */
export type Place = FilePlace & Required<Pick<FilePlace, 'path' | 'deviceId'>>;

/** What stands for bytes that were hashed already. */
export interface Digest {
  /** In hexadecimal. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/** The bytes of a file: a path (in Node), a Blob, the bytes themselves, a stream, or their digest. */
export type Content = Source | Digest;

/** What a device is called. */
export interface DeviceName {
  /** Such as Home-PC. */
  name: string;
  /** The operating system, such as Windows 11. */
  platform: string;
  /** That of the program on it. */
  version: string;
}

/** How files are listed. */
export interface FileFilter {
  archived?: boolean | undefined;
  keyword?: string | undefined;
  /** The path of a folder: what stands in it, at any depth. */
  folder?: string | undefined;
  /** PENDING, PROCESSING, FAILED or SUCCESS. */
  status?: string | undefined;
  /** Where the words of `q` are looked for: in `names`, or in the `content` too. Default: names. */
  in?: string | undefined;
  /** What a file is: pdf, document, spreadsheet, slides, image, audio and others. */
  kind?: string | undefined;
  /** Web, Text, API, Connector or Share. */
  source?: string | undefined;
  /** Uploaded on this day (UTC), at this moment, or later. */
  since?: Date | string | undefined;
  /** Uploaded before this moment, or up to the end of this day (UTC). */
  until?: Date | string | undefined;
  /** created, -created, name, -name, size or -size. */
  sort?: string | undefined;
  /** Rows to leave out at the beginning. */
  offset?: number | undefined;
  /** Rows that are fetched at once, 1 to 1000. Default: 100. */
  pageSize?: number | undefined;
}

/** What changes of an entry of the history. */
export interface EntryChanges {
  saved?: boolean | undefined;
  archived?: boolean | undefined;
  /** All questions of its talk too, and the same question where it was asked again by itself. */
  wholeThread?: boolean | undefined;
}

/** How talks are listed. */
export type ThreadFilter = Omit<HistoryFilter, 'brief'>;

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
  /** Narrows it to these files. */
  files?: Iterable<File | string> | undefined;
  /** The question that this one follows up on. */
  after?: Answer | HistoryEntry | string | undefined;
  /** Tells how the answer was found. */
  explain?: boolean | undefined;
  /** Speaks the answer too. */
  audio?: boolean | undefined;
}
