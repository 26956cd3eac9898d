interface ErrorDetails {
  code?: string;
  retryAfterMs?: number | null;
  requestId?: string | null;
  cause?: unknown;
}

/** The base class of all errors of this package. `message` is written for users. */
export class EngramError extends Error {
  // Literal, because minifiers shorten the names of classes.
  override readonly name: string = 'EngramError';
  /** A stable code for programs, or an empty string. */
  readonly code: string;
  /** Milliseconds to wait before a retry, if the server sent it. */
  readonly retryAfterMs: number | null;
  /** The request's `X-Request-Id`, which is in the server's log. */
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

/** No complete response arrived. */
export class TransportError extends EngramError {
  override readonly name: string = 'TransportError';
  /** False if the server cannot have received the request. */
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

/** A streamed answer or a download was cut off. */
export class StreamBrokenError extends TransportError {
  override readonly name: string = 'StreamBrokenError';
}

/** The response does not match the API. Is this an Engram server? */
export class MalformedResponseError extends EngramError {
  override readonly name: string = 'MalformedResponseError';
}

/** The server could not complete an answer. `code` and `message` say why. */
export class AnswerFailedError extends EngramError {
  override readonly name: string = 'AnswerFailedError';
}

/** The server refused a request with a status other than 2xx. Each status has its own class. */
export class APIError extends EngramError {
  override readonly name: string = 'APIError';
  /** The HTTP status. */
  readonly status: number;

  /** `code` is 'http' if the response did not come from Engram. */
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

/** 400: the request is invalid. */
export class BadRequestError extends APIError {
  override readonly name: string = 'BadRequestError';
}

/** 401: the key or token is missing, wrong, expired or revoked. */
export class AuthenticationError extends APIError {
  override readonly name: string = 'AuthenticationError';
}

/** 402: the plan has expired, or its quota is used up. */
export class PaymentRequiredError extends APIError {
  override readonly name: string = 'PaymentRequiredError';
}

/** 403: the key or token does not permit this call. */
export class PermissionDeniedError extends APIError {
  override readonly name: string = 'PermissionDeniedError';
}

/** 404: it does not exist, or belongs to another user. */
export class NotFoundError extends APIError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the call conflicts with the current state. */
export class ConflictError extends APIError {
  override readonly name: string = 'ConflictError';
}

/** 410: it no longer exists. */
export class GoneError extends APIError {
  override readonly name: string = 'GoneError';
}

/** 413: a file or a field is too large, or there are too many. */
export class TooLargeError extends APIError {
  override readonly name: string = 'TooLargeError';
}

/** 415: the file type is not supported. */
export class UnsupportedTypeError extends APIError {
  override readonly name: string = 'UnsupportedTypeError';
}

/** 416: the range lies outside of the file. */
export class RangeNotSatisfiableError extends APIError {
  override readonly name: string = 'RangeNotSatisfiableError';
}

/** 429: too many calls. `retryAfterMs` says how long to wait. */
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
