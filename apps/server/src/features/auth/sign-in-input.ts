import * as errors from './auth.errors.ts';
import type { SignInTrace } from './users.repository.ts';

/**
 * An address in lower case, as it is compared and stored.
 * @throws HttpError 400 for characters that a mail's envelope or a lower-cased address may not have.
 */
export function normalizeEmail(email: string): string {
  // A mail's envelope takes no control characters; the replacement character stands for what was no text.
  // The last two become ASCII letters in lower case, and the address somebody else's.
  if (/[\p{Cc}\p{Cs}\ufffd\u0130\u212a]/u.test(email)) throw errors.invalidEmail();
  return email.toLowerCase();
}

/** The device and location that a client states, as one line of text each. */
export function withoutControls<T extends SignInTrace>(given: T): T {
  const clean = (text: string | null) => text?.replaceAll(/\p{Cc}/gu, '') ?? null;
  return { ...given, device: clean(given.device), location: clean(given.location) };
}
