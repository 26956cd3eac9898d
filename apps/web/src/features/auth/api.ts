import { ApiError } from '@engram/client';
import { generateCode, USE_NEWEST_MAIL } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import { messageOf } from '../../components/notify.ts';

/** Sends a code to the address. `useNewest`: none was sent, as the newest mail is still valid. */
export async function sendCode(email: string): Promise<{ useNewest: boolean }> {
  const { message } = await api.call(generateCode, { body: { email } });
  return { useNewest: message === USE_NEWEST_MAIL };
}

export const SIGN_IN_FAILED = 'An error occurred during login. Please try again.';

export const signInFailure = (error: unknown): string =>
  error instanceof ApiError && error.code !== 'http'
    ? `${SIGN_IN_FAILED} ${messageOf(error)}`
    : SIGN_IN_FAILED;
