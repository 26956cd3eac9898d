import { HttpError } from '../../platform/http/errors.ts';

const REFUSALS = {
  export_not_found: [404, 'There is no such export.'],
  link_expired: [410, 'This link has expired. Please start the export again.'],
  import_under_way: [
    409,
    'Another import of yours is being taken in. Please wait until it is done.',
  ],
  not_multipart: [415, 'An import must be sent as multipart/form-data.'],
  one_export: [400, 'Please send exactly one export.'],
  broken_upload: [400, 'The export arrived incomplete. Please send it again.'],
  no_room: [
    507,
    'The server has no room for this export. Nothing is lost: what was taken in before stays, and the same export can be sent again.',
  ],
  unpacks_to_too_much: [
    413,
    'The export would unpack to far more than it holds. Nothing was imported.',
  ],
  too_many_members: [413, 'The export holds more than can be taken in at once.'],
  import_cancelled: [
    400,
    'The import was cancelled. What was imported before stays, and the same export can be sent again.',
  ],
  server_stops: [
    503,
    'The server is being restarted. What was taken in stays; please send the same export again.',
  ],
} as const;

export function refusal(code: keyof typeof REFUSALS): HttpError {
  const [status, message] = REFUSALS[code];
  return new HttpError(status, code, message);
}

/** @param reason a clause; without one the file has another format */
export const notAnExport = (reason?: string): HttpError =>
  new HttpError(
    415,
    'not_an_export',
    `The file is not an export of Engram${reason ? `: ${reason}` : ''}.`,
  );

export const damagedExport = (member: string): HttpError =>
  new HttpError(
    400,
    'damaged_export',
    `The export is damaged: ${member} cannot be read. Nothing was imported. Please make the export again.`,
  );
