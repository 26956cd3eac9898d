/**
 * Codes by which Node, the AWS SDK and PostgreSQL say that what was asked is away or lets nobody in;
 * the last ones are in https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|TimeoutError|08\d{3}|53300|57P0[123])$/u;

/** node-postgres says so in words alone. */
const WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/u;

/** Whether a call failed because another service that it needs was away: the database, the files. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: unknown };
  const isAway = CODES.test(String(code)) || CODES.test(error.name) || WORDS.test(error.message);
  return isAway || isOutage(error.cause);
}
