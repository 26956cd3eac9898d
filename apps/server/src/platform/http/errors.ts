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

/**
 * Codes of Node, the AWS SDK and PostgreSQL for a service that is away or refuses connections; see
 * https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|TimeoutError|08\d{3}|53300|57P0[123])$/u;

/** node-postgres reports this only by its message. */
const WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/u;

/** Whether a call failed because a service that it needs was away. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: unknown };
  const isAway = CODES.test(String(code)) || CODES.test(error.name) || WORDS.test(error.message);
  return isAway || isOutage(error.cause);
}
