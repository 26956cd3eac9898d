/** What the published package `engram-kb` is made of. */
export type { AnswerStream, Event } from './answer-stream.ts';
export type * from './api.ts';
export type { Devices, GivenReport } from './devices.ts';
export { Engram, type History } from './engram.ts';
export {
  AnswerFailedError,
  APIError,
  ArgumentError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionFailedError,
  EngramError,
  GoneError,
  InsufficientStorageError,
  MalformedResponseError,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  RangeNotSatisfiableError,
  RateLimitError,
  ServerError,
  ServiceUnavailableError,
  StreamBrokenError,
  TimedOutError,
  TooLargeError,
  TransportError,
  UnsupportedTypeError,
} from '../errors.ts';
export { FileFailedError, UploadRejectedError, WaitTimeoutError } from './file-errors.ts';
export type { Files, UploadReport } from './files.ts';
export type * from './options.ts';
export type { Page, Pages } from './pages.ts';
export type { EngramOptions, TokenSource } from './settings.ts';
export type { NamedSource, Source } from './source.ts';
export { VERSION } from './version.ts';
