import type { Session } from '@engram/contract';
import { socialSignIn } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { deviceLabel } from '../../../browser/device.ts';
import type { Attempt } from '../google-attempt.ts';

/** Exchanges what Google sent the browser back with for a session. */
export async function finishGoogleSignIn(
  code: string,
  { codeVerifier, redirectUri, nonce, place }: Attempt,
): Promise<Session> {
  const proof = { code, codeVerifier, redirectUri, nonce };
  const body = { ...proof, location: place, device: deviceLabel() };
  return (await api.call(socialSignIn, { body })).data;
}
