// Written by `npm run generate` from the contract.
import type { CallOptions, Ref } from './options.ts';
import type { Pages } from './pages.ts';
import { Resource } from './resource.ts';
import type { Shapes, Spec } from './shape.ts';

/** The user whose files these are. */
export interface Profile {
  id: string;
  email: string;
  name: string | null;
  altEmail: string | null;
  phone: string | null;
  role: 'USER' | 'ADMIN' | (string & {});
  country: string | null;
  profileImage: string | null;
  ip: string | null;
  device: string | null;
  location: string | null;
  createdAt: Date;
  agreedTerms: boolean;
  deviceTimeZone: boolean;
}

/** A device that syncs folders. */
export interface Device {
  id: string;
  name: string;
  platform: string;
  version: string;
  createdAt: Date;
  lastSeenAt: Date;
  report: DeviceReport | null;
  paused: boolean;
  syncAskedAt: Date | null;
}

/** The sync progress of a device. */
export interface DeviceReport {
  folders: FolderReport[];
  refused: RefusedFile[];
  currentAt: Date | null;
}

/** The sync progress of a folder. */
export interface FolderReport {
  name: string;
  state: FolderState;
  files: number;
  waiting: number;
  refused: number;
}

/** The sync state of a folder. */
export type FolderState = 'current' | 'syncing' | 'paused' | 'missing' | 'waiting' | (string & {});

/** A rejected file of a folder, with the reason. */
export interface RefusedFile {
  path: string;
  reason: string;
}

/** A file, or a note that was typed. */
export interface File {
  id: string;
  groupId: string;
  mediaType: string;
  name: string;
  size: number;
  storageKey: string;
  archived: boolean;
  createdAt: Date;
  updatedAt: Date;
  createdBy: string;
  updatedBy: string;
  device: string | null;
  status: FileStatus;
  statusReason: string | null;
  progress: number;
  stage: ReadingStage;
  durationMs: number | null;
  needsPassword: boolean;
  thumbnailUrl: string | null;
  keywords: string[];
  userId: string;
  searchable: boolean;
  textPreview: string | null;
  source: FileOrigin;
  path: string | null;
  webAddress: string | null;
  modifiedAt: Date | null;
  matchedLine?: string;
  /** Whether processing has finished or failed. */
  settled: boolean;
}

/** The processing status of a file. SUCCESS means that it is searchable. */
export type FileStatus = 'PENDING' | 'PROCESSING' | 'FAILED' | 'SUCCESS' | (string & {});

/** The processing stage of a file. */
export type ReadingStage = 'stored' | 'reading' | 'indexing' | 'ready' | 'failed' | (string & {});

/** The source of a file. */
export type FileOrigin = 'Web' | 'Text' | 'API' | 'Connector' | 'Share' | 'Mail' | (string & {});

/** The results of changes to several files. */
export interface FileChanges {
  done: string[];
  refused: RefusedChange[];
}

/** Files that were not changed, and why. */
export interface RefusedChange {
  code: string;
  message: string;
  ids: string[];
}

/** The kind of a file. */
export type FileKind =
  | 'pdf'
  | 'document'
  | 'spreadsheet'
  | 'slides'
  | 'book'
  | 'mail'
  | 'calendar'
  | 'contact'
  | 'image'
  | 'audio'
  | 'video'
  | 'archive'
  | 'web'
  | 'text'
  | (string & {});

/** The order of a list of files. A minus reverses it. */
export type FileSort = 'created' | '-created' | 'name' | '-name' | 'size' | '-size' | (string & {});

/** A file that the server stored. */
export interface UploadedFile {
  id: string;
  name: string;
  duplicate: boolean;
}

/** The results of an upload. */
export interface UploadResult {
  groupId: string;
  uploaded: UploadedFile[];
  rejected: RejectedFile[];
}

/** A rejected file, with the reason. */
export interface RejectedFile {
  name: string;
  message: string;
  code: string;
}

/** The files that a password opens. */
export interface OpenedFiles {
  opened: string[];
}

/** A part of the text of a file and its location. */
export interface Segment {
  start: number;
  end: number;
  location: Location;
  kind: SegmentKind;
  headings: string[];
}

/** Where in its file a quote is. All numbers count from 1. */
export interface Location {
  path?: string;
  page?: number;
  slide?: number;
  sheet?: string;
  row?: number;
  startMs?: number;
  endMs?: number;
  line?: number;
}

/** The kind of a part of a text. */
export type SegmentKind =
  'prose' | 'heading' | 'list' | 'table' | 'code' | 'definition' | (string & {});

/** A file rendered as sanitized HTML. */
export interface FileView {
  html: string;
  complete: boolean;
}

/** A recognized word, with its box in fractions of the page. */
export interface Word {
  start: number;
  end: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A link to the bytes of a file that works without a key for a few minutes. */
export interface FileLink {
  url: string;
  expiresAt: Date;
  fileName: string;
  mediaType: string;
  size: number;
  thumbnailUrl: string | null;
}

/** A link to several files as one zip. */
export interface ZipLink {
  url: string;
  expiresAt: Date;
  files: number;
  bytes: number;
}

/** The result of checking a file. */
export interface CheckedFile {
  sha256: string;
  state: ContentState;
  fileId: string | null;
  reason: string | null;
}

/** Whether Engram has the bytes of a file. */
export type ContentState = 'known' | 'new' | 'deleted' | 'refused' | (string & {});

/** A keyword that groups files. */
export interface Keyword {
  id: string;
  keyword: string;
  active: boolean;
  default: boolean;
  createdAt: Date;
  files: number | null;
}

/** A passage of a file that was found for a question. */
export interface Passage {
  fileId: string;
  fileName: string;
  path: string | null;
  location: Location;
  quote: string;
  start: number;
  end: number;
  text: string;
  score: number;
}

/** The answer to a question, with the passages that support it. */
export interface Answer {
  question: string;
  answers: string[];
  createdAt: Date;
  recommendations: string[];
  id: string;
  audio: string | null;
  relatedFiles: RelatedFile[];
  citations: Citation[];
  grounded: boolean;
  nearest: Citation[];
  mode: AnswerMode;
  found: FoundSection[];
  unverified: string[];
  notice: string | null;
  writtenBy: string | null;
  explain?: Explanation;
  /** The answer in Markdown. `[1]` refers to the citation whose `n` is 1. */
  text: string;
}

/** A file that is related to a question. */
export interface RelatedFile {
  fileId: string;
  groupId: string;
  archived: boolean;
  textPreview: string | null;
  createdBy: string;
  createdAt: Date;
  fileName: string;
  path: string | null;
  storageKey: string;
  mediaType: string;
  url: string;
  score: number;
  size: number;
  status: string;
  userId: string;
}

/** A quote from a file that supports a sentence of an answer. */
export interface Citation {
  n: number;
  fileId: string;
  fileName: string;
  path: string | null;
  location: Location;
  quote: string;
  start: number;
  end: number;
}

/** Whether an answer quotes files, or a model wrote it. */
export type AnswerMode = 'found' | 'written' | (string & {});

/** A section of a file that was found for a question. */
export interface FoundSection {
  n: number;
  fileId: string;
  fileName: string;
  path: string | null;
  location: Location;
  start: number;
  end: number;
  text: string;
  highlights: [number, number][];
  score: number;
  newer: NewerFile | null;
}

/** A document that amends or replaces a file. */
export interface NewerFile {
  fileId: string;
  fileName: string;
}

/** How an answer was found. */
export interface Explanation {
  passages: ExplainedPassage[];
  terms: string[];
  stages: ExplainedStage[];
}

/** A passage that was considered. */
export interface ExplainedPassage {
  fileId: string;
  start: number;
  end: number;
  scores: Record<string, number>;
}

/** A step of a search, and how long it took. */
export interface ExplainedStage {
  name: string;
  ms: number;
}

/** The found sections, sent before the answer. */
export interface Sources {
  id: string;
  citations: Citation[];
  found: FoundSection[];
  relatedFiles: RelatedFile[];
}

/** The current search of the model. */
export interface Step {
  text: string;
}

/** The next part of the answer's text. */
export interface Delta {
  text: string;
}

/** The text of a recording. */
export interface Transcript {
  text: string;
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
  audio: string | null;
  recommendations: string[];
  relatedFiles: RelatedFile[];
  citations: Citation[];
  grounded: boolean;
  nearest: Citation[];
  mode: AnswerMode;
  found: FoundSection[];
  unverified: string[];
  notice: string | null;
  after: string | null;
  thread: string;
  writtenBy: string | null;
  keywords: string[];
  files: ChosenFile[];
  saved: boolean;
  archived: boolean;
  /** The answer in Markdown. */
  text: string;
}

/** A file that a question was limited to. */
export interface ChosenFile {
  artifactId: string;
  fileName: string;
}

/** A question with its follow-ups, as one row of a list. */
export interface HistoryThread {
  id: string;
  thread: string;
  question: string;
  createdAt: Date;
  turns: number;
  times: number;
  found: string | null;
  saved: boolean;
  archived: boolean;
}

/** The shapes for checking responses. */
export const shapes: Shapes = {
  Profile: {"type":"object","properties":{"id":{"type":"string"},"email":{"type":"string"},"name":{"anyOf":[{"type":"string"},{"type":"null"}]},"altEmail":{"anyOf":[{"type":"string"},{"type":"null"}]},"phone":{"anyOf":[{"type":"string"},{"type":"null"}]},"role":{"type":"string"},"country":{"anyOf":[{"type":"string"},{"type":"null"}]},"profileImage":{"anyOf":[{"type":"string"},{"type":"null"}]},"ip":{"anyOf":[{"type":"string"},{"type":"null"}]},"device":{"anyOf":[{"type":"string"},{"type":"null"}]},"location":{"anyOf":[{"type":"string"},{"type":"null"}]},"createdAt":{"wire":"createdDate","type":"string","format":"date-time"},"agreedTerms":{"wire":"isAgreedTerms","type":"boolean"},"deviceTimeZone":{"type":"boolean"}},"required":["id","email","name","altEmail","phone","role","country","profileImage","ip","device","location","createdAt","agreedTerms","deviceTimeZone"]},
  Device: {"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"platform":{"type":"string"},"version":{"type":"string"},"createdAt":{"type":"string","format":"date-time"},"lastSeenAt":{"type":"string","format":"date-time"},"report":{"anyOf":[{"$ref":"DeviceReport"},{"type":"null"}]},"paused":{"type":"boolean"},"syncAskedAt":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}},"required":["id","name","platform","version","createdAt","lastSeenAt","report","paused","syncAskedAt"]},
  DeviceReport: {"type":"object","properties":{"folders":{"type":"array","items":{"$ref":"FolderReport"}},"refused":{"type":"array","items":{"$ref":"RefusedFile"}},"currentAt":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}},"required":["folders","refused","currentAt"]},
  FolderReport: {"type":"object","properties":{"name":{"type":"string"},"state":{"$ref":"FolderState"},"files":{"type":"integer"},"waiting":{"type":"integer"},"refused":{"type":"integer"}},"required":["name","state","files","waiting","refused"]},
  FolderState: {"type":"string"},
  RefusedFile: {"type":"object","properties":{"path":{"type":"string"},"reason":{"type":"string"}},"required":["path","reason"]},
  File: {"type":"object","properties":{"id":{"wire":"artifactId","type":"string"},"groupId":{"wire":"artifactGroupId","type":"string"},"mediaType":{"wire":"artifactFileType","type":"string"},"name":{"wire":"artifactFileName","type":"string"},"size":{"wire":"artifactFileSize","type":"integer"},"storageKey":{"wire":"artifactFilePathS3","type":"string"},"archived":{"wire":"artifactArchived","type":"boolean"},"createdAt":{"wire":"artifactCreatedDate","type":"string","format":"date-time"},"updatedAt":{"wire":"artifactUpdatedDate","type":"string","format":"date-time"},"createdBy":{"wire":"artifactCreatedBy","type":"string"},"updatedBy":{"wire":"artifactUpdatedBy","type":"string"},"device":{"wire":"deviceUsed","anyOf":[{"type":"string"},{"type":"null"}]},"status":{"$ref":"FileStatus","wire":"uploadStatus"},"statusReason":{"anyOf":[{"type":"string"},{"type":"null"}]},"progress":{"type":"integer"},"stage":{"$ref":"ReadingStage"},"durationMs":{"anyOf":[{"type":"integer"},{"type":"null"}]},"needsPassword":{"type":"boolean"},"thumbnailUrl":{"anyOf":[{"type":"string"},{"type":"null"}]},"keywords":{"type":"array","items":{"type":"string"}},"userId":{"type":"string"},"searchable":{"wire":"isVectorReady","type":"boolean"},"textPreview":{"wire":"artifactText","anyOf":[{"type":"string"},{"type":"null"}]},"source":{"$ref":"FileOrigin"},"path":{"anyOf":[{"type":"string"},{"type":"null"}]},"webAddress":{"anyOf":[{"type":"string"},{"type":"null"}]},"modifiedAt":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]},"matchedLine":{"type":"string"}},"required":["id","groupId","mediaType","name","size","storageKey","archived","createdAt","updatedAt","createdBy","updatedBy","device","status","statusReason","progress","stage","durationMs","needsPassword","thumbnailUrl","keywords","userId","searchable","textPreview","source","path","webAddress","modifiedAt"]},
  FileStatus: {"type":"string"},
  ReadingStage: {"type":"string"},
  FileOrigin: {"type":"string"},
  FileChanges: {"type":"object","properties":{"done":{"type":"array","items":{"type":"string"}},"refused":{"type":"array","items":{"$ref":"RefusedChange"}}},"required":["done","refused"]},
  RefusedChange: {"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"},"ids":{"type":"array","items":{"type":"string"}}},"required":["code","message","ids"]},
  FileKind: {"type":"string"},
  FileSort: {"type":"string"},
  UploadedFile: {"type":"object","properties":{"id":{"wire":"artifactId","type":"string"},"name":{"wire":"fileName","type":"string"},"duplicate":{"type":"boolean"}},"required":["id","name","duplicate"]},
  UploadResult: {"type":"object","properties":{"groupId":{"wire":"artifactGroupId","type":"string"},"uploaded":{"wire":"artifacts","type":"array","items":{"$ref":"UploadedFile"}},"rejected":{"type":"array","items":{"$ref":"RejectedFile"}}},"required":["groupId","uploaded","rejected"]},
  RejectedFile: {"type":"object","properties":{"name":{"wire":"fileName","type":"string"},"message":{"type":"string"},"code":{"type":"string"}},"required":["name","message","code"]},
  OpenedFiles: {"type":"object","properties":{"opened":{"type":"array","items":{"type":"string"}}},"required":["opened"]},
  Segment: {"type":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"location":{"$ref":"Location"},"kind":{"$ref":"SegmentKind"},"headings":{"type":"array","items":{"type":"string"}}},"required":["start","end","location","kind","headings"]},
  Location: {"type":"object","properties":{"path":{"type":"string"},"page":{"type":"integer"},"slide":{"type":"integer"},"sheet":{"type":"string"},"row":{"type":"integer"},"startMs":{"type":"integer"},"endMs":{"type":"integer"},"line":{"type":"integer"}},"required":[]},
  SegmentKind: {"type":"string"},
  FileView: {"type":"object","properties":{"html":{"type":"string"},"complete":{"type":"boolean"}},"required":["html","complete"]},
  Word: {"type":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"left":{"type":"number"},"top":{"type":"number"},"width":{"type":"number"},"height":{"type":"number"}},"required":["start","end","left","top","width","height"]},
  FileLink: {"type":"object","properties":{"url":{"wire":"presignedUrl","type":"string"},"expiresAt":{"type":"string","format":"date-time"},"fileName":{"type":"string"},"mediaType":{"wire":"fileType","type":"string"},"size":{"type":"integer"},"thumbnailUrl":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["url","expiresAt","fileName","mediaType","size","thumbnailUrl"]},
  ZipLink: {"type":"object","properties":{"url":{"type":"string"},"expiresAt":{"type":"string","format":"date-time"},"files":{"type":"integer"},"bytes":{"type":"integer"}},"required":["url","expiresAt","files","bytes"]},
  CheckedFile: {"type":"object","properties":{"sha256":{"type":"string"},"state":{"$ref":"ContentState"},"fileId":{"wire":"artifactId","anyOf":[{"type":"string"},{"type":"null"}]},"reason":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["sha256","state","fileId","reason"]},
  ContentState: {"type":"string"},
  Keyword: {"type":"object","properties":{"id":{"type":"string"},"keyword":{"type":"string"},"active":{"wire":"isActive","type":"boolean"},"default":{"wire":"isDefault","type":"boolean"},"createdAt":{"wire":"createdDate","type":"string","format":"date-time"},"files":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["id","keyword","active","default","createdAt","files"]},
  Passage: {"type":"object","properties":{"fileId":{"wire":"artifactId","type":"string"},"fileName":{"type":"string"},"path":{"anyOf":[{"type":"string"},{"type":"null"}]},"location":{"$ref":"Location"},"quote":{"type":"string"},"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"},"score":{"type":"number"}},"required":["fileId","fileName","path","location","quote","start","end","text","score"]},
  Answer: {"type":"object","properties":{"question":{"wire":"text","type":"string"},"answers":{"type":"array","items":{"type":"string"}},"createdAt":{"wire":"date","type":"string","format":"date-time"},"recommendations":{"type":"array","items":{"type":"string"}},"id":{"wire":"history_id","type":"string"},"audio":{"wire":"audio_file","anyOf":[{"type":"string"},{"type":"null"}]},"relatedFiles":{"wire":"similar_vectors","type":"array","items":{"$ref":"RelatedFile"}},"citations":{"type":"array","items":{"$ref":"Citation"}},"grounded":{"type":"boolean"},"nearest":{"type":"array","items":{"$ref":"Citation"}},"mode":{"$ref":"AnswerMode"},"found":{"type":"array","items":{"$ref":"FoundSection"}},"unverified":{"type":"array","items":{"type":"string"}},"notice":{"anyOf":[{"type":"string"},{"type":"null"}]},"writtenBy":{"anyOf":[{"type":"string"},{"type":"null"}]},"explain":{"$ref":"Explanation"}},"required":["question","answers","createdAt","recommendations","id","audio","relatedFiles","citations","grounded","nearest","mode","found","unverified","notice","writtenBy"]},
  RelatedFile: {"type":"object","properties":{"fileId":{"wire":"artifactId","type":"string"},"groupId":{"wire":"artifactGroupId","type":"string"},"archived":{"wire":"artifactArchived","type":"boolean"},"textPreview":{"wire":"artifact_text","anyOf":[{"type":"string"},{"type":"null"}]},"createdBy":{"type":"string"},"createdAt":{"wire":"createdDate","type":"string","format":"date-time"},"fileName":{"type":"string"},"path":{"anyOf":[{"type":"string"},{"type":"null"}]},"storageKey":{"wire":"filePathS3","type":"string"},"mediaType":{"wire":"fileType","type":"string"},"url":{"wire":"presignedUrl","type":"string"},"score":{"type":"number"},"size":{"type":"integer"},"status":{"type":"string"},"userId":{"type":"string"}},"required":["fileId","groupId","archived","textPreview","createdBy","createdAt","fileName","path","storageKey","mediaType","url","score","size","status","userId"]},
  Citation: {"type":"object","properties":{"n":{"type":"integer"},"fileId":{"wire":"artifactId","type":"string"},"fileName":{"type":"string"},"path":{"anyOf":[{"type":"string"},{"type":"null"}]},"location":{"$ref":"Location"},"quote":{"type":"string"},"start":{"type":"integer"},"end":{"type":"integer"}},"required":["n","fileId","fileName","path","location","quote","start","end"]},
  AnswerMode: {"type":"string"},
  FoundSection: {"type":"object","properties":{"n":{"type":"integer"},"fileId":{"wire":"artifactId","type":"string"},"fileName":{"type":"string"},"path":{"anyOf":[{"type":"string"},{"type":"null"}]},"location":{"$ref":"Location"},"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"},"highlights":{"type":"array","items":{"type":"array","prefixItems":[{"type":"integer"},{"type":"integer"}]}},"score":{"type":"number"},"newer":{"anyOf":[{"$ref":"NewerFile"},{"type":"null"}]}},"required":["n","fileId","fileName","path","location","start","end","text","highlights","score","newer"]},
  NewerFile: {"type":"object","properties":{"fileId":{"wire":"artifactId","type":"string"},"fileName":{"type":"string"}},"required":["fileId","fileName"]},
  Explanation: {"type":"object","properties":{"passages":{"type":"array","items":{"$ref":"ExplainedPassage"}},"terms":{"type":"array","items":{"type":"string"}},"stages":{"type":"array","items":{"$ref":"ExplainedStage"}}},"required":["passages","terms","stages"]},
  ExplainedPassage: {"type":"object","properties":{"fileId":{"wire":"artifactId","type":"string"},"start":{"type":"integer"},"end":{"type":"integer"},"scores":{"type":"object"}},"required":["fileId","start","end","scores"]},
  ExplainedStage: {"type":"object","properties":{"name":{"type":"string"},"ms":{"type":"number"}},"required":["name","ms"]},
  Sources: {"type":"object","properties":{"id":{"wire":"history_id","type":"string"},"citations":{"type":"array","items":{"$ref":"Citation"}},"found":{"type":"array","items":{"$ref":"FoundSection"}},"relatedFiles":{"wire":"similar_vectors","type":"array","items":{"$ref":"RelatedFile"}}},"required":["id","citations","found","relatedFiles"]},
  Step: {"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},
  Delta: {"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},
  Transcript: {"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},
  HistoryEntry: {"type":"object","properties":{"id":{"type":"string"},"question":{"wire":"searchText","type":"string"},"createdAt":{"wire":"date","type":"string","format":"date-time"},"latitude":{"anyOf":[{"type":"number"},{"type":"null"}]},"longitude":{"anyOf":[{"type":"number"},{"type":"null"}]},"ip":{"anyOf":[{"type":"string"},{"type":"null"}]},"device":{"anyOf":[{"type":"string"},{"type":"null"}]},"userId":{"type":"string"},"answers":{"type":"array","items":{"type":"string"}},"audio":{"wire":"audioFile","anyOf":[{"type":"string"},{"type":"null"}]},"recommendations":{"type":"array","items":{"type":"string"}},"relatedFiles":{"wire":"similarVectors","type":"array","items":{"$ref":"RelatedFile"}},"citations":{"type":"array","items":{"$ref":"Citation"}},"grounded":{"type":"boolean"},"nearest":{"type":"array","items":{"$ref":"Citation"}},"mode":{"$ref":"AnswerMode"},"found":{"type":"array","items":{"$ref":"FoundSection"}},"unverified":{"type":"array","items":{"type":"string"}},"notice":{"anyOf":[{"type":"string"},{"type":"null"}]},"after":{"wire":"follows","anyOf":[{"type":"string"},{"type":"null"}]},"thread":{"type":"string"},"writtenBy":{"anyOf":[{"type":"string"},{"type":"null"}]},"keywords":{"type":"array","items":{"type":"string"}},"files":{"wire":"chosenFiles","type":"array","items":{"$ref":"ChosenFile"}},"saved":{"wire":"isBookmark","type":"boolean"},"archived":{"wire":"isArchived","type":"boolean"}},"required":["id","question","createdAt","latitude","longitude","ip","device","userId","answers","audio","recommendations","relatedFiles","citations","grounded","nearest","mode","found","unverified","notice","after","thread","writtenBy","keywords","files","saved","archived"]},
  ChosenFile: {"type":"object","properties":{"artifactId":{"type":"string"},"fileName":{"type":"string"}},"required":["artifactId","fileName"]},
  HistoryThread: {"type":"object","properties":{"id":{"type":"string"},"thread":{"type":"string"},"question":{"wire":"searchText","type":"string"},"createdAt":{"wire":"date","type":"string","format":"date-time"},"turns":{"type":"integer"},"times":{"type":"integer"},"found":{"anyOf":[{"type":"string"},{"type":"null"}]},"saved":{"wire":"isBookmark","type":"boolean"},"archived":{"wire":"isArchived","type":"boolean"}},"required":["id","thread","question","createdAt","turns","times","found","saved","archived"]},
};

export const getProfile: Spec<Profile> = {"id":"profile.getProfile","method":"GET","path":"/user/profile","kind":"json","fields":{},"answer":{"$ref":"Profile"}};
export const endDevice: Spec<void> = {"id":"devices.endDevice","method":"DELETE","path":"/devices/{id}","kind":"json","notRepeatable":true,"fields":{"id":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}}};
export const listDevices: Spec<Device[]> = {"id":"devices.listDevices","method":"GET","path":"/devices","kind":"json","fields":{},"answer":{"type":"array","items":{"$ref":"Device"}}};
export const reportDevice: Spec<Device> = {"id":"devices.reportDevice","method":"POST","path":"/devices","kind":"json","notRepeatable":true,"fields":{"id":{"place":"body","schema":{"type":"string","format":"uuid"}},"name":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":200}},"platform":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":200}},"version":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":200}},"report":{"place":"body","schema":{"type":"object","properties":{"folders":{"maxItems":50,"type":"array","items":{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":200},"state":{"type":"string","enum":["current","syncing","paused","missing","waiting"]},"files":{"type":"integer","minimum":0,"maximum":9007199254740991},"waiting":{"type":"integer","minimum":0,"maximum":9007199254740991},"refused":{"type":"integer","minimum":0,"maximum":9007199254740991}},"required":["name","state","files","waiting","refused"]}},"refused":{"maxItems":100,"type":"array","items":{"type":"object","properties":{"path":{"type":"string","minLength":1,"maxLength":4000},"reason":{"type":"string","minLength":1,"maxLength":500}},"required":["path","reason"]}},"currentAt":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"null"}]}},"required":["folders"]}}},"answer":{"$ref":"Device"}};
export const deleteAllArtifacts: Spec<void> = {"id":"artifacts.deleteAllArtifacts","method":"DELETE","path":"/artifacts/all","kind":"json","fields":{}};
export const deleteArtifact: Spec<void> = {"id":"artifacts.deleteArtifact","method":"DELETE","path":"/artifacts/{artifactId}","kind":"json","notRepeatable":true,"fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}}};
export const getArtifact: Spec<File> = {"id":"artifacts.getArtifact","method":"GET","path":"/artifacts/{artifactId}","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}},"answer":{"$ref":"File"}};
export const deleteArtifacts: Spec<string[]> = {"id":"artifacts.deleteArtifacts","method":"DELETE","path":"/artifacts/bulk","kind":"json","notRepeatable":true,"fields":{"ids":{"place":"whole","required":true,"schema":{"minItems":1,"maxItems":10000,"type":"array","items":{"type":"string","format":"uuid"}}}},"answer":{"type":"array","items":{"type":"string"}}};
export const changeArtifacts: Spec<FileChanges> = {"id":"artifacts.changeArtifacts","method":"POST","path":"/artifacts/bulk","kind":"json","notRepeatable":true,"fields":{"ids":{"place":"body","schema":{"minItems":1,"maxItems":1000,"type":"array","items":{"type":"string","format":"uuid"}}},"filter":{"place":"body","schema":{"type":"object","properties":{"q":{"type":"string","maxLength":300},"in":{"type":"string","enum":["names","content"]},"keyword":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u},"folder":{"format":"folder-path","type":"string","minLength":1,"maxLength":4000},"status":{"type":"string","enum":["PENDING","PROCESSING","FAILED","SUCCESS"]},"state":{"type":"string","enum":["ready","reading","failed"]},"kind":{"type":"string","enum":["pdf","document","spreadsheet","slides","book","mail","calendar","contact","image","audio","video","archive","web","text"]},"source":{"type":"string","enum":["Web","Text","API","Connector","Share","Mail"]},"since":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"string","format":"date"}]},"until":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"string","format":"date"}]},"archived":{"type":"boolean"}},"required":[]}},"except":{"place":"body","schema":{"maxItems":1000,"type":"array","items":{"type":"string","format":"uuid"}}},"verb":{"place":"body","required":true,"schema":{"type":"string","enum":["tag","untag","archive","unarchive","retry","delete"]}},"keywords":{"place":"body","schema":{"minItems":1,"maxItems":50,"type":"array","items":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}}}},"answer":{"$ref":"FileChanges"}};
export const getArtifactText: Spec<string> = {"id":"artifacts.getArtifactText","method":"GET","path":"/artifacts/{artifactId}/text","kind":"text","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}}};
export const listArtifacts: Spec<File> = {"id":"artifacts.listArtifacts","method":"GET","path":"/artifacts","kind":"json","fields":{"pageSize":{"place":"query","wire":"limit","schema":{"type":"integer","minimum":1,"maximum":1000}},"cursor":{"place":"query","schema":{"type":"string","maxLength":500}},"q":{"place":"query","schema":{"type":"string","maxLength":300}},"offset":{"place":"query","schema":{"type":"integer","minimum":0,"maximum":2147483647}},"in":{"place":"query","schema":{"type":"string","enum":["names","content"]}},"keyword":{"place":"query","schema":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}},"folder":{"place":"query","schema":{"format":"folder-path","type":"string","minLength":1,"maxLength":4000}},"status":{"place":"query","schema":{"type":"string","enum":["PENDING","PROCESSING","FAILED","SUCCESS"]}},"state":{"place":"query","schema":{"type":"string","enum":["ready","reading","failed"]}},"kind":{"place":"query","schema":{"type":"string","enum":["pdf","document","spreadsheet","slides","book","mail","calendar","contact","image","audio","video","archive","web","text"]}},"source":{"place":"query","schema":{"type":"string","enum":["Web","Text","API","Connector","Share","Mail"]}},"since":{"place":"query","schema":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"string","format":"date"}]}},"until":{"place":"query","schema":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"string","format":"date"}]}},"webAddress":{"place":"query","schema":{"type":"string","maxLength":2000}},"archived":{"place":"query","schema":{"type":"string","enum":["true","false"]}},"sort":{"place":"query","schema":{"type":"string","enum":["created","-created","name","-name","size","-size"]}}},"answer":{"$ref":"File"}};
export const openArtifact: Spec<Response> = {"id":"artifacts.openArtifact","method":"POST","path":"/artifacts/{artifactId}/{userId}/{fileName}","kind":"file","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"userId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"fileName":{"place":"path","required":true,"schema":{"type":"string","maxLength":1000}}}};
export const renameArtifact: Spec<File> = {"id":"artifacts.renameArtifact","method":"PUT","path":"/artifacts/{artifactId}/name","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"name":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":255}}},"answer":{"$ref":"File"}};
export const retryArtifact: Spec<File> = {"id":"artifacts.retryArtifact","method":"POST","path":"/artifacts/{artifactId}/retry","kind":"json","notRepeatable":true,"fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}},"answer":{"$ref":"File"}};
export const saveWebContent: Spec<UploadedFile> = {"id":"artifacts.saveWebContent","method":"POST","path":"/artifacts/from-browser","kind":"json","fields":{},"answer":{"$ref":"UploadedFile"}};
export const saveWebPage: Spec<UploadedFile> = {"id":"artifacts.saveWebPage","method":"POST","path":"/artifacts/from-url","kind":"json","fields":{"url":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":2000}},"keywords":{"place":"body","schema":{"maxItems":50,"type":"array","items":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}}}},"answer":{"$ref":"UploadedFile"}};
export const searchReady: Spec<boolean> = {"id":"artifacts.searchReady","method":"GET","path":"/artifacts/search_ready","kind":"json","fields":{},"answer":{"type":"boolean"}};
export const setArtifactArchived: Spec<File> = {"id":"artifacts.setArtifactArchived","method":"POST","path":"/artifacts/{artifactId}/{archived}","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"archived":{"place":"path","required":true,"schema":{"type":"string","enum":["true","false"]}}},"answer":{"$ref":"File"}};
export const setArtifactKeywords: Spec<File> = {"id":"artifacts.setArtifactKeywords","method":"PUT","path":"/artifacts/keywords","kind":"json","fields":{"artifactId":{"place":"body","required":true,"schema":{"type":"string","format":"uuid"}},"keywords":{"place":"body","required":true,"schema":{"maxItems":50,"type":"array","items":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}}}},"answer":{"$ref":"File"}};
export const uploadArtifacts: Spec<UploadResult> = {"id":"artifacts.uploadArtifacts","method":"POST","path":"/artifacts/upload","kind":"json","fields":{},"answer":{"$ref":"UploadResult"}};
export const unlockArtifact: Spec<OpenedFiles> = {"id":"artifacts.unlockArtifact","method":"POST","path":"/artifacts/{artifactId}/password","kind":"json","notRepeatable":true,"fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"password":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":255}},"remember":{"place":"body","schema":{"type":"boolean"}}},"answer":{"$ref":"OpenedFiles"}};
export const editNote: Spec<UploadedFile> = {"id":"artifacts.editNote","method":"PUT","path":"/artifacts/{artifactId}/note","kind":"json","notRepeatable":true,"fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"text":{"place":"body","required":true,"schema":{"type":"string","maxLength":100000}}},"answer":{"$ref":"UploadedFile"}};
export const getArtifactSegments: Spec<Segment[]> = {"id":"artifacts.getArtifactSegments","method":"GET","path":"/artifacts/{artifactId}/segments","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"start":{"place":"query","wire":"from","schema":{"type":"integer","minimum":0,"maximum":2147483647}},"end":{"place":"query","wire":"to","schema":{"type":"integer","minimum":0,"maximum":2147483647}}},"answer":{"type":"array","items":{"$ref":"Segment"}}};
export const getArtifactView: Spec<FileView> = {"id":"artifacts.getArtifactView","method":"GET","path":"/artifacts/{artifactId}/view","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"start":{"place":"query","wire":"from","schema":{"type":"integer","minimum":0,"maximum":2147483647}},"end":{"place":"query","wire":"to","schema":{"type":"integer","minimum":0,"maximum":2147483647}},"path":{"place":"query","schema":{"type":"string","maxLength":4000}}},"answer":{"$ref":"FileView"}};
export const getArtifactWords: Spec<Word[]> = {"id":"artifacts.getArtifactWords","method":"GET","path":"/artifacts/{artifactId}/words","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"page":{"place":"query","schema":{"type":"integer","minimum":1,"maximum":2147483647}},"path":{"place":"query","schema":{"type":"string","maxLength":4000}}},"answer":{"type":"array","items":{"$ref":"Word"}}};
export const signArtifact: Spec<FileLink> = {"id":"artifacts.signArtifact","method":"GET","path":"/artifacts/{artifactId}/link","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}},"answer":{"$ref":"FileLink"}};
export const zipArtifacts: Spec<ZipLink> = {"id":"artifacts.zipArtifacts","method":"POST","path":"/artifacts/zip","kind":"json","fields":{"ids":{"place":"body","schema":{"minItems":1,"maxItems":1000,"type":"array","items":{"type":"string","format":"uuid"}}},"filter":{"place":"body","schema":{"type":"object","properties":{"q":{"type":"string","maxLength":300},"in":{"type":"string","enum":["names","content"]},"keyword":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u},"folder":{"format":"folder-path","type":"string","minLength":1,"maxLength":4000},"status":{"type":"string","enum":["PENDING","PROCESSING","FAILED","SUCCESS"]},"state":{"type":"string","enum":["ready","reading","failed"]},"kind":{"type":"string","enum":["pdf","document","spreadsheet","slides","book","mail","calendar","contact","image","audio","video","archive","web","text"]},"source":{"type":"string","enum":["Web","Text","API","Connector","Share","Mail"]},"since":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"string","format":"date"}]},"until":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"string","format":"date"}]},"archived":{"type":"boolean"}},"required":[]}},"except":{"place":"body","schema":{"maxItems":1000,"type":"array","items":{"type":"string","format":"uuid"}}}},"answer":{"$ref":"ZipLink"}};
export const checkArtifacts: Spec<CheckedFile[]> = {"id":"artifacts.checkArtifacts","method":"POST","path":"/artifacts/check","kind":"json","fields":{"files":{"place":"body","required":true,"schema":{"minItems":1,"maxItems":1000,"type":"array","items":{"type":"object","properties":{"sha256":{"type":"string","pattern":/^[0-9a-f]{64}$/u},"size":{"type":"integer","minimum":0,"maximum":9007199254740991},"path":{"format":"folder-path","type":"string","minLength":1,"maxLength":4000}},"required":["sha256","size","path"]}}}},"answer":{"type":"array","items":{"$ref":"CheckedFile"}}};
export const placeArtifact: Spec<void> = {"id":"artifacts.placeArtifact","method":"PUT","path":"/artifacts/{artifactId}/place","kind":"json","fields":{"artifactId":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"path":{"place":"body","required":true,"schema":{"format":"folder-path","type":"string","minLength":1,"maxLength":4000}},"modifiedAt":{"place":"body","schema":{"anyOf":[{"type":"string","maxLength":40,"format":"date-time"},{"type":"null"}]}},"replaces":{"place":"body","schema":{"anyOf":[{"type":"string","format":"uuid"},{"type":"null"}]}},"deviceId":{"place":"body","required":true,"schema":{"type":"string","format":"uuid"}}}};
export const addKeywordByBody: Spec<Keyword> = {"id":"keywords.addKeywordByBody","method":"POST","path":"/keywords/add","kind":"json","notRepeatable":true,"fields":{"keyword":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}}},"answer":{"$ref":"Keyword"}};
export const listKeywords: Spec<Keyword[]> = {"id":"keywords.listKeywords","method":"GET","path":"/keywords","kind":"json","fields":{"countFiles":{"place":"query","wire":"files","schema":{"type":"string","enum":["true","false"]}}},"answer":{"type":"array","items":{"$ref":"Keyword"}}};
export const setKeywordActive: Spec<Keyword> = {"id":"keywords.setKeywordActive","method":"PUT","path":"/keywords/{id}/{isActive}","kind":"json","fields":{"id":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}},"isActive":{"place":"path","required":true,"schema":{"type":"string","enum":["true","false"]}}},"answer":{"$ref":"Keyword"}};
export const findPassages: Spec<Passage[]> = {"id":"search.findPassages","method":"POST","path":"/search/passages","kind":"json","notRepeatable":true,"fields":{"text":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":300}},"keywords":{"place":"body","schema":{"maxItems":100,"type":"array","items":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}}}},"answer":{"type":"array","items":{"$ref":"Passage"}}};
export const search: Spec<Answer> = {"id":"search.search","method":"POST","path":"/search","kind":"json","notRepeatable":true,"fields":{"text":{"place":"body","required":true,"schema":{"type":"string","minLength":1,"maxLength":300}},"location":{"place":"body","schema":{"anyOf":[{"type":"object","properties":{"latitude":{"type":"number","minimum":-90,"maximum":90},"longitude":{"type":"number","minimum":-180,"maximum":180}},"required":["latitude","longitude"]},{"type":"null"}]}},"ipAddress":{"place":"body","schema":{"anyOf":[{"type":"string","maxLength":100},{"type":"null"}]}},"device":{"place":"body","schema":{"anyOf":[{"type":"string","maxLength":100},{"type":"null"}]}},"keywords":{"place":"body","schema":{"maxItems":100,"type":"array","items":{"type":"string","minLength":1,"maxLength":25,"pattern":/^[\p{L}\p{M}\p{N}]+$/u}}},"files":{"place":"body","wire":"artifactIds","schema":{"maxItems":100,"type":"array","items":{"type":"string","format":"uuid"}}},"audio":{"place":"body","schema":{"type":"boolean"}},"explain":{"place":"body","schema":{"type":"boolean"}},"after":{"place":"body","schema":{"type":"string","format":"uuid"}}},"answer":{"$ref":"Answer"}};
export const transcribe: Spec<Transcript> = {"id":"search.transcribe","method":"POST","path":"/search/transcribe","kind":"json","notRepeatable":true,"fields":{},"answer":{"$ref":"Transcript"}};
export const recommendedQuestions: Spec<string[]> = {"id":"recommendations.recommendedQuestions","method":"GET","path":"/questions/recommendations","kind":"json","fields":{},"answer":{"type":"array","items":{"type":"string"}}};
export const suggestions: Spec<string[]> = {"id":"suggestions.suggestions","method":"GET","path":"/suggestions","kind":"json","fields":{},"answer":{"type":"array","items":{"type":"string"}}};
export const deleteHistory: Spec<void> = {"id":"history.deleteHistory","method":"DELETE","path":"/search/history/delete","kind":"json","fields":{}};
export const getHistoryEntry: Spec<HistoryEntry> = {"id":"history.getHistoryEntry","method":"GET","path":"/search/history/1","kind":"json","fields":{"id":{"place":"query","required":true,"schema":{"type":"string","format":"uuid"}}},"answer":{"$ref":"HistoryEntry"}};
export const historyAudio: Spec<Response> = {"id":"history.historyAudio","method":"GET","path":"/search/history/{id}/audio","kind":"file","fields":{"id":{"place":"path","required":true,"schema":{"type":"string","format":"uuid"}}}};
export const historyThread: Spec<HistoryEntry[]> = {"id":"history.historyThread","method":"GET","path":"/search/history/thread","kind":"json","fields":{"id":{"place":"query","required":true,"schema":{"type":"string","format":"uuid"}}},"answer":{"type":"array","items":{"$ref":"HistoryEntry"}}};
export const listHistory: Spec<HistoryEntry> = {"id":"history.listHistory","method":"GET","path":"/search/history/all","kind":"json","fields":{"pageSize":{"place":"query","wire":"limit","schema":{"type":"integer","minimum":1,"maximum":1000}},"cursor":{"place":"query","schema":{"type":"string","maxLength":500}},"q":{"place":"query","schema":{"type":"string","maxLength":300}},"archived":{"place":"query","schema":{"type":"string","enum":["true","false"]}},"saved":{"place":"query","schema":{"type":"string","enum":["true","false"]}},"brief":{"place":"query","schema":{"type":"string","enum":["true","false"]}}},"answer":{"$ref":"HistoryEntry"}};
export const listThreads: Spec<HistoryThread> = {"id":"history.listThreads","method":"GET","path":"/search/history/threads","kind":"json","fields":{"pageSize":{"place":"query","wire":"limit","schema":{"type":"integer","minimum":1,"maximum":1000}},"cursor":{"place":"query","schema":{"type":"string","maxLength":500}},"q":{"place":"query","schema":{"type":"string","maxLength":300}},"archived":{"place":"query","schema":{"type":"string","enum":["true","false"]}},"saved":{"place":"query","schema":{"type":"string","enum":["true","false"]}}},"answer":{"$ref":"HistoryThread"}};
export const todaysHistory: Spec<HistoryEntry[]> = {"id":"history.todaysHistory","method":"GET","path":"/search/history/today","kind":"json","fields":{"timeZone":{"place":"query","schema":{"type":"string","maxLength":100}}},"answer":{"type":"array","items":{"$ref":"HistoryEntry"}}};
export const updateHistory: Spec<HistoryEntry> = {"id":"history.updateHistory","method":"POST","path":"/search/history/update","kind":"json","fields":{"historyId":{"place":"body","required":true,"schema":{"type":"string","format":"uuid"}},"saved":{"place":"body","wire":"isBookmark","schema":{"type":"boolean"}},"archived":{"place":"body","wire":"isArchived","schema":{"type":"boolean"}},"wholeThread":{"place":"body","schema":{"type":"boolean"}}},"answer":{"$ref":"HistoryEntry"}};

/** The options of `files.list`. */
export interface FilesListOptions {
  pageSize?: number | undefined;
  offset?: number | undefined;
  in?: 'names' | 'content' | undefined;
  keyword?: string | undefined;
  folder?: string | undefined;
  status?: FileStatus | undefined;
  state?: 'ready' | 'reading' | 'failed' | undefined;
  kind?: FileKind | undefined;
  source?: FileOrigin | undefined;
  since?: Date | string | undefined;
  until?: Date | string | undefined;
  webAddress?: string | undefined;
  archived?: boolean | undefined;
  sort?: FileSort | undefined;
}

/** The options of `files.saveWebPage`. */
export interface FilesSaveWebPageOptions {
  keywords?: Iterable<string> | undefined;
}

/** The options of `files.unlock`. */
export interface FilesUnlockOptions {
  remember?: boolean | undefined;
}

/** The options of `files.segments`. */
export interface FilesSegmentsOptions {
  start?: number | undefined;
  end?: number | undefined;
}

/** The options of `files.view`. */
export interface FilesViewOptions {
  start?: number | undefined;
  end?: number | undefined;
  path?: string | undefined;
}

/** The options of `files.words`. */
export interface FilesWordsOptions {
  page?: number | undefined;
  path?: string | undefined;
}

/** The options of `files.place`. */
export interface FilesPlaceOptions {
  path: string;
  modifiedAt?: Date | string | null | undefined;
  replaces?: Ref | null | undefined;
  deviceId: Ref;
}

/** The options of `keywords.list`. */
export interface KeywordsListOptions {
  countFiles?: boolean | undefined;
}

/** The options of `passages`. */
export interface PassagesOptions {
  keywords?: Iterable<string> | undefined;
}

/** The options of `ask`. */
export interface AskOptions {
  keywords?: Iterable<string> | undefined;
  files?: Iterable<Ref> | undefined;
  after?: Ref | undefined;
  explain?: boolean | undefined;
  audio?: boolean | undefined;
}

/** The options of `history.list`. */
export interface HistoryListOptions {
  pageSize?: number | undefined;
  archived?: boolean | undefined;
  saved?: boolean | undefined;
  brief?: boolean | undefined;
}

/** The options of `history.threads`. */
export interface HistoryThreadsOptions {
  pageSize?: number | undefined;
  archived?: boolean | undefined;
  saved?: boolean | undefined;
}

/** The options of `history.update`. */
export interface HistoryUpdateOptions {
  saved?: boolean | undefined;
  archived?: boolean | undefined;
  wholeThread?: boolean | undefined;
}

/** The plain calls of `engram`. */
export class Calls extends Resource {
  /** The signed-in user. */
  profile(options: CallOptions = {}): Promise<Profile> {
    return this.runner.run(getProfile, {}, options);
  }

  /** Find the passages for a question, without an answer and without the history. */
  passages(text: string, options: PassagesOptions & CallOptions = {}): Promise<Passage[]> {
    return this.runner.run(findPassages, { text }, options);
  }

  /** Ask a question. */
  ask(text: string, options: AskOptions & CallOptions = {}): Promise<Answer> {
    return this.runner.run(search, { text, audio: false }, options);
  }

  /** Questions that the user's files answer. */
  recommendations(options: CallOptions = {}): Promise<string[]> {
    return this.runner.run(recommendedQuestions, {}, options);
  }

  /** Completions of a question: earlier questions, keywords, files and their phrases. */
  suggestions(options: CallOptions = {}): Promise<string[]> {
    return this.runner.run(suggestions, {}, options);
  }
}

/** The plain calls of `engram.devices`. */
export class DevicesCalls extends Resource {
  /** Remove a device. Its tokens are revoked, and its files stay. */
  end(id: Ref, options: CallOptions = {}): Promise<void> {
    return this.runner.run(endDevice, { id }, options);
  }

  /** Devices that sync folders, newest first. */
  list(options: CallOptions = {}): Promise<Device[]> {
    return this.runner.run(listDevices, {}, options);
  }
}

/** The plain calls of `engram.files`. */
export class FilesCalls extends Resource {
  /** Delete all files. */
  deleteAll(options: CallOptions = {}): Promise<void> {
    return this.runner.run(deleteAllArtifacts, {}, options);
  }

  /** Delete a file and everything derived from it. */
  delete(artifactId: Ref, options: CallOptions = {}): Promise<void> {
    return this.runner.run(deleteArtifact, { artifactId }, options);
  }

  /** One file. */
  get(artifactId: Ref, options: CallOptions = {}): Promise<File> {
    return this.runner.run(getArtifact, { artifactId }, options);
  }

  /** Delete several files. Missing ones are ignored. */
  deleteMany(ids: Iterable<Ref>, options: CallOptions = {}): Promise<string[]> {
    return this.runner.run(deleteArtifacts, { ids }, options);
  }

  /** Tag, untag, archive, restore, retry or delete several files. */
  tagMany(
    ids: Iterable<Ref>,
    keywords: Iterable<string>,
    options: CallOptions = {},
  ): Promise<FileChanges> {
    return this.runner.run(changeArtifacts, { ids, keywords, verb: 'tag' }, options);
  }

  /** Tag, untag, archive, restore, retry or delete several files. */
  untagMany(
    ids: Iterable<Ref>,
    keywords: Iterable<string>,
    options: CallOptions = {},
  ): Promise<FileChanges> {
    return this.runner.run(changeArtifacts, { ids, keywords, verb: 'untag' }, options);
  }

  /** Tag, untag, archive, restore, retry or delete several files. */
  archiveMany(ids: Iterable<Ref>, options: CallOptions = {}): Promise<FileChanges> {
    return this.runner.run(changeArtifacts, { ids, verb: 'archive' }, options);
  }

  /** Tag, untag, archive, restore, retry or delete several files. */
  unarchiveMany(ids: Iterable<Ref>, options: CallOptions = {}): Promise<FileChanges> {
    return this.runner.run(changeArtifacts, { ids, verb: 'unarchive' }, options);
  }

  /** Tag, untag, archive, restore, retry or delete several files. */
  retryMany(ids: Iterable<Ref>, options: CallOptions = {}): Promise<FileChanges> {
    return this.runner.run(changeArtifacts, { ids, verb: 'retry' }, options);
  }

  /** The file's extracted text. */
  text(artifactId: Ref, options: CallOptions = {}): Promise<string> {
    return this.runner.run(getArtifactText, { artifactId }, options);
  }

  /** The files, newest first. */
  list(q?: string, options: FilesListOptions & CallOptions = {}): Pages<File> {
    return this.runner.pages(listArtifacts, { q, pageSize: 100 }, options);
  }

  /** Rename a file. Its extension stays. */
  rename(artifactId: Ref, name: string, options: CallOptions = {}): Promise<File> {
    return this.runner.run(renameArtifact, { artifactId, name }, options);
  }

  /** Retry a failed file. */
  retry(artifactId: Ref, options: CallOptions = {}): Promise<File> {
    return this.runner.run(retryArtifact, { artifactId }, options);
  }

  /** Save a web page, a YouTube video with its captions, or a file of the web, by its address. */
  saveWebPage(
    url: string,
    options: FilesSaveWebPageOptions & CallOptions = {},
  ): Promise<UploadedFile> {
    return this.runner.run(saveWebPage, { url }, options);
  }

  /** Whether all files are searchable. */
  allReady(options: CallOptions = {}): Promise<boolean> {
    return this.runner.run(searchReady, {}, options);
  }

  /** Archive (true) or restore (false) a file. */
  archive(artifactId: Ref, options: CallOptions = {}): Promise<File> {
    return this.runner.run(setArtifactArchived, { artifactId, archived: 'true' }, options);
  }

  /** Archive (true) or restore (false) a file. */
  unarchive(artifactId: Ref, options: CallOptions = {}): Promise<File> {
    return this.runner.run(setArtifactArchived, { artifactId, archived: 'false' }, options);
  }

  /** Replace a file's keywords. */
  setKeywords(
    artifactId: Ref,
    keywords: Iterable<string>,
    options: CallOptions = {},
  ): Promise<File> {
    return this.runner.run(setArtifactKeywords, { artifactId, keywords }, options);
  }

  /** Read a file with its password, and all others of the user that it opens. */
  unlock(
    artifactId: Ref,
    password: string,
    options: FilesUnlockOptions & CallOptions = {},
  ): Promise<OpenedFiles> {
    return this.runner.run(unlockArtifact, { artifactId, password }, options);
  }

  /** Edit a note. The old version is searched until the new one is ready. */
  editNote(artifactId: Ref, text: string, options: CallOptions = {}): Promise<UploadedFile> {
    return this.runner.run(editNote, { artifactId, text }, options);
  }

  /** The source locations of the extracted text. */
  segments(artifactId: Ref, options: FilesSegmentsOptions & CallOptions = {}): Promise<Segment[]> {
    return this.runner.run(getArtifactSegments, { artifactId }, options);
  }

  /** A file rendered as HTML: headings, lists, tables, links and pictures. */
  view(artifactId: Ref, options: FilesViewOptions & CallOptions = {}): Promise<FileView> {
    return this.runner.run(getArtifactView, { artifactId }, options);
  }

  /** The positions of recognized words on scanned pages and pictures. */
  words(artifactId: Ref, options: FilesWordsOptions & CallOptions = {}): Promise<Word[]> {
    return this.runner.run(getArtifactWords, { artifactId }, options);
  }

  /** A link to the bytes that works without a token for up to 15 minutes. */
  link(artifactId: Ref, options: CallOptions = {}): Promise<FileLink> {
    return this.runner.run(signArtifact, { artifactId }, options);
  }

  /** Set the path of a file in its folder, and the file that it replaces. */
  place(artifactId: Ref, options: FilesPlaceOptions & CallOptions): Promise<void> {
    return this.runner.run(placeArtifact, { artifactId }, options);
  }
}

/** The plain calls of `engram.keywords`. */
export class KeywordsCalls extends Resource {
  /** Add a keyword. */
  add(keyword: string, options: CallOptions = {}): Promise<Keyword> {
    return this.runner.run(addKeywordByBody, { keyword }, options);
  }

  /** All keywords, the defaults first. */
  list(options: KeywordsListOptions & CallOptions = {}): Promise<Keyword[]> {
    return this.runner.run(listKeywords, {}, options);
  }

  /** Archive a keyword (false) or make it active again (true). */
  archive(id: Ref, options: CallOptions = {}): Promise<Keyword> {
    return this.runner.run(setKeywordActive, { id, isActive: 'false' }, options);
  }

  /** Archive a keyword (false) or make it active again (true). */
  unarchive(id: Ref, options: CallOptions = {}): Promise<Keyword> {
    return this.runner.run(setKeywordActive, { id, isActive: 'true' }, options);
  }
}

/** The plain calls of `engram.history`. */
export class HistoryCalls extends Resource {
  /** Delete all questions and answers, and the links to them. */
  deleteAll(options: CallOptions = {}): Promise<void> {
    return this.runner.run(deleteHistory, {}, options);
  }

  /** One question with its answer. */
  get(id: Ref, options: CallOptions = {}): Promise<HistoryEntry> {
    return this.runner.run(getHistoryEntry, { id }, options);
  }

  /** The questions of a conversation, oldest first, up to the newest 200. */
  thread(id: Ref, options: CallOptions = {}): Promise<HistoryEntry[]> {
    return this.runner.run(historyThread, { id }, options);
  }

  /** All questions, newest first. */
  list(q?: string, options: HistoryListOptions & CallOptions = {}): Pages<HistoryEntry> {
    return this.runner.pages(listHistory, { q, pageSize: 100 }, options);
  }

  /** Conversations, newest first, one row each. */
  threads(q?: string, options: HistoryThreadsOptions & CallOptions = {}): Pages<HistoryThread> {
    return this.runner.pages(listThreads, { q, pageSize: 100 }, options);
  }

  /** Today's questions, newest first. */
  today(timeZone?: string, options: CallOptions = {}): Promise<HistoryEntry[]> {
    return this.runner.run(todaysHistory, { timeZone }, options);
  }

  /** Save or archive a question. */
  update(historyId: Ref, options: HistoryUpdateOptions & CallOptions = {}): Promise<HistoryEntry> {
    return this.runner.run(updateHistory, { historyId }, options);
  }
}
