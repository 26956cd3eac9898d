import { z } from 'zod';
import { CHECK_LIMIT, isPlainPath, PATH_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { count, fileId, id } from './values.ts';

/**
 * The path of a file from the name of its folder on, in NFC. Lone surrogates, which some disks
 * allow, become U+FFFD.
 */
export const filePath = z
  .string()
  .min(1)
  .max(PATH_LIMIT)
  .transform((path) => path.toWellFormed().normalize('NFC'))
  .refine(isPlainPath, {
    error: 'A path is names joined by /, such as Papers/tax/2025/notice.pdf.',
  })
  .meta({ format: 'folder-path' })
  .describe('The path in the folder, starting with the name of the folder.');

export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/iu, { error: 'This is not a hexadecimal SHA-256.' })
  .toLowerCase()
  .describe('The SHA-256 of the bytes, in hexadecimal.');

/** PostgreSQL and JavaScript both write these years with four digits. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

/** The modification time of a file. */
const fileTime = z.iso
  .datetime({ offset: true })
  .max(40)
  .refine((time) => Date.parse(time) >= EARLIEST && Date.parse(time) <= LATEST, {
    error: 'The time of a file lies in the years 1 to 9999.',
  });

/** The metadata of an uploaded file. */
export const fileMeta = z.object({
  path: filePath.nullish(),
  modifiedAt: fileTime.nullish().describe('When the file was last changed on its disk.'),
  replaces: id
    .nullish()
    .describe('The version from the same device that this file replaces when it is ready.'),
});

/**
 * `deleted`: the user deleted the file in Engram. `refused`: Engram rejects the file, or cannot
 * read it.
 */
const contentState = z
  .enum(['known', 'new', 'deleted', 'refused'])
  .meta({ id: 'ContentState', description: 'Whether Engram has the bytes of a file.' });

export const checkArtifacts = defineRoute('POST /artifacts/check', {
  summary: 'Check which files Engram already has, without sending bytes',
  sdk: { 'files.check': { handWritten: true } },
  apiKey: true,
  reads: true,
  body: z.object({
    files: z
      .array(
        z.object({
          sha256,
          size: count.describe('The size in bytes.'),
          path: filePath,
        }),
      )
      .min(1)
      .max(CHECK_LIMIT)
      .describe('The files to check.'),
  }),
  /** In the order of the files. */
  data: z.array(
    z
      .object({
        sha256: z.string().describe('The SHA-256 of the bytes, in hexadecimal.'),
        state: contentState,
        artifactId: id.nullable().describe('The id of the file.'),
        reason: z.string().nullable().describe('Why it was refused, as a sentence.'),
      })
      .meta({
        id: 'CheckedFile',
        description: 'The result of checking a file.',
        'x-sdk-names': { artifactId: 'fileId' },
      }),
  ),
  example: {
    body: {
      files: [
        {
          sha256: '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592',
          size: 5120,
          path: 'Papers/tax/2025/notice.pdf',
        },
      ],
    },
  },
});

export const placeArtifact = defineRoute('PUT /artifacts/{artifactId}/place', {
  summary: 'Set the path of a file in its folder, and the file that it replaces',
  sdk: { 'files.place': {} },
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  body: fileMeta.extend({
    path: filePath,
    deviceId: id.describe('The registered device that sends the files of its folder.'),
  }),
  data: z.null(),
  errors: { 404: 'No such file, or no such device.' },
  example: {
    params: { artifactId: '$ARTIFACT_ID' },
    body: { path: 'Papers/home/lease.txt', deviceId: '$DEVICE_ID' },
  },
});

export type FileMeta = z.output<typeof fileMeta>;
export type CheckedFile = z.output<typeof checkArtifacts.data>[number];
