import { HttpError } from '../../platform/http/errors.ts';

const REFUSALS = {
  export_not_found: [404, 'This export does not exist.'],
  link_expired: [410, 'This link has expired. Please start the export again.'],
  import_under_way: [409, 'Another import is running. Please wait until it is complete.'],
  not_multipart: [415, 'An import must be sent as multipart/form-data.'],
  one_export: [400, 'Please send exactly one export.'],
  broken_upload: [400, 'The upload of the export was incomplete. Please send it again.'],
  no_room: [
    507,
    'The server has no space for this export. Data imported so far stays, and the same export can be sent again.',
  ],
  unpacks_to_too_much: [
    413,
    'The export would unpack to far more than its size. Nothing was imported.',
  ],
  too_many_members: [413, 'The export has more entries than one import may have.'],
  import_cancelled: [
    400,
    'The import was cancelled. Data imported so far stays, and the same export can be sent again.',
  ],
  server_stops: [
    503,
    'The server is restarting. Data imported so far stays. Please send the same export again.',
  ],
} as const;

export function refusal(code: keyof typeof REFUSALS): HttpError {
  const [status, message] = REFUSALS[code];
  return new HttpError(status, code, message);
}

/** @param reason a clause; without it the file has another format */
export const notAnExport = (reason?: string): HttpError =>
  new HttpError(
    415,
    'not_an_export',
    `The file is not an Engram export${reason ? `: ${reason}` : ''}.`,
  );

export const damagedExport = (member: string): HttpError =>
  new HttpError(
    400,
    'damaged_export',
    `The export is damaged: ${member} cannot be read. Nothing was imported. Please export again.`,
  );
