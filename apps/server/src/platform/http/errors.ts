/** A refusal that a caller should see: its status, a stable code and a sentence for a person. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Said of where a list is to go on, where that is no place in it. */
export const invalidCursor = (): HttpError =>
  new HttpError(400, 'invalid_cursor', 'This place in the list is not valid any more.');

export const tooManyRequests = (message: string, retryAfterSeconds: number): HttpError =>
  new HttpError(429, 'too_many_requests', message, {
    'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))),
  });
