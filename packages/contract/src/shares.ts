import { z } from 'zod';
import { NEAREST_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { id, listQuery, location, timestamp } from './values.ts';

/** The end of a share link, which cannot be guessed. */
const shareId = z.string().max(500);

export const share = z.object({
  id: shareId,
  historyId: id,
  question: z.string(),
  /** The link, with the server's origin. */
  url: z.string(),
  createdDate: timestamp,
});
export type Share = z.output<typeof share>;

const source = z.object({ n: z.number().int().positive(), fileName: z.string(), location });

export const sharedAnswer = z.object({
  question: z.string(),
  /** When it was asked. */
  date: timestamp,
  /** Markdown; `[n]` refers to the source with that number. */
  answer: z.string(),
  /** False if the files contained no answer. */
  grounded: z.boolean(),
  /** The sources of the answer. The files themselves are not shared. */
  sources: z.array(source),
  /** Without an answer, the closest passages. */
  nearest: z.array(source).max(NEAREST_LIMIT),
});
export type SharedAnswer = z.output<typeof sharedAnswer>;

export const createShare = defineRoute('POST /shares', {
  summary: 'Create a public link to an answer. An answer has only one link.',
  body: z.object({ historyId: id }),
  data: share,
  errors: { 404: 'No such question.' },
});

export const listShares = defineRoute('GET /shares', {
  summary: 'The shared answers, newest link first',
  query: listQuery.omit({ q: true }),
  data: z.array(share),
  list: true,
});

const notShared = { 404: 'The answer is not shared.' } as const;

export const getSharedAnswer = defineRoute('GET /shares/{id}', {
  summary: 'Get a shared answer as it is now, by its public link',
  auth: 'public',
  params: z.object({ id: shareId }),
  data: sharedAnswer,
  errors: notShared,
});

export const deleteShare = defineRoute('DELETE /shares/{id}', {
  summary: 'Revoke a link',
  params: z.object({ id: shareId }),
  data: z.null(),
  message: 'Sharing stopped.',
  errors: notShared,
});
