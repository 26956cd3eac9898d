import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import type { FastifyBaseLogger } from 'fastify';

/** Before the one other try, when the provider names no time; and the longest time it may name. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 5000;

/**
 * Why a model gave no answer: it cannot be reached or failed; it took too long; it has had too many
 * requests; it or its provider would not answer; what it sent made no sense.
 */
export type UnavailableReason = 'down' | 'timeout' | 'rate_limited' | 'refused' | 'malformed';

/** The model gave no answer; `message` is a sentence for a person, `cause` is for the log. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly reason: UnavailableReason;
  /** Whether the same request may succeed a moment later. */
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

/** The one place that decides what a failure means and whether it is worth another try. */
export function toModelUnavailable(error: unknown): ModelUnavailable {
  if (error instanceof ModelUnavailable) return error;
  if (APICallError.isInstance(error) || StreamProviderError.isInstance(error)) {
    return fromStatus(error.statusCode, error.isRetryable, error);
  }
  if (
    InvalidResponseDataError.isInstance(error) ||
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error)
  ) {
    return new ModelUnavailable('malformed', 'The model sent an answer that cannot be read.', {
      cause: error,
    });
  }
  return new ModelUnavailable('down', 'The connection to the model broke off.', { cause: error });
}

function fromStatus(
  status: number | undefined,
  connectionLost: boolean,
  cause: unknown,
): ModelUnavailable {
  switch (status) {
    case undefined:
      return new ModelUnavailable('down', 'The model cannot be reached.', { cause });
    case 429:
      return new ModelUnavailable('rate_limited', 'The model has too many requests right now.', {
        cause,
        retryable: true,
      });
    case 401:
    case 403:
      return new ModelUnavailable('refused', 'The model’s provider did not accept the key.', {
        cause,
      });
    case 404:
      return new ModelUnavailable('down', 'The model’s provider does not know this model.', {
        cause,
      });
  }
  if (status >= 500) {
    return new ModelUnavailable('down', 'The model’s provider is failing right now.', {
      cause,
      retryable: true,
    });
  }
  if (status >= 400) {
    return new ModelUnavailable('refused', 'The model’s provider refused the request.', { cause });
  }
  // An answer that began well: its connection broke, or what came is a proxy's page or no JSON.
  return connectionLost
    ? new ModelUnavailable('down', 'The connection to the model broke off.', { cause })
    : new ModelUnavailable('malformed', 'The model sent an answer that cannot be read.', { cause });
}

/** How long to wait before another try, in milliseconds; null where the provider named no time. */
export function retryAfterMs(error: ModelUnavailable, now: number): number | null {
  const { cause } = error;
  if (!APICallError.isInstance(cause)) return null;
  const header = cause.responseHeaders?.['retry-after']?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/u.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** How long to wait before the one other try, in milliseconds; null where it is not worth one. */
export function retryWait(error: ModelUnavailable, now: number): number | null {
  const wait = retryAfterMs(error, now) ?? RETRY_MS;
  return error.retryable && wait <= LONGEST_RETRY_MS ? wait : null;
}

/** A provider's own message may repeat what is in somebody's files: only its status is logged. */
export function logFailure(
  { reason, message, cause }: ModelUnavailable,
  log: Pick<FastifyBaseLogger, 'warn'>,
): void {
  const status = cause instanceof Error && 'statusCode' in cause ? cause.statusCode : undefined;
  log.warn({ reason, status }, message);
}
