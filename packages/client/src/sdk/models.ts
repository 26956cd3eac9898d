/*
 * What the server answers, by the names of this library. Fields that it does not know yet are kept
 * beside those it does. `readers.ts` says how each is called on the wire.
 */

/** Where in its file something stands. Numbers count from 1; as a text it reads 'page 3'. */
export interface Location {
  page?: number;
  slide?: number;
  sheet?: string;
  row?: number;
  line?: number;
  /** Milliseconds. */
  startMs?: number;
  /** Milliseconds. */
  endMs?: number;
  /** The member of an archive; the other fields are then of that member. */
  path?: string;
  toString(): string;
}

/** A place that a sentence of an answer rests on. */
export interface Citation {
  /** The number that `[n]` in the answer refers to. */
  n: number;
  fileId: string;
  fileName: string;
  /** Where the file stands now in the folder that it came from; null where it came from none. */
  path: string | null;
  location: Location;
  /** Letter for letter in the file's text. */
  quote: string;
  /** Where the quote begins in the file's text, in UTF-16 units: an index of a JavaScript string. */
  start: number;
  end: number;
}

/** A document that amends or replaces a file. */
export interface NewerFile {
  fileId: string;
  fileName: string;
}

/** A section of a file that was found for a question, with its offsets in the file's text. */
export interface FoundSection extends Omit<Citation, 'quote'> {
  /** Letter for letter in the file's text. */
  text: string;
  /** Begin and end of the question's words in `text`, in UTF-16 units. */
  highlights: [number, number][];
  /** How relevant it is for the question, between 0 and 1. */
  score: number;
  /** The newest document that amends or replaces the file; null where there is none. */
  newer: NewerFile | null;
}

/** A file that has to do with a question. */
export interface RelatedFile {
  fileId: string;
  groupId: string;
  archived: boolean;
  textPreview: string | null;
  createdBy: string;
  createdAt: Date;
  fileName: string;
  /** Where the file stands in the folder that it came from; null where it came from none. */
  path: string | null;
  storageKey: string;
  mediaType: string;
  /** A link to the bytes that works without a key for some minutes; relative to the server. */
  url: string;
  /** 0 to 1, best first. */
  score: number;
  /** Bytes. */
  size: number;
  status: string;
  userId: string;
}

/** A passage that an answer was made from, and what spoke for it. */
export interface ExplainedPassage {
  fileId: string;
  start: number;
  end: number;
  scores: Record<string, number>;
}

/** A stage on the way to an answer, and how long it took. */
export interface ExplainedStage {
  name: string;
  ms: number;
}

/** How an answer was found. */
export interface Explanation {
  passages: ExplainedPassage[];
  terms: string[];
  stages: ExplainedStage[];
}

/** The answer to a question, with the places it rests on. */
export interface Answer {
  question: string;
  answers: string[];
  /** The answer, in Markdown; `[n]` refers to the citation with that number. */
  text: string;
  createdAt: Date;
  recommendations: string[];
  /** Its entry in the history; hand it to `ask(…, { after })` to follow up. */
  id: string;
  /** The spoken answer as base64 of an MP3, where it was asked for. */
  audio: string | null;
  relatedFiles: RelatedFile[];
  citations: Citation[];
  /** False where the files hold no answer. */
  grounded: boolean;
  /** Where they hold none, the passages that come nearest to one. */
  nearest: Citation[];
  /** `found`: the answer quotes sections of files. `written`: a model wrote it. */
  mode: string;
  /** The sections that were found, best first; those of a written answer are what the model was given. */
  found: FoundSection[];
  /** Sentences of the answer that could not be verified in the files. */
  unverified: string[];
  /** What a person should know about how the answer came about. */
  notice: string | null;
  /** `files` where the answer quotes them, else the model's name; null where that was not noted. */
  writtenBy: string | null;
  /** How it was found, where that was asked for. */
  explain?: Explanation;
}

/** A file, or a note that was typed. */
export interface File {
  id: string;
  /** The upload it came with. */
  groupId: string;
  mediaType: string;
  name: string;
  /** Bytes. */
  size: number;
  storageKey: string;
  archived: boolean;
  createdAt: Date;
  updatedAt: Date;
  createdBy: string;
  updatedBy: string;
  device: string | null;
  /** PENDING, PROCESSING (is being read and indexed), FAILED or SUCCESS (is ready). */
  status: string;
  /** Why it is not searchable, or what of it is not. */
  statusReason: string | null;
  /** 0 to 100. */
  progress: number;
  /** Whether its reading has come to an end, a good or a bad one. */
  settled: boolean;
  /** How long a recording lasts, in milliseconds. */
  durationMs: number | null;
  thumbnailUrl: string | null;
  keywords: string[];
  userId: string;
  searchable: boolean;
  textPreview: string | null;
  /** Web, Text, API, Connector or Share. */
  source: string;
  /** Where it stands in the folder that it came from, that folder's own name first. */
  path: string | null;
  /** When the file itself was last changed. */
  modifiedAt: Date | null;
  /** The line with most of the searched words, in lists that search what files say. */
  matchedLine?: string | undefined;
}

/** A file that the server took. */
export interface UploadedFile {
  id: string;
  name: string;
  /** True where the same bytes were there already; keywords were merged. */
  duplicate: boolean;
}

/** A file that the server did not take, and why. */
export interface RejectedFile {
  name: string;
  message: string;
  code: string;
}

/** What became of the files of an upload. */
export interface UploadReport {
  groupId: string;
  uploaded: UploadedFile[];
  rejected: RejectedFile[];
  /** The files that were taken, as they are now. */
  files: File[];
}

/** A link to a file's bytes that works without a key for some minutes. */
export interface FileLink {
  url: string;
  expiresAt: Date;
  fileName: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  thumbnailUrl: string | null;
}

/** A stretch of a file's text and where it stands in the file. */
export interface Segment {
  start: number;
  end: number;
  location: Location;
  /** prose, heading, list, table, code or definition. */
  kind: string;
  headings: string[];
}

/** A file rendered as sanitized HTML, its pictures as data URLs. */
export interface FileView {
  html: string;
  /** Whether this is all of the file. */
  complete: boolean;
}

/** A recognised word on a page, its box in fractions of the page. */
export interface Word {
  start: number;
  end: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A keyword that groups files. */
export interface Keyword {
  id: string;
  keyword: string;
  active: boolean;
  default: boolean;
  createdAt: Date;
  /** How many files carry it, where that was asked for. */
  files: number | null;
}

/** A file that a question was limited to. */
export interface ChosenFile {
  artifactId: string;
  fileName: string;
}

/** A question that was asked, and its answer. */
export interface HistoryEntry {
  id: string;
  question: string;
  createdAt: Date;
  latitude: number | null;
  longitude: number | null;
  ip: string | null;
  device: string | null;
  userId: string;
  answers: string[];
  /** The answer, in Markdown. */
  text: string;
  audio: string | null;
  recommendations: string[];
  relatedFiles: RelatedFile[];
  citations: Citation[];
  grounded: boolean;
  nearest: Citation[];
  mode: string;
  found: FoundSection[];
  unverified: string[];
  notice: string | null;
  /** The entry that this question follows up on. */
  after: string | null;
  /** The talk that it belongs to: the id of its first question. */
  thread: string;
  /** `files` where the answer quotes them, else the model's name; null where that was not noted. */
  writtenBy: string | null;
  /** The keywords that it was limited to; none for all. */
  keywords: string[];
  /** The files that it was limited to; none for all. */
  files: ChosenFile[];
  saved: boolean;
  archived: boolean;
}

/** A question with those that followed up on it, as one row of a list. */
export interface HistoryThread {
  /** The newest of its questions that the list was asked for. */
  id: string;
  /** The id of its first question. */
  thread: string;
  /** Its first question. */
  question: string;
  /** When its newest question was asked. */
  createdAt: Date;
  turns: number;
  /** How often the same question was asked by itself. */
  times: number;
  /** Where the list is searched, the stretch of the answer with the words. */
  found: string | null;
  saved: boolean;
  archived: boolean;
}

/** The person whose files these are. */
export interface Profile {
  id: string;
  email: string;
  name: string | null;
  altEmail: string | null;
  phone: string | null;
  role: string;
  country: string | null;
  profileImage: string | null;
  ip: string | null;
  device: string | null;
  location: string | null;
  createdAt: Date;
  agreedTerms: boolean;
  deviceTimeZone: boolean;
}

/** Whether Engram has the bytes of a file. */
export interface CheckedFile {
  sha256: string;
  /** known, new, deleted or refused. */
  state: string;
  /** The file in Engram that has these bytes, where there is one. */
  fileId: string | null;
  /** Why they are refused, in a sentence. */
  reason: string | null;
}

/** How far a folder is. */
export interface FolderReport {
  /** The folder's own name, as the paths of its files begin. */
  name: string;
  /** current, syncing, paused, missing or waiting. */
  state: string;
  /** Files that are in Engram. */
  files: number;
  /** Files that are still to be sent. */
  waiting: number;
  /** Files that were left out or refused. */
  refused: number;
}

/** How far a device is with its folders. */
export interface DeviceReport {
  folders: FolderReport[];
  /** Some of the files that were refused, at most 100, each with the reason. */
  refused?: { path: string; reason: string }[];
  /** When everything was last in step; null while it never was. */
  currentAt?: Date | null;
}

/** A device that keeps folders in step. */
export interface Device {
  id: string;
  name: string;
  /** The operating system, such as Windows 11. */
  platform: string;
  /** That of the program on it. */
  version: string;
  createdAt: Date;
  lastSeenAt: Date;
  report: Required<DeviceReport> | null;
  /** Whether the person wants nothing to be sent for now. */
  paused: boolean;
  /** When the person last asked it to look at its folders at once. */
  syncAskedAt: Date | null;
}

/** What became of several files. */
export interface FileChanges {
  /** Ids of the files of which it is true now. */
  done: string[];
  /** The others, by the reason. */
  refused: RefusedChange[];
}

/** Files of which a change is not true, and why. */
export interface RefusedChange {
  /** A stable word for the reason. */
  code: string;
  message: string;
  ids: string[];
}

/** A link to several files as one zip. */
export interface ZipLink {
  url: string;
  expiresAt: Date;
  files: number;
  /** Bytes of the files together. */
  bytes: number;
}
