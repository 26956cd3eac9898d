/** The exports of the published package `engram-kb`. */
export type { AnswerStream, Event } from './answer-stream.ts';
export type * from './api.ts';
export { type Devices, Engram, type History, type ReportInput } from './engram.ts';
export * from '../errors.ts';
export {
  FileFailedError,
  type Files,
  type UploadReport,
  UploadRejectedError,
  WaitTimeoutError,
} from './files.ts';
export type * from './options.ts';
export type { Page, Pages } from './pages.ts';
export { type EngramOptions, type TokenSource, VERSION } from './settings.ts';
export type { Content, Digest, NamedSource, Source } from './source.ts';
