import { HttpError } from '../../platform/http/errors.ts';

export const keyExists = (): HttpError =>
  new HttpError(409, 'api_key_exists', 'API key with name already exists');

export const tooManyKeys = (limit: number): HttpError =>
  new HttpError(
    409,
    'too_many_api_keys',
    `You have ${limit} API keys, and more are not possible. Revoke one that you no longer use.`,
  );

/** The same for a key of somebody else, which is not there. */
export const keyNotFound = (): HttpError =>
  new HttpError(404, 'api_key_not_found', 'There is no such API key.');

/** Says the same for a key that never was, that was revoked, and whose account is gone. */
export const invalidKey = (): HttpError =>
  new HttpError(401, 'invalid_api_key', 'This API key is not valid, or it was revoked.');

export const keyExpired = (at: Date): HttpError =>
  new HttpError(
    401,
    'api_key_expired',
    `This API key expired on ${at.toISOString().slice(0, 10)}. Make another one.`,
  );

export const endsBeforeItBegins = (): HttpError =>
  new HttpError(400, 'invalid_request', 'The end of an API key must lie in the future.');
