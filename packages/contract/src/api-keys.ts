import { z } from 'zod';
import { API_KEY_NAME_ERRORS, API_KEY_NAME_LIMIT, API_KEY_NAME_PATTERN } from './limits.ts';
import { defineRoute } from './route.ts';
import { id, timestamp } from './values.ts';

export const apiKey = z.object({
  id,
  name: z.string().describe('The name of the key. No two keys of a user have the same name.'),
  apiKey: z.string().describe('The key. Lists show only its first 2 and last 3 characters.'),
  createdDate: timestamp.describe('When it was created.'),
  lastUsedDate: timestamp
    .nullable()
    .describe('When it was last used, to the minute; null if never.'),
  readOnly: z.boolean().describe('Whether it is read-only.'),
  expiresAt: timestamp
    .nullable()
    .describe('When it expires; null if it is valid until it is revoked.'),
});
export type ApiKey = z.output<typeof apiKey>;

export const listApiKeys = defineRoute('GET /api/keys', {
  summary: "The caller's API keys, masked, newest first",
  data: z.array(apiKey),
  message: 'Fetched Keys successfully',
  example: {},
});

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

export const generateApiKey = defineRoute('POST /api/keys/generate/{name}', {
  fresh: true,
  summary: 'Create an API key. Only this response shows it.',
  params: z.object({
    name: z
      .string()
      .trim()
      .min(1, { error: API_KEY_NAME_ERRORS.missing })
      .max(API_KEY_NAME_LIMIT, { error: API_KEY_NAME_ERRORS.tooLong })
      .regex(API_KEY_NAME_PATTERN, { error: API_KEY_NAME_ERRORS.malformed })
      .describe('The name of the key. No two keys of a user have the same name.'),
  }),
  body: z.object({
    readOnly: z.boolean().optional().describe('Whether it is read-only.'),
    expiresAt: z
      .string()
      .max(40)
      .refine((text) => moment.safeParse(text).success, {
        error: 'The end of an API key is a time such as 2026-12-31T12:00:00Z, or a day.',
      })
      .nullish()
      .describe('When it expires: a time, or its last day in UTC. By default it never does.'),
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
  errors: { 409: 'API key with name already exists, or there are as many as one user may have.' },
  example: { params: { name: 'Nightly import' } },
});

export const revokeApiKey = defineRoute('DELETE /api/keys/{id}', {
  summary: 'Revoke an API key',
  params: z.object({ id }),
  data: z.null(),
  message: 'Revoked Api Key successfully',
  errors: { 404: 'No such API key.' },
  example: { params: { id: '$KEY_ID' } },
});
