import { HttpError } from '../../platform/http/errors.ts';

/** The account was deleted between the check of the token and this call. */
export const accountGone = (): HttpError =>
  new HttpError(404, 'account_not_found', 'This account does not exist any more.');
