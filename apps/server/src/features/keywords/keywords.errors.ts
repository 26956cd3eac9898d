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

/** @param limit keywords that an account may have */
export const tooManyKeywords = (limit: number): HttpError =>
  new HttpError(
    409,
    'too_many_keywords',
    `You have ${limit.toLocaleString('en-US')} keywords, archived ones included, the most that an account may have. Please use one of them.`,
  );

export const keywordNotFound = (): HttpError =>
  new HttpError(404, 'keyword_not_found', 'There is no such keyword.');
