import { z } from 'zod';

/** Characters a question may have. */
export const QUESTION_LIMIT = 300;
/** Words a typed note may have. */
export const TEXT_WORD_LIMIT = 500;
/** Characters a keyword may have. */
export const KEYWORD_LIMIT = 25;
/** Time after which the client's cached lists are stale, in milliseconds. */
export const CACHE_TTL_MS = 86_400_000;
/** Time between checks whether files have become searchable, in milliseconds. */
export const READY_POLL_MS = 15_000;
/** Seconds before a code can be sent again. */
export const RESEND_SECONDS = 59;

/** The words of a text as the word limit counts them. */
export const countWords = (text: string): number =>
  text.trim().split(/\s+/u).filter(Boolean).length;

export const id = z.uuid({ error: 'This is not a valid id.' });

export const email = z
  .string({ error: 'Email is required.' })
  .trim()
  .min(1, { error: 'Email is required.' })
  .max(254, { error: 'Please enter a valid email address.' })
  // Line breaks, other controls and angle brackets never pass: they would redirect the mail's envelope.
  .regex(/^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\]+\.[^\s\p{Cc}@<>,;:"()[\]\\.]+$/u, {
    error: 'Please enter a valid email address.',
  });

export const keyword = z
  .string()
  .trim()
  .min(1, { error: 'A keyword needs at least one letter or digit.' })
  .max(KEYWORD_LIMIT, { error: `A keyword can have at most ${KEYWORD_LIMIT} characters.` })
  .regex(/^[\p{L}\p{M}\p{N}]+$/u, { error: 'A keyword can only contain letters and digits.' });

/** When something happened, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

/** Where in its file a quote stands; all numbers count from 1, times are in milliseconds. */
export const location = z.union([
  z.object({ path: z.string() }).loose(),
  z.object({ page: z.int().positive() }),
  z.object({ slide: z.int().positive() }),
  z.object({ sheet: z.string(), row: z.int().positive() }),
  z.object({ startMs: z.int().nonnegative(), endMs: z.int().nonnegative() }),
  z.object({ line: z.int().positive() }),
]);
export type Location = z.output<typeof location>;

/** The caller's position, if the person agreed to give it. */
export const position = z
  .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
  .nullable();

/** Query parameters of a list; without any of them all rows come. */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  cursor: z.string().max(500).optional(),
  q: z.string().max(300).optional(),
});

/** A true or false in a path or a query, and nothing else. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
