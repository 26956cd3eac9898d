import { z } from 'zod';
import { API_KEY_NAME_ERRORS, API_KEY_NAME_LIMIT, API_KEY_NAME_PATTERN } from './limits.ts';
import { defineRoute } from './route.ts';
import { id, timestamp } from './values.ts';

const own = { auth: 'user', kind: 'json' } as const;

export const apiKey = z.object({
  id,
  name: z.string(),
  /** Masked: its first 2 and last 3 characters. */
  apiKey: z.string(),
  createdDate: timestamp,
  /** When it last opened a call, to the minute; null while it has not. */
  lastUsedDate: timestamp.nullable(),
  /** Whether it opens only calls that change nothing; asking a question is one of them. */
  readOnly: z.boolean(),
  /** When it stops working; null for a key that works until it is revoked. */
  expiresAt: timestamp.nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

export const listApiKeys = defineRoute({
  ...own,
  id: 'apiKeys.listApiKeys',
  method: 'GET',
  path: '/api/keys',
  summary: "The caller's API keys, masked, newest first",
  data: z.array(apiKey),
  message: 'Fetched Keys successfully',
  example: {},
});

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

export const generateApiKey = defineRoute({
  ...own,
  fresh: true,
  id: 'apiKeys.generateApiKey',
  method: 'POST',
  path: '/api/keys/generate/{name}',
  summary: 'Make an API key; this answer alone shows it',
  params: z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: API_KEY_NAME_ERRORS.missing })
      .max(API_KEY_NAME_LIMIT, { error: API_KEY_NAME_ERRORS.tooLong })
      .regex(API_KEY_NAME_PATTERN, { error: API_KEY_NAME_ERRORS.malformed }),
  }),
  body: z.object({
    readOnly: z.boolean().optional(),
    /** A time, or a day in UTC at whose end the key stops working. */
    expiresAt: z
      .string()
      .max(40)
      .refine((text) => moment.safeParse(text).success, {
        error: 'The end of an API key is a time such as 2026-12-31T12:00:00Z, or a day.',
      })
      .nullish(),
  }),
  data: apiKey.pick({
    id: true,
    apiKey: true,
    name: true,
    createdDate: true,
    readOnly: true,
    expiresAt: true,
  }),
  message: 'Generated Key successfully',
  errors: { 409: 'API key with name already exists, or there are as many as one person may have.' },
  example: { params: { name: 'Nightly import' } },
});

export const revokeApiKey = defineRoute({
  ...own,
  id: 'apiKeys.revokeApiKey',
  method: 'DELETE',
  path: '/api/keys/{id}',
  summary: 'Revoke an API key: it opens nothing any more',
  params: z.object({ id }),
  data: z.null(),
  message: 'Revoked Api Key successfully',
  errors: { 404: 'No such API key.' },
  example: { params: { id: '$KEY_ID' } },
});
