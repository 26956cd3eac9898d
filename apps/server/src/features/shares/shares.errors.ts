import { HttpError } from '../../platform/http/errors.ts';

/** The same for a link that is forged, unknown, revoked or somebody else's: it tells nothing. */
export const notShared = (): HttpError =>
  new HttpError(404, 'not_shared', 'This answer is not shared any more.');

export const entryNotFound = (): HttpError =>
  new HttpError(404, 'history_not_found', 'There is no such question in your history.');
