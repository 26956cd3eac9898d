import { DrizzleQueryError } from 'drizzle-orm/errors';

/** The message of an error, without the values of a failed statement, which are user data. */
export function messageOf(error: Error): string {
  if (!(error instanceof DrizzleQueryError)) return error.message;
  const reason = error.cause?.message ?? 'The statement failed.';
  return `${reason} (in: ${error.query})`;
}

export function serializeError(error: Error) {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const { code } = (error instanceof DrizzleQueryError ? cause : error) as { code?: string };
  // A stack begins with the message.
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const causeText = cause && !(error instanceof DrizzleQueryError) ? `: ${messageOf(cause)}` : '';
  return {
    type: error.name,
    message: messageOf(error) + causeText,
    code,
    stack: frames.join('\n'),
  };
}
