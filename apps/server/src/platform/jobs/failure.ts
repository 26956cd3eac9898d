import { messageOf } from '../database/query-error.ts';

/** Thrown by a handler when another attempt cannot succeed: the job fails at once. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

export interface StoredFailure {
  message: string;
  permanent: boolean;
  /** Whether a dependency was away (`outage` of the error). Such an attempt does not count. */
  outage: boolean;
  details: Record<string, string | number | boolean>;
}

const LONGEST_TEXT = 2000;

/** PostgreSQL stores no NUL characters, and a message may quote a file. */
function clean(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST_TEXT).toWellFormed();
}

export function describeFailure(thrown: unknown): StoredFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const details: StoredFailure['details'] = {};
  for (const [key, value] of Object.entries(error)) {
    if (key === 'name' || key === 'query') continue;
    if (typeof value === 'string') details[key] = clean(value);
    if (typeof value === 'number' || typeof value === 'boolean') details[key] = value;
  }
  return {
    message: clean(messageOf(error)),
    permanent: error instanceof PermanentError,
    outage: details.outage === true,
    details,
  };
}

export function restoreFailure({ message, permanent, details }: StoredFailure): Error {
  const error = permanent ? new PermanentError(message) : new Error(message);
  return Object.assign(error, details);
}
