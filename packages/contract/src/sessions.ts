import { z } from 'zod';
import { defineRoute } from './route.ts';
import { flag, id, timestamp } from './values.ts';

const own = { auth: 'user', kind: 'json' } as const;

export const openSession = z.object({
  id,
  /** What was signed in with, such as 'MacOS'; null where it did not say. */
  device: z.string().nullable(),
  /** Where it was last renewed from. */
  ip: z.string().nullable(),
  /** Where it was signed in, as the device named the place. */
  location: z.string().nullable(),
  createdAt: timestamp,
  /** When it was last renewed, as it is whenever the app opens; not each call counts. */
  lastUsedAt: timestamp,
  /** When it ends unless it is renewed; never later than 90 days after the sign-in. */
  expiresAt: timestamp,
  /** Whether this call was made with it. */
  current: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

export const listSessions = defineRoute({
  ...own,
  id: 'sessions.listSessions',
  method: 'GET',
  path: '/sessions',
  summary: 'Where the caller is signed in, the last used first',
  data: z.array(openSession),
});

export const endSession = defineRoute({
  ...own,
  id: 'sessions.endSession',
  method: 'DELETE',
  path: '/sessions/{sessionId}',
  summary: 'End a session: its token and its cookie stop working at once',
  params: z.object({ sessionId: id }),
  data: z.null(),
  message: 'Session ended.',
  errors: { 404: 'No such session.' },
});

export const endSessions = defineRoute({
  ...own,
  id: 'sessions.endSessions',
  method: 'DELETE',
  path: '/sessions',
  summary: 'End all other sessions; with current=true this one too',
  query: z.object({ current: flag.optional() }),
  data: z.object({
    /** How many were ended. */
    ended: z.number().int().nonnegative(),
  }),
  message: 'Sessions ended.',
});
