import { z } from 'zod';
import { artifactSource, uploadStatus } from './file-filter.ts';
import { id, timestamp } from './values.ts';

/** How far the reading of a file is. */
export const readingStage = z
  .enum(['stored', 'reading', 'indexing', 'ready', 'failed'])
  .meta({ id: 'ReadingStage', description: 'What is done with a file now.' });
/** From this progress on the text of a file is read, and what is left is to index it. */
export const READING_SHARE = 90;

export const artifact = z
  .object({
    artifactId: id,
    /** One upload call. */
    artifactGroupId: id,
    /** Media type, such as application/pdf. */
    artifactFileType: z.string(),
    artifactFileName: z.string(),
    /** Bytes. */
    artifactFileSize: z.number().int().nonnegative(),
    /** The server's own key of the stored bytes. */
    artifactFilePathS3: z.string(),
    artifactArchived: z.boolean(),
    artifactCreatedDate: timestamp,
    artifactUpdatedDate: timestamp,
    artifactCreatedBy: z.string(),
    artifactUpdatedBy: z.string(),
    deviceUsed: z.string().nullable(),
    uploadStatus,
    /** Why the file is not searchable, or what of it is not; null when there is nothing to say. */
    statusReason: z.string().nullable(),
    /** 0 to 100. */
    progress: z.number().int().min(0).max(100),
    stage: readingStage,
    /** How long a recording lasts, in milliseconds. */
    durationMs: z.number().int().nonnegative().nullable(),
    /** A signed link to a small picture of the file, where there is one. */
    thumbnailUrl: z.string().nullable(),
    keywords: z.array(z.string()),
    userId: id,
    /** Whether the file's text is in the index. */
    isVectorReady: z.boolean(),
    /** The first 50 characters of the text. */
    artifactText: z.string().nullable(),
    source: artifactSource,
    /** Where the file stands in the folder that it came from, such as Papers/tax/2025/notice.pdf. */
    path: z.string().nullable(),
    /** When the file itself was last changed, where that is known. */
    modifiedAt: timestamp.nullable(),
    /** The line with most of the words of `q`; only in lists that search content. */
    matchedLine: z.string().optional(),
  })
  .meta({
    id: 'File',
    description: 'A file, or a note that was typed.',
    'x-sdk-names': {
      artifactId: 'id',
      artifactGroupId: 'groupId',
      artifactFileType: 'mediaType',
      artifactFileName: 'name',
      artifactFileSize: 'size',
      artifactFilePathS3: 'storageKey',
      artifactArchived: 'archived',
      artifactCreatedDate: 'createdAt',
      artifactUpdatedDate: 'updatedAt',
      artifactCreatedBy: 'createdBy',
      artifactUpdatedBy: 'updatedBy',
      deviceUsed: 'device',
      uploadStatus: 'status',
      isVectorReady: 'searchable',
      artifactText: 'textPreview',
    },
  });
export type Artifact = z.output<typeof artifact>;
