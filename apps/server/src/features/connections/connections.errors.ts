import { HttpError } from '../../platform/http/errors.ts';

/** Says the same for a token that never was, that expired, and whose connection was ended. */
export const invalidAccessToken = (): HttpError =>
  new HttpError(
    401,
    'invalid_access_token',
    'This access token is not valid, has expired, or its connection was ended.',
  );

/** The token is for another part of this server, or for another address of it. */
export const foreignAccessToken = (): HttpError =>
  new HttpError(
    401,
    'foreign_access_token',
    'This access token is for another address. Ask for one with the resource that you call.',
  );

/** The same for a connection of somebody else, which is not there. */
export const connectionNotFound = (): HttpError =>
  new HttpError(404, 'connection_not_found', 'There is no such connection.');

export const requestNotFound = (): HttpError =>
  new HttpError(
    404,
    'request_not_found',
    'This request is over, or it was begun in another browser. Please begin again in the program.',
  );

export const userCodeNotFound = (): HttpError =>
  new HttpError(
    404,
    'user_code_not_found',
    'There is no such code, or it was used, or its ten minutes are over. Please look at your device again.',
  );

export const nothingGranted = (): HttpError =>
  new HttpError(400, 'nothing_granted', 'The program asked for none of the chosen permissions.');
