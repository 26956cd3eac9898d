import { z } from 'zod';
import { fileKinds } from './file-types.ts';
import { fileSources, fileStates } from './file-words.ts';
import { filePath } from './folder-sync.ts';
import { keyword, moment } from './values.ts';

export const uploadStatus = z
  .enum(['PENDING', 'PROCESSING', 'FAILED', 'SUCCESS'])
  .meta({ id: 'FileStatus', description: 'How far a file is; SUCCESS where it is read.' });
export const artifactSource = z
  .enum(fileSources)
  .meta({ id: 'FileOrigin', description: 'Where a file came from.' });
const fileKind = z.enum(fileKinds).meta({ id: 'FileKind', description: 'What a file is.' });

/** What narrows the files down, but for whether they are archived. */
export const narrowing = {
  q: z.string().max(300).optional(),
  /** Where the words of `q` are looked for: in names and paths, or in what the files say too. */
  in: z.enum(['names', 'content']).optional(),
  keyword: keyword.optional(),
  /** The path of a folder: what stands in it, at any depth. */
  folder: filePath.optional(),
  status: uploadStatus.optional(),
  state: z.enum(fileStates).optional(),
  kind: fileKind.optional(),
  source: artifactSource.optional(),
  /** Uploaded on this day (UTC), at this moment, or later. */
  since: moment.optional(),
  /** Uploaded before this moment, or up to the end of this day (UTC). */
  until: moment.optional(),
};

/** All files that match, as part of a body. */
export const fileFilter = z.object({ ...narrowing, archived: z.boolean().optional() });
export type FileFilter = z.output<typeof fileFilter>;
