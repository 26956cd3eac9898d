import { z } from 'zod';
import { fileFilter } from './file-filter.ts';
import { BULK_LIMIT } from './limits.ts';
import { defineRoute, signedFile } from './route.ts';
import { count, id, keyword, timestamp } from './values.ts';

const idList = z.array(id).max(BULK_LIMIT, {
  error: `At most ${BULK_LIMIT.toLocaleString('en-US')} files can be named at once.`,
});

/** The files of a call: by their ids, or all that match a filter. */
const selection = {
  ids: idList
    .min(1, { error: 'Please choose at least one file.' })
    .optional()
    .describe('The files, up to 1,000.'),
  filter: fileFilter
    .optional()
    .describe('All files that match, instead of ids. {} matches every file.'),
  except: idList.optional().describe('Files to leave out of those that match the filter.'),
};

const hasOneSelection = ({ ids, filter }: { ids?: unknown; filter?: unknown }): boolean =>
  (ids === undefined) !== (filter === undefined);
const choiceError = { error: 'Choose files either by ids or by a filter.' };

const artifactVerbs = ['tag', 'untag', 'archive', 'unarchive', 'retry', 'delete'] as const;
export type ArtifactVerb = (typeof artifactVerbs)[number];

export const changeArtifacts = defineRoute('POST /artifacts/bulk', {
  summary: 'Tag, untag, archive, restore, retry or delete several files',
  sdk: {
    'files.tagMany': { args: ['ids', 'keywords'], fixed: { verb: 'tag' }, options: [] },
    'files.untagMany': { args: ['ids', 'keywords'], fixed: { verb: 'untag' }, options: [] },
    'files.archiveMany': { args: ['ids'], fixed: { verb: 'archive' }, options: [] },
    'files.unarchiveMany': { args: ['ids'], fixed: { verb: 'unarchive' }, options: [] },
    'files.retryMany': { args: ['ids'], fixed: { verb: 'retry' }, options: [] },
  },
  notRepeatable: true,
  apiKey: true,
  body: z
    .object({
      ...selection,
      verb: z.enum(artifactVerbs).describe('The change to each file.'),
      keywords: z
        .array(keyword)
        .min(1)
        .max(50)
        .optional()
        .describe('The keywords that tag adds and untag removes.'),
    })
    .refine(hasOneSelection, choiceError)
    .refine(({ verb, keywords }) => !verb.endsWith('tag') || keywords !== undefined, {
      error: 'Name the keywords.',
    }),
  data: z
    .object({
      done: z.array(id).describe('The files that were changed, or needed no change.'),
      refused: z
        .array(
          z
            .object({
              code: z.string().describe('A stable code of the reason.'),
              message: z.string().describe('The reason, for users.'),
              ids: z.array(id).describe('The files.'),
            })
            .meta({ id: 'RefusedChange', description: 'Files that were not changed, and why.' }),
        )
        .describe('The other files, by reason.'),
    })
    .meta({ id: 'FileChanges', description: 'The results of changes to several files.' }),
  message: 'Artifacts updated successfully',
  errors: { 404: 'None of the files exists.' },
  example: { body: { verb: 'tag', ids: ['$ARTIFACT_ID'], keywords: ['Home'] } },
});
export type ArtifactChanges = z.output<typeof changeArtifacts.data>;

export const zipArtifacts = defineRoute('POST /artifacts/zip', {
  summary: 'A link to several files as one zip, which works without a token for up to 15 minutes',
  sdk: { 'files.downloadMany': { handWritten: true } },
  apiKey: true,
  reads: true,
  body: z.object(selection).refine(hasOneSelection, choiceError),
  data: z
    .object({
      url: z.string().describe('The link.'),
      expiresAt: timestamp.describe('When the link expires.'),
      files: z.number().int().positive().describe('The number of files in the zip.'),
      bytes: count.describe('The total size of the files in bytes.'),
    })
    .meta({ id: 'ZipLink', description: 'A link to several files as one zip.' }),
  errors: {
    404: 'None of the files exists.',
    413: 'There are too many files, or their total size is too large.',
  },
  example: { body: { ids: ['$ARTIFACT_ID'] } },
});

export const readZip = defineRoute('GET /zips/{token}', {
  summary: 'The zip behind a link',
  ...signedFile,
  errors: { 404: 'No such zip.', 410: 'The link has expired.' },
});
