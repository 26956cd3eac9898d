import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import type { FastifyBaseLogger } from 'fastify';

/** The default and the maximum delay before a retry. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 5000;

type UnavailableReason = 'down' | 'timeout' | 'rate_limited' | 'refused' | 'malformed';

/** A model request failed. The message is for the user, the cause for the log. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly reason: UnavailableReason;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;

  constructor(
    reason: UnavailableReason,
    message: string,
    options: ErrorOptions & { retryable?: boolean } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.retryable = options.retryable ?? false;
  }
}

export function toModelUnavailable(error: unknown): ModelUnavailable {
  if (error instanceof ModelUnavailable) return error;
  const unavailable = (reason: UnavailableReason, message: string, retryable = false) =>
    new ModelUnavailable(reason, message, { cause: error, retryable });
  const broken = 'The connection to the model was lost.';
  const unreadable = 'The model sent an invalid response.';
  if (!APICallError.isInstance(error) && !StreamProviderError.isInstance(error)) {
    const isUnreadable =
      InvalidResponseDataError.isInstance(error) ||
      JSONParseError.isInstance(error) ||
      TypeValidationError.isInstance(error);
    return isUnreadable ? unavailable('malformed', unreadable) : unavailable('down', broken);
  }
  const { statusCode: status, isRetryable } = error;
  switch (status) {
    case undefined:
      return unavailable('down', 'The model cannot be reached.');
    case 429:
      return unavailable('rate_limited', 'The model has too many requests right now.', true);
    case 401:
    case 403:
      return unavailable('refused', 'The model’s provider did not accept the key.');
    case 404:
      return unavailable('down', 'The model’s provider does not know this model.');
  }
  if (status >= 500) return unavailable('down', 'The model’s provider is failing right now.', true);
  if (status >= 400) return unavailable('refused', 'The model’s provider refused the request.');
  // The connection was lost during the response, or the response is not JSON.
  return isRetryable ? unavailable('down', broken) : unavailable('malformed', unreadable);
}

export function retryAfterMs(error: ModelUnavailable, nowMs: number): number | null {
  const { cause } = error;
  if (!APICallError.isInstance(cause)) return null;
  const header = cause.responseHeaders?.['retry-after']?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/u.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** The delay before a retry, in milliseconds; null if there should be none. */
export function retryWait(error: ModelUnavailable, nowMs: number): number | null {
  const wait = retryAfterMs(error, nowMs) ?? RETRY_MS;
  return error.retryable && wait <= MAX_RETRY_MS ? wait : null;
}

/** Logs only the status, because a provider's message may contain text of files. */
export function logFailure(
  { reason, message, cause }: ModelUnavailable,
  log: Pick<FastifyBaseLogger, 'warn'>,
): void {
  const status = cause instanceof Error && 'statusCode' in cause ? cause.statusCode : undefined;
  log.warn({ reason, status }, message);
}
