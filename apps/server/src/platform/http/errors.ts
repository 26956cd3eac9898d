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
  new HttpError(400, 'invalid_cursor', 'This position in the list is no longer valid.');

/** The error for a user who already has the maximum number of something. */
export const limitReached = (code: string, limit: number, noun: string): HttpError =>
  new HttpError(
    409,
    code,
    `You already have ${limit} ${noun}, which is the maximum. Please remove one that you no longer use.`,
  );

export const tooManyRequests = (message: string, retryAfterSeconds: number): HttpError =>
  new HttpError(429, 'too_many_requests', message, {
    'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))),
  });

/**
 * Codes of Node, the AWS SDK and PostgreSQL for an unreachable service; see
 * https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|TimeoutError|08\d{3}|53300|57P0[123])$/u;

/** node-postgres reports this only by its message. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/u;

/** Whether a call failed because a service was unreachable. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: unknown };
  const isUnreachable =
    CODES.test(String(code)) || CODES.test(error.name) || MESSAGES.test(error.message);
  return isUnreachable || isOutage(error.cause);
}
