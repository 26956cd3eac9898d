import { ApiError } from '@engram/client';
import { expect, test } from 'vitest';
import { failureReason } from '../components/api-key-form.tsx';

test.each<[unknown, string]>([
  [new ApiError(409, { message: 'You have 50 API keys.', code: 'x' }), 'You have 50 API keys.'],
  [new ApiError(502, null), 'An unexpected error occurred.'],
  ['nobody knows', 'An unexpected error occurred.'],
])('%j is shown as %j', (error, reason) => {
  expect(failureReason(error)).toBe(reason);
});
