import { z } from 'zod';
import { uploadedArtifact } from './artifacts.ts';
import { defineRoute } from './route.ts';
import { id } from './values.ts';

export const editNote = defineRoute({
  id: 'artifacts.editNote',
  method: 'PUT',
  path: '/artifacts/{artifactId}/note',
  summary: 'Give a typed text another wording; the old one answers until the new one is read',
  sdk: { 'files.editNote': { args: ['text'] } },
  notRepeatable: true,
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  body: z.object({
    /** At most 500 words. */
    text: z.string().max(100_000),
  }),
  /** The note as it is from now on: another text is another artifact. */
  data: uploadedArtifact,
  message: 'Note saved',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    404: 'No such file.',
    409: 'The file is no note, or the note has been changed meanwhile.',
  },
  example: {
    params: { artifactId: '$NOTE_ID' },
    body: { text: 'The boiler was serviced in June.' },
  },
});
