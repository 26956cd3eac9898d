import { ApiError } from '@engram/client';
import { expect, it } from 'vitest';
import { adviceFor, messageOf } from '../notify.ts';

const refusal = (status: number, message: string | null, wait: number | null = null): ApiError =>
  new ApiError(status, message === null ? null : { message, code: 'refused' }, wait);

it.each([
  [refusal(503, 'The database is busy.'), 'The database is busy.'],
  [refusal(502, null), 'HTTP error! status: 502'],
  [refusal(502, ''), 'HTTP error! status: 502'],
  [refusal(429, 'Too many calls.', 1000), 'Too many calls. Try again in 1 second.'],
  [refusal(429, 'Too many calls.', 600_000), 'Too many calls. Try again in 10 minutes.'],
  [
    new TypeError('Failed to fetch'),
    'The server could not be reached. Check your connection and try again.',
  ],
  [
    new DOMException('Timed out', 'TimeoutError'),
    'The server could not be reached. Check your connection and try again.',
  ],
  [new Error('Authentication token is missing.'), 'Authentication token is missing.'],
  [new Error(''), 'An unknown error occurred'],
  ['a string', 'An unknown error occurred'],
  [undefined, 'An unknown error occurred'],
])('the error %o is shown as %j', (error, sentence) => expect(messageOf(error)).toBe(sentence));

it.each([
  [refusal(503, 'The database is busy.'), 'Try again in a moment.'],
  [refusal(503, 'The database is busy. Try again later.'), ''],
  [refusal(404, 'There is no such file.'), 'It may have been deleted. Reload the page.'],
  [refusal(400, 'A keyword can only contain letters and digits.'), ''],
  [refusal(429, 'Too many calls.', 1000), ''],
  [new TypeError('Failed to fetch'), ''],
  [new Error('Select the text and copy it yourself.'), ''],
  [undefined, 'Reload the page and try again.'],
])('the advice about %o is %j', (error, advice) => expect(adviceFor(error)).toBe(advice));
