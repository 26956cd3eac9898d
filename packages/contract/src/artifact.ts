import { z } from 'zod';
import { artifactSource, uploadStatus } from './file-filter.ts';
import { count, fileId, folderPath, id, timestamp } from './values.ts';

const readingStage = z
  .enum(['stored', 'reading', 'indexing', 'ready', 'failed'])
  .meta({ id: 'ReadingStage', description: 'The processing stage of a file.' });
/** At this progress the text of a file is extracted, and indexing starts. */
export const READING_SHARE = 90;

export const artifact = z
  .object({
    artifactId: fileId,
    artifactGroupId: id.describe('The id that all files of one upload share.'),
    artifactFileType: z.string().describe('The media type, such as application/pdf.'),
    artifactFileName: z.string().describe('The name of the file.'),
    artifactFileSize: count.describe('The size in bytes.'),
    artifactFilePathS3: z.string().describe("The server's key of the stored bytes."),
    artifactArchived: z.boolean().describe('Whether the file is left out of searches.'),
    artifactCreatedDate: timestamp.describe('When it was uploaded.'),
    artifactUpdatedDate: timestamp.describe('When it last changed.'),
    artifactCreatedBy: z.string().describe('Who uploaded it.'),
    artifactUpdatedBy: z.string().describe('Who last changed it.'),
    deviceUsed: z.string().nullable().describe('The device that uploaded it, if known.'),
    uploadStatus,
    statusReason: z.string().nullable().describe('Why it, or a part of it, is not searchable.'),
    progress: z.number().int().min(0).max(100).describe('The processing progress, from 0 to 100.'),
    stage: readingStage,
    durationMs: count.nullable().describe('The length of a recording in ms.'),
    needsPassword: z.boolean().describe('Whether a password would open it, or more of it.'),
    thumbnailUrl: z.string().nullable().describe('A signed link to a thumbnail, if there is one.'),
    keywords: z.array(z.string()).describe('The keywords of the file.'),
    userId: id.describe('The id of the user.'),
    isVectorReady: z.boolean().describe('Whether the text of the file is searchable.'),
    artifactText: z.string().nullable().describe('The first 50 characters of the text.'),
    source: artifactSource.describe('API for uploads by a key, Text for typed text.'),
    path: folderPath,
    webAddress: z
      .string()
      .nullable()
      .describe('The address of a page that was saved from the web.'),
    modifiedAt: timestamp.nullable().describe('When the file was last changed on its disk.'),
    matchedLine: z
      .string()
      .optional()
      .describe('The line with most words of q, if content is searched.'),
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
