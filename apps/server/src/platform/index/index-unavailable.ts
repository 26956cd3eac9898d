import { HttpError } from '../http/errors.ts';

type IndexOutage = 'down' | 'slow' | 'full' | 'refused';

const SENTENCES: Record<IndexOutage, string> = {
  down: 'The search index cannot be reached right now. Please try again in a moment.',
  slow: 'The search index took too long to respond. Please try again in a moment.',
  full: 'The search index is overloaded right now. Please try again in a moment.',
  refused: 'The search index refuses access. Please contact the server’s operator.',
};

const RETRY_AFTER_SECONDS = 10;

/** The search index failed. A question is refused with this message, and a job waits. */
export class IndexUnavailable extends HttpError {
  readonly reason: IndexOutage;
  /** For jobs, see `StoredFailure`. */
  readonly outage = true;

  /** @param cause for the log: without addresses, passwords or text of files */
  constructor(reason: IndexOutage, cause: Error) {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
    super(503, 'search_unavailable', SENTENCES[reason], headers);
    this.reason = reason;
    this.cause = cause;
  }
}
