import { z } from 'zod';
import { artifact } from './artifact.ts';
import { narrowing } from './file-filter.ts';
import { fileMeta } from './folder-sync.ts';
import { FILE_NAME_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { flag, id, keyword, LARGEST_INTEGER, listQuery, timestamp } from './values.ts';

const fileSort = z
  .enum(['created', '-created', 'name', '-name', 'size', '-size'])
  .meta({ id: 'FileSort', description: 'The order of a list of files; a minus reverses it.' });

export const listArtifacts = defineRoute({
  id: 'artifacts.listArtifacts',
  method: 'GET',
  path: '/artifacts',
  summary: 'The files, newest first',
  sdk: { 'files.list': { args: ['q?'] } },
  sdkNames: { limit: 'pageSize' },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  /**
   * There are two ways to a page. `offset` leads to any, the last one too: its rows are those that
   * stand there now, so that what comes or goes between two calls moves the others. `cursor` goes on
   * after the page before: whatever comes or goes, what stays is met once.
   */
  query: listQuery.extend({
    /** Rows before the page; instead of a cursor. */
    offset: z.coerce.number().int().min(0).max(LARGEST_INTEGER).optional(),
    ...narrowing,
    archived: flag.optional(),
    /** Names without regard to case. */
    sort: fileSort.optional(),
  }),
  data: z.array(artifact),
  list: true,
  message: 'Artifacts fetched successfully',
  example: { query: { limit: '20', sort: '-created' } },
});

export const uploadedArtifact = z
  .object({
    artifactId: id,
    fileName: z.string(),
    /** True when the same bytes were there already: nothing was stored twice, keywords were merged. */
    duplicate: z.boolean(),
  })
  .meta({
    id: 'UploadedFile',
    description: 'A file that the server stored.',
    'x-sdk-names': {
      artifactId: 'id',
      fileName: 'name',
    },
  });
const rejected = z.object({ fileName: z.string(), message: z.string(), code: z.string() }).meta({
  id: 'RejectedFile',
  description: 'A file that the server did not store, and why.',
  'x-sdk-names': {
    fileName: 'name',
  },
});

export const uploadResult = z
  .object({
    artifactGroupId: id,
    artifacts: z.array(uploadedArtifact),
    /** Files that could not be taken, each with its reason; the others are stored all the same. */
    rejected: z.array(rejected),
  })
  .meta({
    id: 'UploadResult',
    description: 'What became of the files of an upload.',
    'x-sdk-names': {
      artifactGroupId: 'groupId',
      artifacts: 'uploaded',
    },
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

export const uploadArtifacts = defineRoute({
  id: 'artifacts.uploadArtifacts',
  method: 'POST',
  path: '/artifacts/upload',
  summary: 'Upload files (parts named files) and typed text',
  sdk: { 'files.upload': { handWritten: true } },
  auth: 'user',
  apiKey: true,
  kind: 'upload',
  body: z.object({
    /** JSON: file name to its keywords. */
    filesKeywords: jsonField('filesKeywords', z.record(z.string(), z.array(keyword).max(50)), '{}'),
    /** Typed text, at most 500 words; becomes an artifact of its own. */
    artifactText: z.string().max(100_000).default(''),
    /** JSON: keywords of the whole upload. */
    keywords: jsonField('keywords', z.array(keyword).max(50), '[]'),
    source: z.enum(['Web', 'API', 'Connector', 'Share']).optional(),
    device: z.string().max(100).optional(),
    /** JSON: what is said of each file, in the order of the files. */
    meta: jsonField('meta', z.array(fileMeta).max(1000), '[]'),
    /** The registered device that sends its folder's files; their source is Connector. */
    deviceId: id.optional(),
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

export const searchReady = defineRoute({
  id: 'artifacts.searchReady',
  method: 'GET',
  path: '/artifacts/search_ready',
  summary: 'Whether no file is waiting or being read',
  sdk: { 'files.allReady': {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: z.boolean(),
  example: { message: 'All files you uploaded are ready to search' },
});

const notFound = { 404: 'No such file.' } as const;

export const getArtifact = defineRoute({
  id: 'artifacts.getArtifact',
  method: 'GET',
  path: '/artifacts/{artifactId}',
  summary: 'One file',
  sdk: { 'files.get': {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  data: artifact,
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

export const renameArtifact = defineRoute({
  id: 'artifacts.renameArtifact',
  method: 'PUT',
  path: '/artifacts/{artifactId}/name',
  summary: 'Give a file another name; its ending stays',
  sdk: { 'files.rename': { args: ['name'] } },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  body: z.object({
    /** Without slashes; a name that leaves out the ending gets it. */
    name: z
      .string()
      .trim()
      .min(1, { error: 'Please give the file a name.' })
      .max(FILE_NAME_LIMIT, { error: `A name can have at most ${FILE_NAME_LIMIT} characters.` })
      .refine((name) => !/[/\\]/u.test(name), { error: 'A name cannot have a slash in it.' }),
  }),
  data: artifact,
  message: 'The file was renamed.',
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' }, body: { name: 'Lease of the flat' } },
});

export const getArtifactText = defineRoute({
  id: 'artifacts.getArtifactText',
  method: 'GET',
  path: '/artifacts/{artifactId}/text',
  summary: "The file's extracted text",
  sdk: { 'files.text': {} },
  auth: 'user',
  apiKey: true,
  kind: 'text',
  params: z.object({ artifactId: id }),
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

/** Files that one call may delete. */
export const BULK_DELETE_LIMIT = 10_000;
export const deleteArtifacts = defineRoute({
  id: 'artifacts.deleteArtifacts',
  method: 'DELETE',
  path: '/artifacts/bulk',
  summary: 'Delete several files; those that are not there any more are passed over',
  sdk: { 'files.deleteMany': { args: ['ids'] } },
  notRepeatable: true,
  auth: 'user',
  apiKey: true,
  kind: 'json',
  body: z
    .array(id)
    .min(1, { error: 'Please choose at least one file.' })
    .max(BULK_DELETE_LIMIT, {
      error: `At most ${BULK_DELETE_LIMIT.toLocaleString('en-US')} files can be deleted at once.`,
    }),
  /** The files that were deleted. */
  data: z.array(id),
  message: 'Artifacts deleted successfully',
  example: { body: ['$ARTIFACT_ID'] },
});

export const deleteAllArtifacts = defineRoute({
  id: 'artifacts.deleteAllArtifacts',
  method: 'DELETE',
  path: '/artifacts/all',
  summary: 'Delete all files',
  sdk: { 'files.deleteAll': {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: z.null(),
  message: 'Files deleted successfully.',
  example: {},
});

export const setArtifactKeywords = defineRoute({
  id: 'artifacts.setArtifactKeywords',
  method: 'PUT',
  path: '/artifacts/keywords',
  summary: "Replace a file's keywords",
  sdk: { 'files.setKeywords': { args: ['artifactId', 'keywords'] } },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  body: z.object({ artifactId: id, keywords: z.array(keyword).max(50) }),
  data: artifact,
  message: 'Keywords updated successfully',
  errors: notFound,
  example: { body: { artifactId: '$ARTIFACT_ID', keywords: ['Home', 'Rent'] } },
});

export const deleteArtifact = defineRoute({
  id: 'artifacts.deleteArtifact',
  method: 'DELETE',
  path: '/artifacts/{artifactId}',
  summary: 'Delete a file and all that was derived from it',
  sdk: { 'files.delete': {} },
  notRepeatable: true,
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  data: z.null(),
  message: 'Artifact Deleted successfully',
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

export const setArtifactArchived = defineRoute({
  id: 'artifacts.setArtifactArchived',
  method: 'POST',
  path: '/artifacts/{artifactId}/{archived}',
  summary: 'Archive a file (true) or bring it back (false)',
  sdk: {
    'files.archive': { fixed: { archived: 'true' } },
    'files.unarchive': { fixed: { archived: 'false' } },
  },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id, archived: flag }),
  data: artifact,
  message: 'Artifact updated successfully',
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID', archived: 'true' } },
});

export const retryArtifact = defineRoute({
  id: 'artifacts.retryArtifact',
  method: 'POST',
  path: '/artifacts/{artifactId}/retry',
  summary: 'Read a failed file again',
  sdk: { 'files.retry': {} },
  notRepeatable: true,
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  data: artifact,
  message: 'Artifact updated successfully',
  errors: { ...notFound, 409: 'The file has not failed.' },
});

export const openArtifact = defineRoute({
  id: 'artifacts.openArtifact',
  method: 'POST',
  path: '/artifacts/{artifactId}/{userId}/{fileName}',
  summary: "The file's bytes, with ranges",
  sdk: { 'files.download': { handWritten: true } },
  auth: 'user',
  apiKey: true,
  reads: true,
  kind: 'file',
  params: z.object({ artifactId: id, userId: id, fileName: z.string().max(1000) }),
  errors: { ...notFound, 416: 'The range lies outside of the file.' },
  example: { params: { artifactId: '$ARTIFACT_ID', userId: '$USER_ID', fileName: 'lease.txt' } },
});

export const signArtifact = defineRoute({
  id: 'artifacts.signArtifact',
  method: 'GET',
  path: '/artifacts/{artifactId}/link',
  summary: 'A link to the bytes that works without a token for at most 15 minutes',
  sdk: { 'files.link': {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  data: z
    .object({
      presignedUrl: z.string(),
      expiresAt: timestamp,
      fileName: z.string(),
      fileType: z.string(),
      size: z.number().int().nonnegative(),
      /** The same for a small picture of the file, where there is one. */
      thumbnailUrl: z.string().nullable(),
    })
    .meta({
      id: 'FileLink',
      'x-sdk-names': { presignedUrl: 'url', fileType: 'mediaType' },
      description: 'A link to the bytes of a file that works without a key for some minutes.',
    }),
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

export const readSignedFile = defineRoute({
  id: 'artifacts.readSignedFile',
  method: 'GET',
  path: '/files/{token}',
  summary: 'The bytes behind a signed link, with ranges',
  auth: 'public',
  kind: 'file',
  params: z.object({ token: z.string().max(500) }),
  errors: { ...notFound, 410: 'The link has expired.', 416: 'The range lies outside of the file.' },
});
