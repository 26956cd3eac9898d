import { HttpError } from '../../platform/http/errors.ts';

/** The account was deleted between the check of the token and this call. */
export const accountGone = (): HttpError =>
  new HttpError(404, 'account_not_found', 'This account does not exist any more.');

/** The address in a deletion is somebody else's. */
export const notOwnAccount = (): HttpError =>
  new HttpError(
    403,
    'not_own_account',
    'This is not the address of your account. You can only delete your own.',
  );
