import { HttpError } from '../../platform/http/errors.ts';

/** Average bytes of text for each entry that an account may have. */
export const TEXT_BYTES_PER_ENTRY = 5000;

export const historyTextFull = (limit: number): HttpError =>
  new HttpError(
    409,
    'history_full',
    `The text of your history takes ${Math.round((limit * TEXT_BYTES_PER_ENTRY) / 1e6)} MB, the most that an account may have. Delete some questions to make room.`,
  );

export const historyFull = (limit: number): HttpError =>
  new HttpError(
    409,
    'history_full',
    `Your history holds ${limit.toLocaleString('en-US')} questions, the most that an account may have. Delete some to make room.`,
  );
