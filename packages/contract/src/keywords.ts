import { z } from 'zod';
import { defineRoute } from './route.ts';
import { count, flag, id, keyword, timestamp } from './values.ts';

const keywordRecord = z
  .object({
    id,
    keyword: z.string().describe('The keyword.'),
    isActive: z.boolean().describe('Whether the keyword is offered. Archived keywords are not.'),
    isDefault: z.boolean().describe('Whether every account has it from the start.'),
    createdDate: timestamp.describe('When it was created.'),
    files: count.nullable().describe('The number of files with it; null if not counted.'),
  })
  .meta({
    id: 'Keyword',
    description: 'A keyword that groups files.',
    'x-sdk-names': { isActive: 'active', isDefault: 'default', createdDate: 'createdAt' },
  });
export type Keyword = z.output<typeof keywordRecord>;

export const listKeywords = defineRoute('GET /keywords', {
  summary: 'All keywords, the defaults first',
  sdk: { 'keywords.list': {} },
  sdkNames: { files: 'countFiles' },
  apiKey: true,
  query: z.object({
    files: flag.optional().describe('Whether to count the files of each keyword.'),
  }),
  data: z.array(keywordRecord),
  message: 'Keywords fetched successfully',
  example: {},
});

const additionRoute = {
  apiKey: true,
  data: keywordRecord,
  message: 'Keyword added successfully',
  errors: { 409: 'The keyword exists already, or the account has 2,000 of them.' },
} as const;

export const addKeyword = defineRoute('POST /keywords/{keyword}', {
  ...additionRoute,
  summary: 'Add a keyword by its name in the path',
  params: z.object({ keyword }),
  example: { params: { keyword: 'Garden' } },
});

export const addKeywordByBody = defineRoute('POST /keywords/add', {
  ...additionRoute,
  summary: 'Add a keyword',
  sdk: { 'keywords.add': { args: ['keyword'] } },
  notRepeatable: true,
  body: z.object({ keyword }),
});

const activationRoute = {
  apiKey: true,
  params: z.object({
    id,
    isActive: flag.describe('false archives the keyword, true restores it.'),
  }),
  data: keywordRecord,
  message: 'Keyword updated successfully',
  errors: { 404: 'No such keyword.', 409: 'Default keywords cannot be archived.' },
} as const;

export const setKeywordActive = defineRoute('PUT /keywords/{id}/{isActive}', {
  ...activationRoute,
  summary: 'Archive a keyword (false) or make it active again (true)',
  sdk: {
    'keywords.archive': { fixed: { isActive: 'false' } },
    'keywords.unarchive': { fixed: { isActive: 'true' } },
  },
  example: { params: { id: '$KEYWORD_ID', isActive: 'false' } },
});

export const setKeywordActiveByPost = defineRoute('POST /keywords/{id}/{isActive}', {
  ...activationRoute,
  summary: 'The same by POST',
});
