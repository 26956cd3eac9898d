import { HttpError } from '../../platform/http/errors.ts';

/** The account was deleted between the check of the token and this call. */
export const accountGone = (): HttpError =>
  new HttpError(404, 'account_not_found', 'This account does not exist any more.');

/** The address in a profile is not the account's. */
export const otherEmail = (): HttpError =>
  new HttpError(
    403,
    'not_own_account',
    'This is not the address of your account. The address of an account cannot be changed.',
  );

export const noPhoto = (): HttpError =>
  new HttpError(400, 'photo_missing', 'Please select an image to upload.');

export const photoTooLarge = (): HttpError =>
  new HttpError(413, 'photo_too_large', 'File size exceeds 2MB. Please select a smaller image.');

export const notAPhoto = (): HttpError =>
  new HttpError(415, 'photo_type', 'Invalid file format. Please select a JPG or PNG image.');
