import { z } from 'zod';
import { artifact } from './artifact.ts';
import { narrowing } from './file-filter.ts';
import { fileMeta } from './folder-sync.ts';
import { FILE_NAME_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import {
  fileId,
  fileName,
  flag,
  id,
  keyword,
  LARGEST_INTEGER,
  listQuery,
  webAddress,
} from './values.ts';

const fileSort = z
  .enum(['created', '-created', 'name', '-name', 'size', '-size'])
  .meta({ id: 'FileSort', description: 'The order of a list of files. A minus reverses it.' });

export const listArtifacts = defineRoute('GET /artifacts', {
  summary: 'The files, newest first',
  sdk: { 'files.list': { args: ['q?'] } },
  sdkNames: { limit: 'pageSize' },
  apiKey: true,
  /**
   * `offset` leads to any page, but files that are added or deleted between two calls move the
   * others. `cursor` continues after the previous page and returns each remaining file once.
   */
  query: listQuery.extend({
    offset: z.coerce
      .number()
      .int()
      .min(0)
      .max(LARGEST_INTEGER)
      .optional()
      .describe('Rows to skip, instead of a cursor.'),
    ...narrowing,
    webAddress: z
      .string()
      .max(2000)
      .optional()
      .describe('Only the file that was saved from this address of the web.'),
    archived: flag.optional().describe('Only archived files (true) or only others (false).'),
    sort: fileSort.optional(),
  }),
  data: z.array(artifact),
  list: true,
  message: 'Artifacts fetched successfully',
  example: { query: { limit: '20', sort: '-created' } },
});

export const uploadedArtifact = z
  .object({
    artifactId: fileId,
    fileName,
    duplicate: z.boolean().describe('Whether the same bytes were stored already.'),
  })
  .meta({
    id: 'UploadedFile',
    description: 'A file that the server stored.',
    'x-sdk-names': { artifactId: 'id', fileName: 'name' },
  });
const rejected = z
  .object({
    fileName,
    message: z.string().describe('The reason, for users.'),
    code: z.string().describe('A stable code of the reason.'),
  })
  .meta({
    id: 'RejectedFile',
    description: 'A rejected file, with the reason.',
    'x-sdk-names': { fileName: 'name' },
  });

const uploadResult = z
  .object({
    artifactGroupId: id.describe('The id that all files of one upload share.'),
    artifacts: z.array(uploadedArtifact).describe('The files that were stored.'),
    rejected: z.array(rejected).describe('The files that were rejected, each with the reason.'),
  })
  .meta({
    id: 'UploadResult',
    description: 'The results of an upload.',
    'x-sdk-names': { artifactGroupId: 'groupId', artifacts: 'uploaded' },
  });
export type UploadResult = z.output<typeof uploadResult>;

const jsonField = <T extends z.ZodType>(name: string, schema: T, fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: `The field ${name} must be JSON.` });
        return z.NEVER;
      }
    })
    .pipe(schema);

export const uploadArtifacts = defineRoute('POST /artifacts/upload', {
  summary: 'Upload files (parts named files) and typed text',
  sdk: { 'files.upload': { handWritten: true } },
  apiKey: true,
  kind: 'upload',
  body: z.object({
    filesKeywords: jsonField(
      'filesKeywords',
      z.record(z.string(), z.array(keyword).max(50)),
      '{}',
    ).describe('JSON: the keywords of each file, by file name.'),
    artifactText: z
      .string()
      .max(100_000)
      .default('')
      .describe('Up to 500 words, stored as a file.'),
    keywords: jsonField('keywords', z.array(keyword).max(50), '[]').describe(
      'JSON: the keywords of all files of this upload.',
    ),
    source: z
      .enum(['Web', 'API', 'Connector', 'Share'])
      .optional()
      .describe('API for uploads by a key, Text for typed text.'),
    device: z.string().max(100).optional().describe('The device or program of the call.'),
    meta: jsonField('meta', z.array(fileMeta).max(1000), '[]').describe(
      'JSON: path, modifiedAt and replaces of each file, in order.',
    ),
    deviceId: id.optional().describe('The registered device that sends the files of its folder.'),
  }),
  data: uploadResult,
  message: 'Upload successful.',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    413: 'A file or a field is too large, or there are too many.',
    415: 'A file type is not supported, or the body is not multipart/form-data.',
    507: 'The disk of the server is nearly full.',
  },
  example: {
    form: {
      fields: { filesKeywords: '{"lease.txt": ["Home"]}' },
      file: { name: 'lease.txt', content: 'The lease ends with three months notice.\n' },
    },
  },
});

export const saveWebPage = defineRoute('POST /artifacts/from-url', {
  summary:
    'Save a web page, a YouTube video with its captions, or a file of the web, by its address',
  sdk: { 'files.saveWebPage': { args: ['url'] } },
  apiKey: true,
  body: z.object({
    url: webAddress,
    keywords: z.array(keyword).max(50).default([]).describe('The keywords of the file.'),
  }),
  data: uploadedArtifact,
  message: 'Saved.',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    413: 'The content at the address is too large.',
    415: 'Engram does not read files of this type.',
    422: 'There is no page at the address, it has no text, or YouTube does not show the video.',
    507: 'The disk of the server is nearly full.',
  },
  example: { body: { url: '$PAGE_URL', keywords: ['Reading'] } },
});

export const saveWebContent = defineRoute('POST /artifacts/from-browser', {
  summary: 'Save a web page as its reader sees it, or a file of the web, with its address',
  sdk: { 'files.saveWebContent': { handWritten: true } },
  apiKey: true,
  kind: 'upload',
  /** One part named files follows the fields. With the type or ending of HTML it is a page in UTF-8. */
  body: z.object({
    url: webAddress.describe(
      'The address that the content came from. A part of a page has a text fragment (#:~:text=).',
    ),
    keywords: jsonField('keywords', z.array(keyword).max(50), '[]').describe(
      'JSON: the keywords of the file.',
    ),
  }),
  data: uploadedArtifact,
  message: 'Saved.',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    413: 'The page or the file is too large.',
    415: 'The file type is not supported, or the body is not multipart/form-data.',
    422: 'The page has no text.',
    507: 'The disk of the server is nearly full.',
  },
  example: {
    form: {
      fields: { url: 'https://example.org/lease', keywords: '["Reading"]' },
      file: { name: 'lease.html', content: '<h1>Lease</h1><p>It ends with three months notice.' },
    },
  },
});

export const searchReady = defineRoute('GET /artifacts/search_ready', {
  summary: 'Whether all files are searchable',
  sdk: { 'files.allReady': {} },
  apiKey: true,
  data: z.boolean(),
  example: { message: 'All files you uploaded are ready to search' },
});

const notFound = { 404: 'No such file.' } as const;

export const getArtifact = defineRoute('GET /artifacts/{artifactId}', {
  summary: 'One file',
  sdk: { 'files.get': {} },
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  data: artifact,
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

export const renameArtifact = defineRoute('PUT /artifacts/{artifactId}/name', {
  summary: 'Rename a file. Its extension stays.',
  sdk: { 'files.rename': { args: ['name'] } },
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  body: z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: 'Please give the file a name.' })
      .max(FILE_NAME_LIMIT, { error: `A name can have at most ${FILE_NAME_LIMIT} characters.` })
      .refine((name) => !/[/\\]/u.test(name), { error: 'A name cannot have a slash in it.' })
      .describe('The name, without slashes. The extension stays and may be left out.'),
  }),
  data: artifact,
  message: 'The file was renamed.',
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' }, body: { name: 'Lease of the flat' } },
});

export const getArtifactText = defineRoute('GET /artifacts/{artifactId}/text', {
  summary: "The file's extracted text",
  sdk: { 'files.text': {} },
  apiKey: true,
  kind: 'text',
  params: z.object({ artifactId: fileId }),
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

const BULK_DELETE_LIMIT = 10_000;
export const deleteArtifacts = defineRoute('DELETE /artifacts/bulk', {
  summary: 'Delete several files. Missing ones are ignored.',
  sdk: { 'files.deleteMany': { args: ['ids'] } },
  notRepeatable: true,
  apiKey: true,
  body: z
    .array(id)
    .min(1, { error: 'Please choose at least one file.' })
    .max(BULK_DELETE_LIMIT, {
      error: `At most ${BULK_DELETE_LIMIT.toLocaleString('en-US')} files can be deleted at once.`,
    }),
  /** The deleted files. */
  data: z.array(id),
  message: 'Artifacts deleted successfully',
  example: { body: ['$ARTIFACT_ID'] },
});

export const deleteAllArtifacts = defineRoute('DELETE /artifacts/all', {
  summary: 'Delete all files',
  sdk: { 'files.deleteAll': {} },
  apiKey: true,
  data: z.null(),
  message: 'Files deleted successfully.',
  example: {},
});

export const setArtifactKeywords = defineRoute('PUT /artifacts/keywords', {
  summary: "Replace a file's keywords",
  sdk: { 'files.setKeywords': { args: ['artifactId', 'keywords'] } },
  apiKey: true,
  body: z.object({
    artifactId: fileId,
    keywords: z.array(keyword).max(50).describe('The keywords of the file.'),
  }),
  data: artifact,
  message: 'Keywords updated successfully',
  errors: notFound,
  example: { body: { artifactId: '$ARTIFACT_ID', keywords: ['Home', 'Rent'] } },
});

export const deleteArtifact = defineRoute('DELETE /artifacts/{artifactId}', {
  summary: 'Delete a file and everything derived from it',
  sdk: { 'files.delete': {} },
  notRepeatable: true,
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  data: z.null(),
  message: 'Artifact Deleted successfully',
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

export const setArtifactArchived = defineRoute('POST /artifacts/{artifactId}/{archived}', {
  summary: 'Archive (true) or restore (false) a file',
  sdk: {
    'files.archive': { fixed: { archived: 'true' } },
    'files.unarchive': { fixed: { archived: 'false' } },
  },
  apiKey: true,
  params: z.object({
    artifactId: fileId,
    archived: flag.describe('true archives the file, false restores it.'),
  }),
  data: artifact,
  message: 'Artifact updated successfully',
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID', archived: 'true' } },
});

export const retryArtifact = defineRoute('POST /artifacts/{artifactId}/retry', {
  summary: 'Retry a failed file',
  sdk: { 'files.retry': {} },
  notRepeatable: true,
  apiKey: true,
  params: z.object({ artifactId: id }),
  data: artifact,
  message: 'Artifact updated successfully',
  errors: { ...notFound, 409: 'The file has not failed.' },
});

export const openArtifact = defineRoute('POST /artifacts/{artifactId}/{userId}/{fileName}', {
  summary: "The file's bytes, with ranges",
  sdk: { 'files.download': { handWritten: true } },
  apiKey: true,
  reads: true,
  kind: 'file',
  params: z.object({
    artifactId: fileId,
    userId: id.describe('The id of the user.'),
    fileName: z.string().max(1000).describe('The name of the file.'),
  }),
  errors: { ...notFound, 416: 'The range lies outside of the file.' },
  example: { params: { artifactId: '$ARTIFACT_ID', userId: '$USER_ID', fileName: 'lease.txt' } },
});
