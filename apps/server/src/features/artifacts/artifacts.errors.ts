import { HttpError } from '../../platform/http/errors.ts';

export const artifactNotFound = (): HttpError =>
  new HttpError(404, 'artifact_not_found', 'There is no such file.');

export const linkExpired = (): HttpError =>
  new HttpError(410, 'link_expired', 'This link has expired. Please open the file again.');

export const notFailed = (): HttpError =>
  new HttpError(409, 'not_failed', 'Only failed files can be retried.');

export const tooManyWords = (limit: number): HttpError =>
  new HttpError(400, 'too_many_words', `Maximum word limit reached of ${limit} words`);

export const fileTooLarge = (fileName: string, limitMb: number): HttpError =>
  new HttpError(413, 'file_too_large', `File too large: ${fileName} exceeds ${limitMb}MB.`);

export const typeNotSupported = (fileName: string): HttpError =>
  new HttpError(415, 'type_not_supported', `File type not supported: ${fileName}`);

export const fileEmpty = (fileName: string): HttpError =>
  new HttpError(400, 'file_empty', `This file is empty: ${fileName}`);

export const notANote = (): HttpError =>
  new HttpError(409, 'not_a_note', 'This is a file. Only notes can be edited.');
