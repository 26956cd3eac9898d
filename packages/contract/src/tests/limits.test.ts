import { expect, test } from 'vitest';
import * as limits from '../limits.ts';

test('the limits are those of the specification', () => {
  expect(limits).toMatchObject({
    QUESTION_LIMIT: 300,
    TEXT_WORD_LIMIT: 500,
    KEYWORD_LIMIT: 25,
    SUGGESTION_LIMIT: 2000,
    SUGGESTION_BYTES: 100_000,
    CACHE_TTL_MS: 86_400_000,
    READY_POLL_MS: 15_000,
    RESEND_SECONDS: 59,
    PHOTO_LIMIT: 2_097_152,
  });
});
