import { z } from 'zod';
import {
  EMAIL_ERRORS,
  EMAIL_LIMIT,
  EMAIL_PATTERN,
  KEYWORD_ERRORS,
  KEYWORD_LIMIT,
  KEYWORD_PATTERN,
} from './limits.ts';

export const id = z.uuid({ error: 'This is not a valid id.' });

export const email = z
  .string({ error: EMAIL_ERRORS.missing })
  .trim()
  .min(1, { error: EMAIL_ERRORS.missing })
  .max(EMAIL_LIMIT, { error: EMAIL_ERRORS.malformed })
  .regex(EMAIL_PATTERN, { error: EMAIL_ERRORS.malformed });

export const keyword = z
  .string()
  .trim()
  .min(1, { error: KEYWORD_ERRORS.missing })
  .max(KEYWORD_LIMIT, { error: KEYWORD_ERRORS.tooLong })
  .regex(KEYWORD_PATTERN, { error: KEYWORD_ERRORS.malformed });

/** A time zone by its IANA name, such as Europe/Berlin. */
export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, { error: 'This is not the name of a time zone.' });

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

/** When something happened, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

/** Where in its file a quote stands; all numbers count from 1, times are in milliseconds. */
export const location = z
  .union([
    z.object({ path: z.string() }).loose(),
    z.object({ page: z.int().positive() }),
    z.object({ slide: z.int().positive() }),
    z.object({ sheet: z.string(), row: z.int().positive() }),
    z.object({ startMs: z.int().nonnegative(), endMs: z.int().nonnegative() }),
    z.object({ line: z.int().positive() }),
  ])
  .meta({ id: 'Location', description: 'Where in its file a quote is. All numbers count from 1.' });
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

/** PostgreSQL knows no year 0, and a time of day may lead out of the years with four digits. */
const hasYear = (moment: string): boolean => {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1 && year <= 9999;
};

/** A day in UTC, or a moment. */
export const moment = z
  .union([z.iso.datetime({ offset: true }).max(40), z.iso.date()], {
    error: 'Give a day such as 2026-03-31, or a time in ISO 8601.',
  })
  .refine(hasYear, { error: 'Give a day in the years 0001 to 9999.' });

/** What counts rows, pages and text is stored in 32 bits. */
export const LARGEST_INTEGER = 2_147_483_647;
