import { ApiError } from '@engram/client';
import { messageOf } from '../../components/notify.ts';

const FAILED = 'An error occurred during login. Please try again.';

/** That signing in failed, and the server's own sentence where it has one. */
export const failureText = (error: unknown): string =>
  error instanceof ApiError && error.code !== 'http' ? `${FAILED} ${messageOf(error)}` : FAILED;

/** That signing in failed, and why. */
export const failedBecause = (reason: string): string => `${FAILED} ${reason}`;
