import { messageOf } from '../database/query-error.ts';

/** Thrown by a handler if another attempt cannot succeed. The job fails immediately. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

export interface StoredFailure {
  message: string;
  permanent: boolean;
  /** Whether a dependency was unavailable (`outage` of the error). The attempt does not count. */
  outage: boolean;
  details: Record<string, string | number | boolean>;
}

const MAX_TEXT = 2000;

/** PostgreSQL cannot store NULs, which a message that quotes a file may contain. */
function clean(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed();
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
