/** What an error is told with beside its sentence. */
export interface ErrorDetails {
  /** A word that stays the same, for programs. */
  code?: string;
  /** Milliseconds to wait before another try. */
  retryAfterMs?: number | null;
  /** The request as logs on the way name it. */
  requestId?: string | null;
  cause?: unknown;
}

/** Whatever goes wrong here; `message` is a sentence for a person. */
export class EngramError extends Error {
  // Names are written out: a build that shortens the names of classes must not change them.
  override readonly name: string = 'EngramError';
  /** A word that stays the same, for programs; empty where there is none. */
  readonly code: string;
  /** Milliseconds to wait before another try, where the server said so. */
  readonly retryAfterMs: number | null;
  /** The request as logs on the way name it (`X-Request-Id`), where they do. */
  readonly requestId: string | null;

  constructor(
    message: string,
    { code = '', retryAfterMs = null, requestId = null, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.requestId = requestId;
  }
}

/** An argument is wrong. Nothing was sent. */
export class ArgumentError extends EngramError {
  override readonly name: string = 'ArgumentError';
}

/** No whole answer came back. */
export class TransportError extends EngramError {
  override readonly name: string = 'TransportError';
  /** False where the server cannot have seen anything of the request. */
  readonly reached: boolean;

  constructor(
    message: string,
    { reached = true, ...details }: ErrorDetails & { reached?: boolean } = {},
  ) {
    super(message, details);
    this.reached = reached;
  }
}

/** The server cannot be reached, or the connection broke. */
export class ConnectionFailedError extends TransportError {
  override readonly name: string = 'ConnectionFailedError';
}

/** The server took longer than the timeout allows. */
export class TimedOutError extends TransportError {
  override readonly name: string = 'TimedOutError';
}

/** A streamed answer or a download ended before its end. */
export class StreamBrokenError extends TransportError {
  override readonly name: string = 'StreamBrokenError';
}

/** What came back is not what the API describes; is this an Engram server? */
export class MalformedResponseError extends EngramError {
  override readonly name: string = 'MalformedResponseError';
}

/** The server began an answer and could not end it; `code` and `message` say why. */
export class AnswerFailedError extends EngramError {
  override readonly name: string = 'AnswerFailedError';
}

/** The server refused a request: a status other than 2xx. Each status has a class of its own. */
export class APIError extends EngramError {
  override readonly name: string = 'APIError';
  /** The HTTP status. */
  readonly status: number;

  /** `code` is 'http' where the answer was not the server's own; `retryAfterMs` are milliseconds. */
  constructor(
    status: number,
    body: { message?: string; code?: string } | null,
    retryAfterMs: number | null = null,
    requestId: string | null = null,
  ) {
    super(body?.message || `HTTP error! status: ${status}`, {
      code: body?.code || 'http',
      retryAfterMs,
      requestId,
    });
    this.status = status;
  }
}

/** 400: the server cannot make sense of the request. */
export class BadRequestError extends APIError {
  override readonly name: string = 'BadRequestError';
}

/** 401: the key or token is missing, wrong, expired or revoked. */
export class AuthenticationError extends APIError {
  override readonly name: string = 'AuthenticationError';
}

/** 402: the plan has expired, or what it allows is used up. */
export class PaymentRequiredError extends APIError {
  override readonly name: string = 'PaymentRequiredError';
}

/** 403: the key or token does not open this call. */
export class PermissionDeniedError extends APIError {
  override readonly name: string = 'PermissionDeniedError';
}

/** 404: there is no such thing, or it is somebody else's. */
export class NotFoundError extends APIError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the call does not go with what is there already. */
export class ConflictError extends APIError {
  override readonly name: string = 'ConflictError';
}

/** 410: it was there, and is no more. */
export class GoneError extends APIError {
  override readonly name: string = 'GoneError';
}

/** 413: a file or a field is too large, or there are too many. */
export class TooLargeError extends APIError {
  override readonly name: string = 'TooLargeError';
}

/** 415: Engram does not read this type. */
export class UnsupportedTypeError extends APIError {
  override readonly name: string = 'UnsupportedTypeError';
}

/** 416: the range lies outside of the file. */
export class RangeNotSatisfiableError extends APIError {
  override readonly name: string = 'RangeNotSatisfiableError';
}

/** 429: too many calls; `retryAfterMs` says how long to wait. */
export class RateLimitError extends APIError {
  override readonly name: string = 'RateLimitError';
}

/** 5xx: something went wrong on the server. */
export class ServerError extends APIError {
  override readonly name: string = 'ServerError';
}

/** 503: the server is busy, or something it needs is down. */
export class ServiceUnavailableError extends ServerError {
  override readonly name: string = 'ServiceUnavailableError';
}

/** 507: the disk of the server is nearly full. */
export class InsufficientStorageError extends ServerError {
  override readonly name: string = 'InsufficientStorageError';
}

const BY_STATUS: ReadonlyMap<number, typeof APIError> = new Map([
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, PaymentRequiredError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, GoneError],
  [413, TooLargeError],
  [415, UnsupportedTypeError],
  [416, RangeNotSatisfiableError],
  [429, RateLimitError],
  [503, ServiceUnavailableError],
  [507, InsufficientStorageError],
]);

/** Retry-After in milliseconds: it comes as seconds, or as a date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) && wait > 0 ? wait : null;
}

/** The error that a response of another status than 2xx tells of; reads its body. */
export async function errorOf(response: Response): Promise<APIError> {
  const body = (await response.json().catch(() => null)) as {
    message?: string;
    code?: string;
  } | null;
  const { status, headers } = response;
  const Kind = BY_STATUS.get(status) ?? (status >= 500 ? ServerError : APIError);
  const wait = parseRetryAfter(headers.get('retry-after'));
  return new Kind(status, body, wait, headers.get('x-request-id'));
}
