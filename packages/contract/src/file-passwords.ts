import { z } from 'zod';
import { FILE_PASSWORD_MAX_LENGTH } from './limits.ts';
import { defineRoute } from './route.ts';
import { fileId, fileName, id, timestamp } from './values.ts';

export const unlockArtifact = defineRoute('POST /artifacts/{artifactId}/password', {
  summary: 'Read a file with its password, and all others of the user that it opens',
  sdk: { 'files.unlock': { args: ['password'] } },
  notRepeatable: true,
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  body: z.object({
    password: z
      .string()
      .min(1, { error: 'Please enter the password.' })
      .max(FILE_PASSWORD_MAX_LENGTH, {
        error: `A password can have at most ${FILE_PASSWORD_MAX_LENGTH} characters.`,
      })
      .describe('The password of the file. It is deleted as soon as the file is read.'),
    remember: z
      .boolean()
      .default(false)
      .describe('Whether it is saved, and tried on all files that are uploaded later.'),
  }),
  data: z
    .object({ opened: z.array(id).describe('The files that are read with it now.') })
    .meta({ id: 'OpenedFiles', description: 'The files that a password opens.' }),
  message: 'The password fits.',
  errors: {
    404: 'No such file.',
    409: 'The file is not waiting for a password, or too many are saved.',
    422: 'The password is wrong.',
  },
});

export const listFilePasswords = defineRoute('GET /file-passwords', {
  summary: 'The saved passwords of files, newest first, without the passwords themselves',
  data: z.array(
    z.object({
      id,
      fileName: fileName.describe('The file for which it was entered.'),
      createdAt: timestamp.describe('When it was saved.'),
    }),
  ),
});

export const deleteFilePassword = defineRoute('DELETE /file-passwords/{id}', {
  summary: 'Remove a saved password; files that it opened stay readable',
  params: z.object({ id }),
  data: z.null(),
  message: 'The password was removed.',
  errors: { 404: 'No such password.' },
});
