import { z } from 'zod';
import { defineRoute, signedFile } from './route.ts';
import { count, timestamp } from './values.ts';

export const exportAccount = defineRoute('GET /account/export', {
  fresh: true,
  summary: 'Export the account as one zip: files, answers, keywords, profile',
  kind: 'file',
});

export const signExport = defineRoute('POST /account/export/link', {
  fresh: true,
  summary: 'A link to the export that works without a token for at most 15 minutes',
  data: z.object({ url: z.string(), expiresAt: timestamp }),
});

export const readSignedExport = defineRoute('GET /exports/{token}', {
  summary: 'The export behind a signed link',
  ...signedFile,
  errors: { 404: 'No such export.', 410: 'The link has expired.' },
});

const importCounts = z.object({
  added: count,
  /** Present before the import. */
  present: count,
});

const importResult = z.object({
  files: importCounts,
  history: importCounts,
  keywords: importCounts,
  /** Whether empty fields of the profile were filled. */
  profile: z.boolean(),
  /** Items that were not imported, with the reason. */
  rejected: z.array(z.object({ name: z.string(), message: z.string() })),
});
export type ImportResult = z.output<typeof importResult>;

export const importAccount = defineRoute('POST /account/import', {
  summary:
    'Import an export of Engram (a multipart part named files). Repeating it creates no duplicates.',
  kind: 'upload',
  data: importResult,
  message: 'Imported successfully.',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    413: 'The export is too large.',
    415: 'The file is not an Engram export.',
    507: 'The disk of the server is nearly full.',
  },
});
