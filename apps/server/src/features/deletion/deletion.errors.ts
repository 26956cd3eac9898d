import { HttpError } from '../../platform/http/errors.ts';

/** The address in a request to delete an account is not the caller's. */
export const notOwnAccount = (): HttpError =>
  new HttpError(
    403,
    'not_own_account',
    'This is not the address of your account. You can only delete your own.',
  );
