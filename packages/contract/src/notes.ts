import { z } from 'zod';
import { uploadedArtifact } from './artifacts.ts';
import { defineRoute } from './route.ts';
import { fileId } from './values.ts';

export const editNote = defineRoute('PUT /artifacts/{artifactId}/note', {
  summary: 'Edit a note. The old version is searched until the new one is ready.',
  sdk: { 'files.editNote': { args: ['text'] } },
  notRepeatable: true,
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  body: z.object({
    text: z.string().max(100_000).describe('The new text, up to 500 words.'),
  }),
  /** The new note, which is a new artifact. */
  data: uploadedArtifact,
  message: 'Note saved',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    404: 'No such file.',
    409: 'The file is not a note, or the note has changed in the meantime.',
  },
  example: {
    params: { artifactId: '$NOTE_ID' },
    body: { text: 'The boiler was serviced in June.' },
  },
});
