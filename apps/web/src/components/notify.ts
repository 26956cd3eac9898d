import { ApiError } from '@engram/client';
import { notifications } from '@mantine/notifications';
import { createElement, type ReactNode } from 'react';
import { AuthenticationCancelled } from '../session/recent-authentication.ts';

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return error.retryAfterMs
      ? `${error.message} Try again in ${waitOf(error.retryAfterMs / 1000)}.`
      : error.message;
  }
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  if (error instanceof TypeError || isTimeout) {
    return 'The server could not be reached. Check your connection and try again.';
  }
  return error instanceof Error && error.message ? error.message : 'An unknown error occurred';
}

/** Advice for an error whose message has none. Empty otherwise. */
export function adviceFor(error: unknown): string {
  if (/\b(?:again|later)\b/iu.test(messageOf(error))) return '';
  if (error instanceof ApiError) {
    if (error.status === 404) return 'It may have been deleted. Reload the page.';
    return error.status >= 500 ? 'Try again in a moment.' : '';
  }
  return error instanceof Error && error.message ? '' : 'Reload the page and try again.';
}

function waitOf(seconds: number): string {
  if (seconds < 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const contentOf = (error: unknown, advice = adviceFor(error)): ReactNode[] => [
  `${messageOf(error)} `,
  createElement('span', { key: 'advice' }, advice),
];

/** Shows a failure (a short title) with its reason and advice. */
export function notifyError(title: string, error: unknown, advice?: string): void {
  // The user cancelled the authentication and knows that nothing was done.
  if (error instanceof AuthenticationCancelled) return;
  notifications.show({ title, message: contentOf(error, advice), color: 'red', autoClose: 8000 });
}

/** {@link notifyError} for automatic retries, which shows the same message once. */
export function notifyErrorOnce(title: string, error: unknown): void {
  const id = `${title} ${messageOf(error)}`;
  notifications.show({ id, title, message: contentOf(error), color: 'red', autoClose: 8000 });
}

export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'green' });
}

interface CopyMessages {
  done?: string;
  failed: string;
}

/** Copies a text to the clipboard, and shows and returns the result. */
export async function copyText(text: string, { done, failed }: CopyMessages): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (done) notifySuccess(done);
    return true;
  } catch {
    notifyError(
      failed,
      new Error('Your browser does not let this page copy. Select the text and copy it yourself.'),
    );
    return false;
  }
}
