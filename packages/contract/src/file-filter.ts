import { z } from 'zod';
import { fileKinds, fileSources, fileStates } from './file-types.ts';
import { filePath } from './folder-sync.ts';
import { keyword, moment } from './values.ts';

export const uploadStatus = z.enum(['PENDING', 'PROCESSING', 'FAILED', 'SUCCESS']).meta({
  id: 'FileStatus',
  description: 'The processing status of a file. SUCCESS means that it is searchable.',
});
export const artifactSource = z
  .enum(fileSources)
  .meta({ id: 'FileOrigin', description: 'The source of a file.' });
const fileKind = z.enum(fileKinds).meta({ id: 'FileKind', description: 'The kind of a file.' });

/** The filters of a list of files, except `archived`. */
export const narrowing = {
  q: z.string().max(300).optional().describe('A part of the name of the file.'),
  in: z
    .enum(['names', 'content'])
    .optional()
    .describe('Where q is searched: names and paths, or texts too.'),
  keyword: keyword.optional().describe('Only files with this keyword.'),
  folder: filePath.optional().describe('Only files in this folder or in a folder below it.'),
  status: uploadStatus.optional().describe('Only files with this status.'),
  state: z.enum(fileStates).optional().describe('Only files in this state.'),
  kind: fileKind.optional().describe('Only files of this kind.'),
  source: artifactSource.optional().describe('Only files from this source.'),
  since: moment.optional().describe('Uploaded on this day (UTC), at this time, or later.'),
  until: moment
    .optional()
    .describe('Uploaded before this time, or until the end of this day (UTC).'),
};

/** The filters as part of a body. */
export const fileFilter = z.object({
  ...narrowing,
  archived: z.boolean().optional().describe('Only archived ones (true) or only others (false).'),
});
export type FileFilter = z.output<typeof fileFilter>;
