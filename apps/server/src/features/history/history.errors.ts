import { HttpError } from '../../platform/http/errors.ts';

/** @param limit entries that an account may have */
export const historyFull = (limit: number): HttpError =>
  new HttpError(
    409,
    'history_full',
    `Your history holds ${limit.toLocaleString('en-US')} questions, the most that an account may have. Delete some to make room.`,
  );
