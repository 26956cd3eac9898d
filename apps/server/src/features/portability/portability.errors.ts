import { HttpError } from '../../platform/http/errors.ts';

export const exportNotFound = (): HttpError =>
  new HttpError(404, 'export_not_found', 'There is no such export.');

export const exportLinkExpired = (): HttpError =>
  new HttpError(410, 'link_expired', 'This link has expired. Please start the export again.');

export const tooManyExports = (): HttpError =>
  new HttpError(
    429,
    'too_many_exports',
    'Several exports of yours are being made already. Please wait until one is done.',
    { 'retry-after': '60' },
  );

export const importUnderWay = (): HttpError =>
  new HttpError(
    409,
    'import_under_way',
    'Another import of yours is being taken in. Please wait until it is done.',
  );

export const notMultipart = (): HttpError =>
  new HttpError(415, 'not_multipart', 'An import must be sent as multipart/form-data.');

export const oneExport = (): HttpError =>
  new HttpError(400, 'one_export', 'Please send exactly one export.');

export const brokenImport = (): HttpError =>
  new HttpError(400, 'broken_upload', 'The export arrived incomplete. Please send it again.');

export const importTooLarge = (limitMb: number): HttpError =>
  new HttpError(413, 'import_too_large', `An export can have at most ${limitMb} MB.`);

export const noRoom = (): HttpError =>
  new HttpError(
    507,
    'no_room',
    'The server has no room for this export. Nothing is lost: what was taken in before stays, and the same export can be sent again.',
  );

export const unpacksToTooMuch = (): HttpError =>
  new HttpError(
    413,
    'unpacks_to_too_much',
    'The export would unpack to far more than it holds. Nothing of it was taken in.',
  );

export const tooManyMembers = (): HttpError =>
  new HttpError(413, 'too_many_members', 'The export holds more than can be taken in at once.');

/** @param reason a clause; without one the file has another format */
export const notAnExport = (reason?: string): HttpError =>
  new HttpError(
    415,
    'not_an_export',
    `The file is not an export of Engram${reason ? `: ${reason}` : ''}.`,
  );

export const foreignVersion = (version: number): HttpError =>
  new HttpError(
    415,
    'foreign_version',
    `The export was made by another version of Engram (its format is ${version}), which this one cannot read. Please update this Engram first.`,
  );

export const damagedExport = (member: string): HttpError =>
  new HttpError(
    400,
    'damaged_export',
    `The export is damaged: ${member} cannot be read. Nothing of it was taken in. Please make the export again.`,
  );

export const importCancelled = (): HttpError =>
  new HttpError(
    400,
    'import_cancelled',
    'The import was cancelled. What was imported before stays, and the same export can be sent again.',
  );

export const serverStops = (): HttpError =>
  new HttpError(
    503,
    'server_stops',
    'The server is being restarted. What was taken in stays; please send the same export again.',
  );
