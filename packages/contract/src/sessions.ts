import { z } from 'zod';
import { defineRoute, userCall } from './route.ts';
import { count, flag, id, timestamp } from './values.ts';

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

export const listSessions = defineRoute('GET /sessions', {
  ...userCall,
  id: 'sessions.listSessions',
  summary: 'Where the caller is signed in, the last used first',
  data: z.array(openSession),
});

export const endSession = defineRoute('DELETE /sessions/{sessionId}', {
  ...userCall,
  id: 'sessions.endSession',
  summary: 'End a session: its token and its cookie stop working at once',
  params: z.object({ sessionId: id }),
  data: z.null(),
  message: 'Session ended.',
  errors: { 404: 'No such session.' },
});

export const endSessions = defineRoute('DELETE /sessions', {
  ...userCall,
  id: 'sessions.endSessions',
  summary: 'End all other sessions; with current=true this one too',
  query: z.object({ current: flag.optional() }),
  data: z.object({
    /** How many were ended. */
    ended: count,
  }),
  message: 'Sessions ended.',
});
