import { ZIP_BYTE_LIMIT, ZIP_FILE_LIMIT } from '@engram/contract';
import { HttpError } from '../../platform/http/errors.ts';

export const artifactNotFound = (): HttpError =>
  new HttpError(404, 'artifact_not_found', 'There is no such file.');

export const linkExpired = (): HttpError =>
  new HttpError(410, 'link_expired', 'This link has expired. Please open the file again.');

export const notFailed = (): HttpError =>
  new HttpError(409, 'not_failed', 'Only a file that could not be read can be tried again.');

export const twoPlaces = (): HttpError =>
  new HttpError(
    400,
    'two_places',
    'A page begins at an offset or goes on after a cursor: give one of them.',
  );

export const nothingUploaded = (): HttpError =>
  new HttpError(
    400,
    'nothing_uploaded',
    'Please upload at least one file or provide artifact text.',
  );

export const tooManyWords = (limit: number): HttpError =>
  new HttpError(400, 'too_many_words', `Maximum word limit reached of ${limit} words`);

export const brokenUpload = (): HttpError =>
  new HttpError(400, 'broken_upload', 'The upload arrived incomplete. Please try again.');

export const notMultipart = (): HttpError =>
  new HttpError(415, 'not_multipart', 'An upload must be sent as multipart/form-data.');

export const tooManyFiles = (limit: number): HttpError =>
  new HttpError(413, 'too_many_files', `An upload can have at most ${limit} files.`);

export const tooManyFields = (limit: number): HttpError =>
  new HttpError(
    413,
    'too_many_fields',
    `An upload can have at most ${limit} fields that are not files.`,
  );

export const fieldTooLarge = (name: string): HttpError =>
  new HttpError(413, 'field_too_large', `The field '${name}' is too large.`);

export const repeatedField = (name: string): HttpError =>
  new HttpError(400, 'repeated_field', `The field '${name}' was sent more than once.`);

export const fieldNotAllowed = (): HttpError =>
  new HttpError(400, 'field_not_allowed', 'The upload has a field whose name is not allowed.');

export const invalidJsonField = (): HttpError =>
  new HttpError(400, 'invalid_json_field', 'A field of the upload is not valid JSON.');

export const fileTooLarge = (fileName: string, limitMb: number): HttpError =>
  new HttpError(413, 'file_too_large', `File too large: ${fileName} exceeds ${limitMb}MB.`);

export const typeNotSupported = (fileName: string): HttpError =>
  new HttpError(415, 'type_not_supported', `File type not supported: ${fileName}`);

export const fileEmpty = (fileName: string): HttpError =>
  new HttpError(400, 'file_empty', `This file is empty: ${fileName}`);

export const deletedByPerson = (fileName: string): HttpError =>
  new HttpError(
    409,
    'deleted_by_person',
    `This file was deleted in Engram, and is not taken from a folder again: ${fileName}`,
  );

export const tooMuchMeta = (): HttpError =>
  new HttpError(400, 'too_much_meta', 'The field meta has more entries than there are files.');

export const tooManyKeywords = (): HttpError =>
  new HttpError(400, 'too_many_keywords', 'A file can have at most 50 keywords.');

export const zipNotFound = (): HttpError =>
  new HttpError(404, 'zip_not_found', 'There is no such download.');

export const zipTooLarge = (): HttpError =>
  new HttpError(
    413,
    'zip_too_large',
    `A download can have at most ${ZIP_FILE_LIMIT.toLocaleString('en-US')} files of ${ZIP_BYTE_LIMIT / 1e9} GB together.`,
  );

export const tooManyZips = (): HttpError =>
  new HttpError(
    429,
    'too_many_zips',
    'Several downloads are being made already. Please wait for one of them to end.',
  );

export const notANote = (): HttpError =>
  new HttpError(409, 'not_a_note', 'Only a note can be edited: this is a file.');

export const noteChanged = (): HttpError =>
  new HttpError(
    409,
    'note_changed',
    'This note was changed elsewhere meanwhile. Copy your text, and open the note again.',
  );

export const emptyNote = (): HttpError =>
  new HttpError(400, 'empty_note', 'A note has at least one word. Delete it if it is to go.');
