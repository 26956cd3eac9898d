import { ApiError } from '@engram/client';
import { expect, it } from 'vitest';
import { messageOf } from './notify.ts';

const refusal = (status: number, message: string | null, wait: number | null = null): ApiError =>
  new ApiError(status, message === null ? null : { message, code: 'refused' }, wait);

it.each([
  [refusal(503, 'The database is busy.'), 'The database is busy.'],
  [refusal(502, null), 'HTTP error! status: 502'],
  [refusal(502, ''), 'HTTP error! status: 502'],
  [refusal(429, 'Too many calls.', 1), 'Too many calls. Try again in 1 second.'],
  [refusal(429, 'Too many calls.', 600), 'Too many calls. Try again in 10 minutes.'],
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
])('%o is told as %j', (error, sentence) => expect(messageOf(error)).toBe(sentence));
