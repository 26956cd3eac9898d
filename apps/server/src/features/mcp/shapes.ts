import { fileKinds, keyword, moment, QUESTION_LIMIT } from '@engram/contract';
import { z } from 'zod';

/** Characters of a text that an assistant may add. */
export const ADDED_LIMIT = 100_000;
const TITLE_LIMIT = 200;

const keywords = z
  .array(keyword)
  .max(50)
  .optional()
  .describe('Only files with one of these keywords.');

const question = (what: string) =>
  z
    .string()
    .trim()
    .min(1, { error: 'Say what to look for.' })
    .max(QUESTION_LIMIT, { error: `At most ${QUESTION_LIMIT} characters.` })
    .describe(what);

/** The arguments of each tool. Unknown ones are refused, so that a misspelt filter is not ignored. */
export const inputs = {
  search: z.strictObject({
    query: question('Words or a whole question, in any language.'),
    keywords,
  }),
  fetch: z.strictObject({
    id: z.string().max(100).describe('An id from search, ask or list_files, or a next_id.'),
  }),
  ask: z.strictObject({ question: question('One whole question.'), keywords }),
  list_files: z.strictObject({
    query: z.string().trim().max(300).optional().describe('A part of the name.'),
    keyword: keyword.optional().describe('Only files with this keyword.'),
    kind: z.enum(fileKinds).optional(),
    since: moment.optional().describe('Uploaded on this day (UTC) or later: 2026-03-31.'),
    cursor: z.string().max(500).optional().describe('The next_cursor of the page before.'),
  }),
  add_text: z.strictObject({
    title: z.string().trim().min(1, { error: 'Give it a title.' }).max(TITLE_LIMIT),
    text: z
      .string()
      .min(1, { error: 'There is nothing in the text.' })
      .max(ADDED_LIMIT, { error: `At most ${ADDED_LIMIT} characters.` }),
    keywords: z.array(keyword).max(50).optional().describe('Keywords that it gets.'),
  }),
};

const id = z.string();
const url = z.string();
/** Says of what follows that it is data. */
const notice = z.string();

/** Where the file stands in the folder that it came from; null where it came from none. */
const path = z.string().nullable();

const passage = z.object({
  id,
  title: z.string(),
  path,
  url,
  text: z.string(),
  place: z.string(),
  score: z.number(),
});

const citation = z.object({
  n: z.number(),
  id,
  title: z.string(),
  path,
  url,
  place: z.string(),
  quote: z.string(),
});

const file = z.object({
  id,
  title: z.string(),
  path,
  url,
  type: z.string(),
  bytes: z.number(),
  uploaded: z.string(),
  keywords: z.array(z.string()),
  status: z.string(),
});

/** What each tool answers. */
export const outputs = {
  search: z.object({ notice, results: z.array(passage) }),
  fetch: z.object({
    id,
    title: z.string(),
    text: z.string(),
    url,
    metadata: z.record(z.string(), z.string()),
  }),
  ask: z.object({
    notice,
    answer: z.string(),
    grounded: z.boolean(),
    mode: z.enum(['found', 'written']),
    citations: z.array(citation),
    nearest: z.array(citation),
    remark: z.string().nullable(),
  }),
  list_files: z.object({
    notice,
    files: z.array(file),
    next_cursor: z.string().nullable(),
  }),
  add_text: z.object({ id, title: z.string(), url, duplicate: z.boolean() }),
};

export type ToolName = keyof typeof inputs;
export type Input<Name extends ToolName> = z.output<(typeof inputs)[Name]>;
export type Output<Name extends ToolName> = z.input<(typeof outputs)[Name]>;
