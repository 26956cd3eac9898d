import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';

const minutes = (seconds: number): string => {
  const count = Math.max(1, Math.ceil(seconds / 60));
  return count === 1 ? 'a minute' : `${count} minutes`;
};

export const notSignedIn = (): HttpError => new HttpError(401, 'not_signed_in', 'Please sign in.');

export const noSession = (): HttpError =>
  new HttpError(401, 'no_session', 'There is no session to restore. Please sign in.');

export const sessionEnded = (): HttpError =>
  new HttpError(401, 'session_ended', 'Your session has ended. Please sign in again.');

/** Says the same for a wrong, used, expired and never generated code. */
export const wrongCode = (): HttpError =>
  new HttpError(401, 'wrong_code', 'OTP verification failed. Please try again.');

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
  tooManyRequests(
    `Too many codes were asked for. Please try again in ${minutes(seconds)}.`,
    seconds,
  );

export const tooManyWrongCodes = (seconds: number): HttpError =>
  tooManyRequests(
    `Too many wrong codes were entered. Please try again in ${minutes(seconds)}.`,
    seconds,
  );
