/** A refusal for the client: a status, a stable code and a sentence. */
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

export const invalidCursor = (): HttpError =>
  new HttpError(400, 'invalid_cursor', 'This place in the list is not valid any more.');

export const tooManyRequests = (message: string, retryAfterSeconds: number): HttpError =>
  new HttpError(429, 'too_many_requests', message, {
    'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))),
  });
