import { z } from 'zod';
import { defineRoute } from './route.ts';
import { timestamp } from './values.ts';

/** Everything of a person as one zip, and back: taking one's things along. */
const own = { auth: 'user' } as const;

export const exportAccount = defineRoute({
  ...own,
  fresh: true,
  id: 'portability.exportAccount',
  method: 'GET',
  path: '/account/export',
  summary: 'Everything of the caller as one zip: files, answers, keywords, profile',
  kind: 'file',
});

export const signExport = defineRoute({
  ...own,
  fresh: true,
  id: 'portability.signExport',
  method: 'POST',
  path: '/account/export/link',
  summary: 'A link to the export that works without a token for at most 15 minutes',
  kind: 'json',
  data: z.object({ url: z.string(), expiresAt: timestamp }),
});

export const readSignedExport = defineRoute({
  id: 'portability.readSignedExport',
  method: 'GET',
  path: '/exports/{token}',
  summary: 'The export behind a signed link',
  auth: 'public',
  kind: 'file',
  params: z.object({ token: z.string().max(500) }),
  errors: { 404: 'No such export.', 410: 'The link has expired.' },
});

const taken = z.object({
  /** Taken in. */
  added: z.number().int().nonnegative(),
  /** There already. */
  present: z.number().int().nonnegative(),
});

export const importResult = z.object({
  files: taken,
  history: taken,
  keywords: taken,
  /** Whether empty fields of the profile were filled. */
  profile: z.boolean(),
  /** What could not be taken, each with its reason. */
  rejected: z.array(z.object({ name: z.string(), message: z.string() })),
});
export type ImportResult = z.output<typeof importResult>;

export const importAccount = defineRoute({
  ...own,
  id: 'portability.importAccount',
  method: 'POST',
  path: '/account/import',
  summary: 'Take in an export of Engram (a multipart part named files); again brings nothing twice',
  kind: 'upload',
  data: importResult,
  message: 'Imported successfully.',
  errors: {
    402: 'The subscription has expired, or the storage is full.',
    413: 'The export is too large.',
    415: 'The file is not an export of Engram.',
  },
});
