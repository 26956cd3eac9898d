import { CODE_USED_UP } from '@engram/contract';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';

const span = (seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

export const notSignedIn = (): HttpError => new HttpError(401, 'not_signed_in', 'Please sign in.');

export const noSession = (): HttpError =>
  new HttpError(401, 'no_session', 'There is no session to restore. Please sign in.');

export const sessionEnded = (): HttpError =>
  new HttpError(401, 'session_ended', 'Your session has ended. Please sign in again.');

/** 401 where somebody signs in; 403 where a session goes on that a code was to confirm. */
type CodeStatus = 401 | 403;

/** Says the same for a wrong, used, expired and never generated code. */
export const wrongCode = (status: CodeStatus): HttpError =>
  new HttpError(status, 'wrong_code', 'OTP verification failed. Please try again.');

/** Said after the last try, whether or not a code was ever sent. */
export const codeUsedUp = (status: CodeStatus): HttpError =>
  new HttpError(
    status,
    CODE_USED_UP,
    'A wrong code was entered too often. Please ask for a new one.',
  );

/** Says the same for a wrong, used and expired link. */
export const invalidLink = (): HttpError =>
  new HttpError(
    401,
    'invalid_link',
    'This sign-in link is not valid: it was used before, or is older than ten minutes. Please ask for a new mail.',
  );

export const sessionNotFound = (): HttpError =>
  new HttpError(404, 'session_not_found', 'There is no such session.');

export const invalidEmail = (): HttpError =>
  new HttpError(400, 'invalid_email', 'Please enter a valid email address.');

export const crossOrigin = (): HttpError =>
  new HttpError(403, 'cross_origin', 'This call is not open to other sites.');

export const mailUnavailable = (): HttpError =>
  new HttpError(
    503,
    'mail_unavailable',
    'The mail with your code could not be sent. Please try again in a few minutes.',
  );

export const tooManyCodes = (seconds: number): HttpError =>
  tooManyRequests(`Too many codes were asked for. Please try again in ${span(seconds)}.`, seconds);

export const tooManyWrongCodes = (seconds: number): HttpError =>
  tooManyRequests(
    `Too many wrong codes were entered. Please try again in ${span(seconds)}.`,
    seconds,
  );

/** Said of an address, whether or not it has an account. */
export const addressGuarded = (seconds: number): HttpError =>
  tooManyRequests(
    `Too many wrong codes were entered for this address. Use the link in the newest mail we sent, or try again in ${span(seconds)}.`,
    seconds,
  );

export const tooManyFailures = (seconds: number): HttpError =>
  tooManyRequests(`Too many sign-ins failed. Please try again in ${span(seconds)}.`, seconds);

export const googleOff = (): HttpError =>
  new HttpError(
    503,
    'google_off',
    'Signing in with Google is not set up on this server. Please sign in with a code sent to your e-mail.',
  );

export const googleUnavailable = (): HttpError =>
  new HttpError(
    503,
    'google_unavailable',
    'Google cannot be asked at the moment. Please try again in a few minutes, or sign in with a code sent to your e-mail.',
  );

export const noSingleProof = (): HttpError =>
  new HttpError(400, 'invalid_request', 'Send exactly one of idToken, accessToken and code.');

export const halfAProof = (): HttpError =>
  new HttpError(
    400,
    'invalid_request',
    'Send the codeVerifier and the redirectUri of the code with it.',
  );

/** Says the same for whatever is wrong with what was shown. */
export const googleRefused = (): HttpError =>
  new HttpError(401, 'google_refused', 'Google did not confirm this sign-in.');

export const emailUnverified = (): HttpError =>
  new HttpError(
    401,
    'email_unverified',
    'Google has not verified the e-mail address of this account. Please sign in with a code sent to your e-mail.',
  );

/** Said to whoever has proven whose address it is: there is nothing left to hide from them. */
export const signUpClosed = (): HttpError =>
  new HttpError(
    403,
    'sign_up_closed',
    'This server takes no new accounts. Ask whoever runs it to let you in.',
  );

export const foreignRedirect = (): HttpError =>
  new HttpError(400, 'foreign_redirect', 'The redirect address must be on this server.');
