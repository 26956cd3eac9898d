import { z } from 'zod';
import {
  EMAIL_ERRORS,
  EMAIL_LIMIT,
  EMAIL_PATTERN,
  KEYWORD_ERRORS,
  KEYWORD_LIMIT,
  KEYWORD_PATTERN,
} from './limits.ts';

export const id = z.uuid({ error: 'This is not a valid id.' }).describe('The id.');
export const fileId = id.describe('The id of the file.');

/** A count of something. */
export const count = z.number().int().nonnegative();

export const fileName = z.string().describe('The name of the file.');

/** Where a file is in the folder that it came from, such as Papers/tax/2025/notice.pdf. */
export const folderPath = z
  .string()
  .nullable()
  .describe('The path in the folder that the file came from, with the name of that folder.');

export const email = z
  .string({ error: EMAIL_ERRORS.missing })
  .trim()
  .min(1, { error: EMAIL_ERRORS.missing })
  .max(EMAIL_LIMIT, { error: EMAIL_ERRORS.malformed })
  .regex(EMAIL_PATTERN, { error: EMAIL_ERRORS.malformed })
  .describe('The e-mail address of the account.');

export const keyword = z
  .string()
  .trim()
  .min(1, { error: KEYWORD_ERRORS.missing })
  .max(KEYWORD_LIMIT, { error: KEYWORD_ERRORS.tooLong })
  .regex(KEYWORD_PATTERN, { error: KEYWORD_ERRORS.malformed })
  .describe('The keyword, up to 25 letters or digits.');

export const webAddress = z
  .string({ error: 'Please enter a web address.' })
  .trim()
  .min(1, { error: 'Please enter a web address.' })
  .max(2000, { error: 'A web address can have at most 2000 characters.' })
  .describe('The address, which begins with https:// or http://.');

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

/** A time in ISO 8601, in UTC. */
export const timestamp = z.iso.datetime();

/** Numbers count from 1, times are in milliseconds. */
export const location = z
  .union([
    z
      .object({ path: z.string().describe('The path of the file within an archive or an e-mail.') })
      .loose(),
    z.object({ page: z.int().positive().describe('The page.') }),
    z.object({ slide: z.int().positive().describe('The slide.') }),
    z.object({
      sheet: z.string().describe('The sheet of a workbook.'),
      row: z.int().positive().describe('The row of that sheet.'),
    }),
    z.object({
      startMs: z.int().nonnegative().describe('The start in a recording, in milliseconds.'),
      endMs: z.int().nonnegative().describe('The end in a recording, in milliseconds.'),
    }),
    z.object({
      line: z.int().positive().describe('The line of the text, or of the extracted text.'),
    }),
  ])
  .meta({ id: 'Location', description: 'Where in its file a quote is. All numbers count from 1.' });
export type Location = z.output<typeof location>;

/** The user's position, with their consent. */
export const position = z
  .object({
    latitude: z.number().min(-90).max(90).describe('Degrees north.'),
    longitude: z.number().min(-180).max(180).describe('Degrees east.'),
  })
  .nullable();

/** Query parameters of a list. Without `limit` all rows are returned. */
export const listQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Rows of a page; by default all.'),
  cursor: z.string().max(500).optional().describe('The nextCursor of the previous page.'),
  q: z.string().max(300).optional().describe('The text to search for.'),
});

/** A boolean in a path or a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** PostgreSQL has no year 0, and a time zone may lead to a year with five digits. */
const hasYear = (moment: string): boolean => {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1 && year <= 9999;
};

/** A day in UTC, or a time. */
export const moment = z
  .union([z.iso.datetime({ offset: true }).max(40), z.iso.date()], {
    error: 'Give a day such as 2026-03-31, or a time in ISO 8601.',
  })
  .refine(hasYear, { error: 'Give a day in the years 0001 to 9999.' });

/** Counts of rows, pages and text are stored in 32 bits. */
export const LARGEST_INTEGER = 2_147_483_647;
