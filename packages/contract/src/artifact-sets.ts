import { z } from 'zod';
import { fileFilter } from './file-filter.ts';
import { BULK_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { id, keyword, timestamp } from './values.ts';

const someIds = z.array(id).max(BULK_LIMIT, {
  error: `At most ${BULK_LIMIT.toLocaleString('en-US')} files can be named at once.`,
});

/** Which files a call is about: some by their ids, or all that match a filter. */
const chosen = {
  ids: someIds.min(1, { error: 'Please choose at least one file.' }).optional(),
  /** All files that match, instead of ids; an empty one matches every file. */
  filter: fileFilter.optional(),
  /** Files that match the filter and are left out. */
  except: someIds.optional(),
};

const isChosenOnce = ({ ids, filter }: { ids?: unknown; filter?: unknown }): boolean =>
  (ids === undefined) !== (filter === undefined);
const chooseOnce = { error: 'Choose files by their ids or by a filter, one of them.' };

export const artifactVerbs = ['tag', 'untag', 'archive', 'unarchive', 'retry', 'delete'] as const;
export type ArtifactVerb = (typeof artifactVerbs)[number];

export const changeArtifacts = defineRoute({
  id: 'artifacts.changeArtifacts',
  method: 'POST',
  path: '/artifacts/bulk',
  summary: 'Tag, untag, archive, bring back, read again or delete several files',
  sdk: {
    'files.tagMany': { args: ['ids', 'keywords'], fixed: { verb: 'tag' }, options: [] },
    'files.untagMany': { args: ['ids', 'keywords'], fixed: { verb: 'untag' }, options: [] },
    'files.archiveMany': { args: ['ids'], fixed: { verb: 'archive' }, options: [] },
    'files.unarchiveMany': { args: ['ids'], fixed: { verb: 'unarchive' }, options: [] },
    'files.retryMany': { args: ['ids'], fixed: { verb: 'retry' }, options: [] },
  },
  notRepeatable: true,
  auth: 'user',
  apiKey: true,
  kind: 'json',
  body: z
    .object({
      ...chosen,
      verb: z.enum(artifactVerbs),
      /** What `tag` adds to each file, and `untag` takes from it. */
      keywords: z.array(keyword).min(1).max(50).optional(),
    })
    .refine(isChosenOnce, chooseOnce)
    .refine(({ verb, keywords }) => !verb.endsWith('tag') || keywords !== undefined, {
      error: 'Say which keywords are meant.',
    }),
  data: z
    .object({
      /** The files of which it is true now. */
      done: z.array(id),
      /** Those of which it is not, by the reason. */
      refused: z.array(
        z
          .object({ code: z.string(), message: z.string(), ids: z.array(id) })
          .meta({ id: 'RefusedChange', description: 'Files that were not changed, and why.' }),
      ),
    })
    .meta({ id: 'FileChanges', description: 'What became of several files.' }),
  message: 'Artifacts updated successfully',
  errors: { 404: 'None of the files is there.' },
  example: { body: { verb: 'tag', ids: ['$ARTIFACT_ID'], keywords: ['Home'] } },
});
export type ArtifactChanges = z.output<typeof changeArtifacts.data>;

export const zipArtifacts = defineRoute({
  id: 'artifacts.zipArtifacts',
  method: 'POST',
  path: '/artifacts/zip',
  summary: 'A link to several files as one zip, which works without a token for at most 15 minutes',
  sdk: { 'files.downloadMany': { handWritten: true } },
  auth: 'user',
  apiKey: true,
  reads: true,
  kind: 'json',
  body: z.object(chosen).refine(isChosenOnce, chooseOnce),
  data: z
    .object({
      url: z.string(),
      expiresAt: timestamp,
      files: z.number().int().positive(),
      /** Of the files together. */
      bytes: z.number().int().nonnegative(),
    })
    .meta({ id: 'ZipLink', description: 'A link to several files as one zip.' }),
  errors: {
    404: 'None of the files is there.',
    413: 'There are too many files, or they are too large together.',
  },
  example: { body: { ids: ['$ARTIFACT_ID'] } },
});

export const readZip = defineRoute({
  id: 'artifacts.readZip',
  method: 'GET',
  path: '/zips/{token}',
  summary: 'The zip behind a link',
  auth: 'public',
  kind: 'file',
  params: z.object({ token: z.string().max(500) }),
  errors: { 404: 'No such zip.', 410: 'The link has expired.' },
});
