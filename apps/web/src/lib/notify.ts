import { notifications } from '@mantine/notifications';
import { ApiError } from '@engram/client';

/** A sentence about a failure that a person can act on. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return error.retryAfter
      ? `${error.message} Try again in ${waitOf(error.retryAfter)}.`
      : error.message;
  }
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  if (error instanceof TypeError || isTimeout) {
    return 'The server could not be reached. Check your connection and try again.';
  }
  return error instanceof Error && error.message ? error.message : 'An unknown error occurred';
}

function waitOf(seconds: number): string {
  if (seconds < 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

/** Tells what failed (a short title) and why or what to do (the error's own sentence). */
export function notifyError(title: string, error: unknown): void {
  notifications.show({ title, message: messageOf(error), color: 'red', autoClose: 8000 });
}

/** The same of something that is tried again by itself: the same words do not stand there twice. */
export function notifyErrorOnce(title: string, error: unknown): void {
  const message = messageOf(error);
  const id = `${title} ${message}`;
  notifications.show({ id, title, message, color: 'red', autoClose: 8000 });
}

export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'green' });
}
