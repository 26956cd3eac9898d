import { HttpError } from '../../platform/http/errors.ts';

export const foreignOrigin = (): HttpError =>
  new HttpError(403, 'foreign_origin', 'Pages of other sites may not call this address.');

export const onlyPost = (): HttpError =>
  new HttpError(405, 'method_not_allowed', 'This address takes POST alone: it keeps no sessions.', {
    allow: 'POST',
  });

export const noBatches = (): HttpError =>
  new HttpError(400, 'no_batches', 'Send one message in each request: batches are not taken.');

export const keyOnlyReads = (): HttpError =>
  new HttpError(
    403,
    'api_key_only_reads',
    'This API key only reads, so no text can be added with it. The person has to connect Engram with a key that may do both.',
  );

export const connectionOnlyReads = (): HttpError =>
  new HttpError(
    403,
    'access_token_only_reads',
    'This connection only reads, so no text can be added over it. The person has to connect Engram again, with files:write.',
  );

export const noSuchFile = (): HttpError =>
  new HttpError(
    404,
    'artifact_not_found',
    'There is no such file: it may have been deleted or archived. Take an id from search or list_files.',
  );

export const noSuchId = (): HttpError =>
  new HttpError(
    400,
    'invalid_id',
    'This is no id of Engram. Take one from the results of search or list_files as it stands there.',
  );

export const unfinishedFile = (): HttpError =>
  new HttpError(
    409,
    'still_reading',
    'Engram is still reading this file. Try again in a few seconds.',
  );

export const unreadableFile = (): HttpError =>
  new HttpError(409, 'unreadable_file', 'Engram could not read this file, so it has no text.');
