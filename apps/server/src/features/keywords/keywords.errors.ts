import { HttpError } from '../../platform/http/errors.ts';

export const keywordExists = (keyword: string): HttpError =>
  new HttpError(409, 'keyword_exists', `You already have the keyword '${keyword}'.`);

export const keywordArchived = (keyword: string): HttpError =>
  new HttpError(
    409,
    'keyword_archived',
    `You already have the keyword '${keyword}' among your archived keywords.`,
  );

export const defaultKeyword = (): HttpError =>
  new HttpError(409, 'default_keyword', 'Default keywords cannot be archived.');

export const keywordNotFound = (): HttpError =>
  new HttpError(404, 'keyword_not_found', 'There is no such keyword.');
