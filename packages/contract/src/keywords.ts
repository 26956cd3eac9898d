import { z } from 'zod';
import { defineRoute } from './route.ts';
import { flag, id, keyword, timestamp } from './values.ts';

export const keywordRecord = z
  .object({
    id,
    keyword: z.string(),
    isActive: z.boolean(),
    isDefault: z.boolean(),
    createdDate: timestamp,
    /** How many files carry it, where the list was asked for that; else null. */
    files: z.number().int().nonnegative().nullable(),
  })
  .meta({
    id: 'Keyword',
    description: 'A keyword that groups files.',
    'x-sdk-names': {
      isActive: 'active',
      isDefault: 'default',
      createdDate: 'createdAt',
    },
  });
export type Keyword = z.output<typeof keywordRecord>;

export const listKeywords = defineRoute({
  id: 'keywords.listKeywords',
  method: 'GET',
  path: '/keywords',
  summary: 'All keywords, the defaults first',
  sdk: { 'keywords.list': {} },
  sdkNames: { files: 'countFiles' },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  /** `files=true` has the files of each keyword counted, which takes a moment with many files. */
  query: z.object({ files: flag.optional() }),
  data: z.array(keywordRecord),
  message: 'Keywords fetched successfully',
  example: {},
});

const added = {
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: keywordRecord,
  message: 'Keyword added successfully',
  errors: { 409: 'The keyword exists already, or the account has 2,000 of them.' },
} as const;

export const addKeyword = defineRoute({
  ...added,
  id: 'keywords.addKeyword',
  method: 'POST',
  path: '/keywords/{keyword}',
  summary: 'Add a keyword by its name in the path',
  params: z.object({ keyword }),
  example: { params: { keyword: 'Garden' } },
});

export const addKeywordByBody = defineRoute({
  ...added,
  id: 'keywords.addKeywordByBody',
  method: 'POST',
  path: '/keywords/add',
  summary: 'Add a keyword',
  sdk: { 'keywords.add': { args: ['keyword'] } },
  notRepeatable: true,
  body: z.object({ keyword }),
});

const changed = {
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ id, isActive: flag }),
  data: keywordRecord,
  message: 'Keyword updated successfully',
  errors: { 404: 'No such keyword.', 409: 'Default keywords cannot be archived.' },
} as const;

export const setKeywordActive = defineRoute({
  ...changed,
  id: 'keywords.setKeywordActive',
  method: 'PUT',
  path: '/keywords/{id}/{isActive}',
  summary: 'Archive a keyword (false) or make it active again (true)',
  sdk: {
    'keywords.archive': { fixed: { isActive: 'false' } },
    'keywords.unarchive': { fixed: { isActive: 'true' } },
  },
  example: { params: { id: '$KEYWORD_ID', isActive: 'false' } },
});

export const setKeywordActiveByPost = defineRoute({
  ...changed,
  id: 'keywords.setKeywordActiveByPost',
  method: 'POST',
  path: '/keywords/{id}/{isActive}',
  summary: 'The same by POST',
});
