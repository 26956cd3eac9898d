import { ApiError } from '@engram/client';
import { messageOf } from '../../components/notify.ts';

/** Why a call failed, in the words of whoever knows; a failure that nobody explains says so. */
export function failureReason(error: unknown): string {
  const isExplained = error instanceof ApiError ? error.code !== 'http' : error instanceof Error;
  return isExplained ? messageOf(error) : 'An unexpected error occurred.';
}
